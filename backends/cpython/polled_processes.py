"""Which processes threads ask for again and again, whether they are still there.

psutil does so for one that is no child of the caller's and that has ended, but that its parent has
not collected: until then it has its number. The kernel knows no wait of this.
"""

from collections.abc import Mapping
from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.ipc.channel_calls import SLEEPS
from hangtui.backends.ipc.peer import PolledProcess
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.backends.procfs.thread_syscall import BlockedThread

_FUNCTION, _FILE = "wait_pid", "/psutil/_psposix.py"
_FRAMES = 8
"""Innermost frames in which it is looked for."""


class PolledProcesses:
    """Finds them in one process."""

    def __init__(self, python: PythonReader, asleep: Mapping[int, BlockedThread]) -> None:
        self._python = python
        self._asleep = asleep
        self._containers = Containers(python.objects, python.codes)

    def polled(self) -> list[PolledProcess]:
        """What threads that sleep for a moment ask for. Never raises."""
        found: list[PolledProcess] = []
        spent = self._python.objects.memory.spent
        for tid, where in self._asleep.items():
            if where.call not in SLEEPS:
                continue
            with suppress(BudgetSpentError, DamagedDataError), spent.clock(), foreign_data():
                for frame in self._python.stacks.get(tid, ())[:_FRAMES]:
                    one = self._of(tid, frame)
                    found += [one] if one is not None else []
        return found

    def _of(self, tid: int, frame: Frame) -> PolledProcess | None:
        code = frame.code
        if code.bare_name != _FUNCTION or not code.filename.endswith(_FILE):
            return None
        variables = self._python.frames.variables(frame)
        number = self._containers.integer(variables.get("pid", 0))
        if number is None or number <= 0:
            return None
        timeout = variables.get("timeout", 0)
        for_ever = bool(timeout) and self._python.objects.kind(timeout) == "NoneType"
        return PolledProcess(tid, number, not for_ever)
