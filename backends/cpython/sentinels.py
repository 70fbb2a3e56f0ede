"""What a process's ``multiprocessing`` knows of the processes that it started: the descriptors that
tell of their ends, which of them it takes for alive, and which have failed.

Nothing is ever written to such a pipe: the child keeps the other end, which its end closes. So
whoever watches one waits for that process, however few of the library's own functions are on the
stack: ``connection.wait(sentinels)``, a loop of its own, another library's ``join``.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.model import Child, clean

_BY_SERVER = "forkserver"
"""In the class of what was started by a fork server, whose child it is."""
_MOST = 1024
"""Children of one process that are looked at."""
_MOST_FAILED = 20


class Sentinels:
    """Finds them in one process."""

    def __init__(self, python: PythonReader) -> None:
        self._python = python
        self._containers = Containers(python.objects, python.codes)
        self._known: dict[int, int] | None = None

    def by_descriptor(self) -> dict[int, int]:
        """The PIDs of children, as their parent numbers them, by the parent's descriptor. What is
        not readable is left out."""
        if self._known is None:
            self._known = {}
            spent = self._python.objects.memory.spent
            with suppress(BudgetSpentError, DamagedDataError), spent.clock(), foreign_data():
                self._read(self._known)
        return self._known

    def _read(self, found: dict[int, int]) -> None:
        for child in started_by(self._python):
            started = self._python.objects.attributes(child.started)
            fd = self._containers.integer(started.get("sentinel", 0))
            if fd is not None and fd >= 0:
                found[fd] = child.pid


class Started(NamedTuple):
    """A process that multiprocessing has started, and not yet heard the end of."""

    pid: int
    """As its parent numbers it."""
    process: int
    started: int
    """Addresses of its ``Process`` and its ``Popen``."""


def started_by(python: PythonReader) -> Iterator[Started]:
    """All that a process has started so, and takes for alive.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
        DamagedDataError: memory is not what it should be.
    """
    containers, attributes = Containers(python.objects, python.codes), python.objects.attributes
    children = python.module("multiprocessing.process").get("_children", 0)
    if not children or python.objects.kind(children) != "set":
        return
    for child in containers.set_items(children)[:_MOST]:
        started = attributes(child).get("_popen", 0)
        pid = containers.integer(attributes(started).get("pid", 0)) if started else None
        if pid is not None and pid > 0:
            yield Started(pid, child, started)


class Alive(NamedTuple):
    """A process that multiprocessing takes for alive."""

    number: int
    """As its parent numbers it."""
    name: str
    by_server: bool
    """A fork server started it, and tells of its end; else only a ``waitpid`` does."""


def taken_for_alive(python: PythonReader) -> list[Alive]:
    """All such of a process. What is not readable is left out."""
    found: list[Alive] = []
    spent, objects = python.objects.memory.spent, python.objects
    with suppress(BudgetSpentError, DamagedDataError), spent.clock(), foreign_data():
        for child in started_by(python):
            by_server = _BY_SERVER in objects.qualified_type(child.started)
            status = objects.attributes(child.started).get("returncode", 0)
            if status and objects.kind(status) == "NoneType":
                name = objects.text(objects.attributes(child.process).get("_name", 0))
                found.append(Alive(child.pid, clean(name, 80), by_server))
    return found


def failed(python: PythonReader, number: int) -> tuple[Child, ...]:
    """The children of a process that did not end well and that it has collected, so that the kernel
    knows nothing of them any more. *number*: its own PID, as it knows it. What is not readable is
    left out."""
    found: list[Child] = []
    containers, attributes = Containers(python.objects, python.codes), python.objects.attributes
    spent = python.objects.memory.spent
    with suppress(BudgetSpentError, DamagedDataError), spent.clock(), foreign_data():
        known = python.module("multiprocessing.process").get("_dangling", 0)
        for process in containers.weak_set_items(known)[:_MOST] if known else ():
            of_process = attributes(process)
            started = of_process.get("_popen", 0)
            of_popen = attributes(started) if started else {}
            pid, status = (
                containers.integer(of_popen.get(name, 0)) for name in ("pid", "returncode")
            )
            own = containers.integer(of_process.get("_parent_pid", 0)) == number
            if own and pid and status:  # a fork has the objects of its parent, too
                name = clean(python.objects.text(of_process.get("_name", 0)), 80)
                found.append(Child(pid, name, "X", exit_status=status))
    return tuple(sorted(found, key=lambda one: one.pid)[-_MOST_FAILED:])
