"""Which of the processes that a launcher of ranks has started have ended, and how: it has fetched
their status, so that the kernel knows nothing of them any more."""

from collections.abc import Iterator
from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.dataclass import dataclass
from hangtui.model import Collected


@dataclass(frozen=True, slots=True)
class _Launcher:
    """A function that runs while ranks do, and the way from its ``self`` to their processes."""

    file: str
    """How the name of its file ends."""
    function: str
    path: tuple[str, ...]


_LAUNCHERS = (
    _Launcher("/strategies/launchers/subprocess_script.py", "launch", ("procs",)),
    _Launcher("/torch/multiprocessing/spawn.py", "join", ("processes",)),
    _Launcher(
        "/torch/distributed/elastic/agent/server/api.py",
        "_invoke_run",
        ("_pcontext", "subprocess_handlers"),
    ),
    _Launcher(
        "/torch/distributed/elastic/agent/server/api.py",
        "_invoke_run",
        ("_pcontext", "_pc", "processes"),
    ),
)
"""Those of Lightning, torch's ``spawn`` and torchrun."""
_WRAPPED = ("proc", "_popen")
"""Attributes in which others keep what has the status: torchrun, and ``multiprocessing``."""
_MOST = 1024


def add_collected(pid: int, python: PythonReader, facts: Facts) -> None:
    """Add those of one process; where no launcher runs it costs next to nothing.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    reader = _Launched(pid, python)
    for frames in python.stacks.values():
        for frame in frames:
            for launcher in _LAUNCHERS:
                if _runs(frame, launcher):
                    with suppress(DamagedDataError, MemoryReadError), foreign_data():
                        facts.collected += reader.of(frame, launcher)


class _Launched:
    """Reads it of one process."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python
        self._objects = python.objects
        self._containers = Containers(python.objects, python.codes)

    def of(self, frame: Frame, launcher: _Launcher) -> Iterator[Collected]:
        """What one launcher has collected."""
        found = self._python.frames.variables(frame).get("self", 0)
        for name in launcher.path:
            found = self._objects.attributes(found).get(name, 0) if found else 0
        for one in self._values(found)[:_MOST] if found else ():
            attributes = self._objects.attributes(one)
            for name in _WRAPPED:
                inner = attributes.get(name, 0)
                attributes = self._objects.attributes(inner) if inner else attributes
            status = self._containers.integer(attributes.get("returncode", 0))
            number = self._containers.integer(attributes.get("pid", 0))
            if status is not None and number is not None and number > 0:
                yield Collected(self._pid, number, status)

    def _values(self, container: int) -> list[int]:
        if self._objects.kind(container) == "dict":
            return [value for _, value in self._objects.items(container)]
        return self._containers.sequence(container)


def _runs(frame: Frame, launcher: _Launcher) -> bool:
    code = frame.code
    return code.bare_name == launcher.function and code.filename.endswith(launcher.file)
