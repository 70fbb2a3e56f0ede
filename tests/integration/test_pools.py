"""Pools of real libraries, exhausted by those who wait for them, and in use.

The environments are made by script/libraries; without them, a library of our own is used alone.
"""

import os
import time
from functools import partial
from pathlib import Path

import pytest

from hangtui.model import Capture, Finding, NodeKind, Severity
from tests.integration.capturing import diagnose
from tests.integration.targets import FOLDER, Interpreter, interpreters, running
from tests.integration.test_mechanisms import looks
from tests.shares import ALL, captures
from tests.waiting import until

VENVS = FOLDER.parents[1] / ".pythons" / "libraries"
"""A virtual environment with libraries per version of Python: ``3.12/bin/python``."""
LIBRARIES = {
    "aiohttp_client": ("aiohttp", "aiohttp's TCPConnector"),
    "anyio_limiter": ("anyio", "anyio's CapacityLimiter"),
    "anyio_semaphore": ("anyio", "anyio's Semaphore"),
    "dbutils_pooled": ("dbutils", "DBUtils' PooledDB"),
    "httpx_client": ("httpcore", "httpcore's AsyncConnectionPool"),
    "kombu_pool": ("kombu", "kombu's ConnectionPool"),
    "redis_py": ("redis", "redis-py's BlockingConnectionPool"),
    "sqlalchemy_async": ("aiosqlite", "SQLAlchemy's AsyncAdaptedQueuePool"),
    "sqlalchemy_connect": ("sqlalchemy", "SQLAlchemy's QueuePool"),
    "sqlalchemy_session": ("sqlalchemy", "SQLAlchemy's QueuePool"),
}
ON_BEHALF = ("anyio_limiter",)
"""Those that are lent out on behalf of objects, which are nobody that could give one back."""
WITH_POSTGRESQL = {
    "aiopg_pool": ("aiopg", "aiopg's Pool"),
    "asyncpg_pool": ("asyncpg", "asyncpg's Pool"),
    "psycopg_async": ("psycopg_pool", "psycopg_pool's AsyncConnectionPool"),
    "psycopg_threads": ("psycopg_pool", "psycopg_pool's ConnectionPool"),
}
VERSIONS = ("3.8", "3.11", "3.12", "3.13")
_WATCH_S = 3.0 if ALL else 1.0


def having(package: str, versions: tuple[str, ...] = VERSIONS) -> list[Interpreter]:
    """The interpreters with a package."""
    found = [VENVS / version for version in versions]
    return [
        Interpreter(place / "bin" / "python", place.name, "libraries")
        for place in found
        if list(place.glob(f"lib/*/site-packages/{package}"))
    ]


def with_library(name: str) -> list[Interpreter]:
    package, _ = {**LIBRARIES, **WITH_POSTGRESQL}[name]
    found = having(package)
    if not found:
        pytest.skip(f"no {package} here (script/libraries)")
    return found


def worst(pid: int, identifier: str) -> Finding:
    """The first finding, once it is this one: a program is ready before its workers wait."""

    def told() -> Finding | None:
        found = diagnose(pid).findings
        return found[0] if found and found[0].id == identifier else None

    return until(told)


@pytest.mark.parametrize("name", [one for one in LIBRARIES if one not in ON_BEHALF])
def test_those_who_wait_have_all_of_it_themselves(name: str) -> None:
    for interpreter in with_library(name):
        with running("pools", interpreter.path, arguments=(name, "hung")) as target:
            found = worst(target.pid, "pool-deadlock")
        text = f"{interpreter.id}: {found.title}"
        assert found.certainty.supports_claim, text
        assert f"{LIBRARIES[name][1]} (size 2, both out)" in found.title, text
        assert "order-0" in found.sentence, text
        assert "order-1" in found.sentence, text
        assert "(place_order" in found.sentence, text


@pytest.mark.parametrize("name", ON_BEHALF)
def test_what_is_lent_out_on_behalf_of_objects_is_had_by_nobody(name: str) -> None:
    for interpreter in with_library(name):
        with running("pools", interpreter.path, arguments=(name, "hung")) as target:
            found = worst(target.pid, "event-loop-stalled")
        assert f"{LIBRARIES[name][1]} (size 2, both out)" in found.sentence, interpreter.id


@pytest.mark.parametrize("name", WITH_POSTGRESQL)
def test_those_who_wait_have_all_connections_of_a_server_themselves(name: str) -> None:
    if "PGHOST" not in os.environ:
        pytest.skip("no server: PGHOST, PGPORT, PGUSER and PGDATABASE name none")
    for interpreter in with_library(name):
        with running("pools", interpreter.path, arguments=(name, "hung")) as target:
            found = worst(target.pid, "pool-deadlock")
        assert f"of {WITH_POSTGRESQL[name][1]} (size 2, both out)" in found.title
        assert found.certainty.supports_claim


@pytest.mark.parametrize("variant", ["slow", "free"])
@pytest.mark.parametrize("name", LIBRARIES)
def test_a_pool_in_use_is_no_alarm(name: str, variant: str) -> None:
    for interpreter in with_library(name):
        with running("pools", interpreter.path, asleep=False, arguments=(name, variant)) as target:
            until = time.monotonic() + _WATCH_S
            while time.monotonic() < until:
                alarms = [
                    f"{interpreter.id}: {one.title}"
                    for one in diagnose(target.pid).findings
                    if one.severity is not Severity.NOTE
                ]
                assert alarms == []


