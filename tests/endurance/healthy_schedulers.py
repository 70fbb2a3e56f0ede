"""The healthy programs of every scheduler, with the interpreters that can run them.

They are those of which tests/integration says that nothing is wrong; for script/scheduler-captures.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.integration import (
    test_free_threaded,
    test_greenlets,
    test_interpreters,
    test_loops,
    test_plain_greenlets,
    test_trio,
    test_twisted,
)
from tests.integration.targets import Interpreter, interpreters
from tests.integration.test_pools import having

_GEVENT = "locks server pool executors killed"
_EVENTLET = (*test_greenlets.HEALTHY_IN_EVENTLET, "accepts")
_GUEST = ("ring", "serve", "serve_nobody")
_HEALTHY = "healthy"
_FREE_THREADED = {"3.13t", "3.14t"}


@dataclass(frozen=True, slots=True)
class Run:
    """A program under one interpreter."""

    program: str
    arguments: tuple[str, ...]
    interpreter: Interpreter

    @property
    def name(self) -> str:
        """How it is told from the others, and may be the name of a file."""
        return "-".join((self.program, *self.arguments, self.interpreter.id))

    @property
    def python(self) -> Path:
        """What runs it."""
        return self.interpreter.path


def runs(versions: tuple[str, ...]) -> Iterator[Run]:
    """Every program under each of these versions that has what it needs."""
    for package, program, arguments in _programs():
        found = having(package, versions) if package else _plain(versions)
        for one in found:
            yield Run(program, arguments, one)
    for name, one in test_interpreters.runs([*test_interpreters.HUNG, "busy"]):
        if one.version in versions:
            yield Run("interpreter_waits", (name, _HEALTHY), one)
    for one in interpreters(tuple({*versions} & _FREE_THREADED)):
        for name in (*test_free_threaded.HUNG, "busy"):
            yield Run("world_waits", (name, _HEALTHY), one)


def _plain(versions: tuple[str, ...]) -> list[Interpreter]:
    """One interpreter of each version that needs no package."""
    found: dict[str, Interpreter] = {}
    for one in interpreters(versions):
        found.setdefault(one.version, one)
    return list(found.values())


def _programs() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """What each needs, its file and its arguments."""
    for name in _GEVENT.split():
        yield "gevent", "greenlets", (f"healthy_{name}",)
    yield "gevent", "greenlets", ("plain_healthy_threads",)
    yield "gevent", "greenlets", ("idle",)
    for name in _EVENTLET:
        yield "eventlet", "eventlet_greenlets", (name,)
    for name in (*test_plain_greenlets.HUNG, "own"):
        yield "greenlet", "plain_greenlets", (name, _HEALTHY)
    for library in ("trio", "anyio"):
        for name in (*test_trio.HUNG, "clients", "rest"):
            yield "trio", "trio_tasks", (library, name, _HEALTHY)
    for name in _GUEST:
        yield "trio", "trio_guest", (name, _HEALTHY)
    for name in test_twisted.HUNG:
        yield "twisted", "twisted_flows", (name, _HEALTHY)
    yield from _loops()


def _loops() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Those of asyncio's loop, and of others like it."""
    for loop, package in (("asyncio", ""), *test_loops.PACKAGES.items()):
        for name in (*test_loops.HUNG, "clients"):
            yield package, "loop_tasks", (loop, name, _HEALTHY)
    for name in test_loops.HEALTHY_JOBS:
        yield "distributed", "dask_jobs", (name, _HEALTHY)
    yield "tornado", "tornado_mixed", ("ring", _HEALTHY)
    yield "tornado", "tornado_generators", ()
    yield "nest_asyncio.py", "nested_runs", (_HEALTHY,)
