"""The descriptors that tell a process of the ends of those which its ``multiprocessing`` started.

Nothing is ever written to such a pipe: the child keeps the other end, which its end closes. So
whoever watches one waits for that process, however few of the library's own functions are on the
stack: ``connection.wait(sentinels)``, a loop of its own, another library's ``join``.
"""

from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data

_MOST = 1024
"""Children of one process that are looked at."""


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
        children = self._python.module("multiprocessing.process").get("_children", 0)
        if not children or self._python.objects.kind(children) != "set":
            return
        attributes = self._python.objects.attributes
        for child in self._containers.set_items(children)[:_MOST]:
            started = attributes(attributes(child).get("_popen", 0))
            fd = self._containers.integer(started.get("sentinel", 0))
            pid = self._containers.integer(started.get("pid", 0))
            if fd is not None and fd >= 0 and pid is not None and pid > 0:
                found[fd] = pid