@pytest.mark.parametrize(("library", "package"), [("aiohttp", "aiohttp"), ("httpx", "httpx")])
def test_who_waits_for_an_answer_does_not_wait_for_the_pool(library: str, package: str) -> None:
    """It has a connection in hand, and the pool leads by that to what it waits on."""
    found = having(package)
    if not found:
        pytest.skip(f"no {package} here (script/libraries)")
    for interpreter in found:
        with running(
            "silent_origin", interpreter.path, asleep=False, arguments=(library,)
        ) as target:
            capture = until(partial(_asleep_task, target.pid))
            said = looks(target.pid)[0].sentence
        (wait,) = [one for one in capture.waits if one.waiter == capture.tasks[0].id]
        known = {one.id: one for one in capture.resources}
        assert wait.target.kind not in (NodeKind.POOL, NodeKind.LIMITER), interpreter.id
        assert "next event of the connection to 127.0.0.1:" in known[wait.target].label
        assert "whoever is there has to answer" in said, said


def _asleep_task(pid: int) -> Capture | None:
    taken = diagnose(pid).capture
    waiting = any(one.waiter == task.id for task in taken.tasks for one in taken.waits)
    return taken if waiting else None


@pytest.mark.parametrize("name", ["sqlalchemy_connect", "sqlalchemy_async", "redis_py"])
def test_who_has_it_and_what_they_do(name: str) -> None:
    for interpreter in with_library(name):
        with running("pools", interpreter.path, arguments=(name, "kept")) as target:
            worst(target.pid, "waiting-for-pool")
            diagnosis = diagnose(target.pid)
        (found,) = (one for one in diagnosis.findings if one.id == "waiting-for-pool")
        assert f"{LIBRARIES[name][1]} (size 2, both out)" in found.title
        assert found.severity is Severity.NOTE  # one look does not show that it lasts
        (pool,) = (one for one in diagnosis.capture.resources if one.kind is NodeKind.POOL)
        assert (pool.size, pool.out, pool.accounted) == (2, 2, 2)
        assert found.sentence.count(" has one (at ") == 2


@pytest.mark.parametrize("interpreter", interpreters(VERSIONS), ids=lambda i: i.id)
def test_a_library_of_which_nothing_is_known(interpreter: Interpreter) -> None:
    """What an installed class that is called a pool waits on names it; a generator of its own
    that somebody is inside of has one."""
    with running("pools", interpreter.path, arguments=("unknown", "hung")) as target:
        found = worst(target.pid, "pool-deadlock")
    assert (found.id, found.severity) == ("pool-deadlock", Severity.WARNING)
    assert "an item of tinypool's DuckPool" in found.title
    assert "(place_order)" in found.sentence


@pytest.mark.parametrize("variant", ["slow", "free"])
def test_a_library_of_which_nothing_is_known_in_use(variant: str) -> None:
    interpreter = interpreters(VERSIONS)[0]
    with running("pools", interpreter.path, asleep=False, arguments=("unknown", variant)) as target:
        for _ in range(captures(10)):
            alarms = [
                one for one in diagnose(target.pid).findings if one.severity is Severity.ERROR
            ]
            assert alarms == []


@pytest.mark.parametrize("interpreter", interpreters(VERSIONS), ids=lambda i: i.id)
@pytest.mark.parametrize("variant", ["slow", "polls"])
def test_who_comes_back_to_a_sleep_has_given_back_what_it_took(
    interpreter: Interpreter, variant: str
) -> None:
    """Where the loop leads over the `with`; not where it is inside of that."""
    with running("pools", interpreter.path, asleep=False, arguments=("unknown", variant)) as target:
        taken = until(lambda: _with_sleepers(target.pid))
        said = looks(target.pid)
    assert {one.renewed for one in taken.holds} == {variant == "slow"}
    warned = [one.id for one in said if one.severity is not Severity.NOTE]
    assert warned == ([] if variant == "slow" else ["waiting-for-pool"])


def _with_sleepers(pid: int) -> Capture | None:
    """A capture of those who sleep with what they have."""
    taken = diagnose(pid).capture
    holders = [one for one in taken.threads() if one.id in {hold.holder for hold in taken.holds}]
    asleep = all(one.syscall is not None and one.syscall.sleeps for one in holders)
    return taken if len(holders) == 2 and asleep else None


def test_each_library_has_a_program() -> None:
    programs = {path.stem for path in Path(FOLDER / "pools_of").glob("*.py")}

    assert {*LIBRARIES, *WITH_POSTGRESQL} <= programs


@pytest.mark.parametrize("interpreter", having("sqlalchemy"), ids=lambda one: one.id)
def test_a_generator_that_is_gone_over_has_the_connection(interpreter: Interpreter) -> None:
    with running("pool_rows_kept", interpreter.path) as target:
        first = looks(target.pid)[0]
        asks = target.line("# asks")
    assert (first.id, first.severity) == ("pool-deadlock", Severity.ERROR), first.title
    assert "and has it itself" in first.title
    where = f"pool_rows_kept.py:{asks} (copy_rows, over the generator rows_read)"
    assert f"It has it itself at {where}" in first.sentence
