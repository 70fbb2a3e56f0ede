"""What of a process cannot be read: told in notices, and as gaps where an all-clear needs it."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace

from hangtui.backends.cpython.layouts import LayoutError, UnknownVersionError
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.runtime import NotPythonError, identify, locate
from hangtui.backends.elf.images import Images
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.c_library import CLibrary
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.memory.machine import foreign, foreign_library
from hangtui.backends.memory.reader import Memory
from hangtui.backends.process.discovery import is_python
from hangtui.backends.process.processes import ThreadCounter
from hangtui.backends.procfs import life
from hangtui.model import Gap, Notice, Process, PythonInfo, Source, clean

_YOUNG_S = 3.0
"""A process that is younger may not have started its interpreter yet, in seconds: that takes some
20 ms, and a hundred times that where many want the processors."""
_PYTHON = "Python stacks, locks and the GIL"
_NATIVE_ONLY = "no CPython in this process: only native facts are read"
_NO_INTERPRETER = Gap(_PYTHON, "no interpreter that is known here was found in it")


class Visibility:
    """What was found to be missing of one process."""

    def __init__(self, pid: int, *, live: bool = True) -> None:
        self._pid = pid
        self._live = live
        self.notices: list[Notice] = []
        self.gaps: list[Gap] = []
        self.info: PythonInfo | None = None
        """Which Python it runs, once `python` was called."""

    def note(self, source: Source, message: str, fix: str | None = None) -> None:
        """Tell of something that is missing."""
        self.notices.append(Notice(source, message, fix, self._pid))

    def miss(self, what: str, reason: str) -> None:
        """Note that facts could not be read that an all-clear needs."""
        self.gaps.append(Gap(what, clean(reason, 200)))

    def is_foreign(self, memory: Memory) -> bool:
        """Whether the process runs another machine's code."""
        machine = None
        with suppress(BudgetSpentError):
            machine = foreign(memory)
        if machine is not None:
            reason = f"it runs code for {machine}"
            self.note(Source.CPYTHON, f"{reason}: only what the kernel says is read")
            self.miss("stacks, locks and the GIL", reason)
        return machine is not None

    def is_emulated(self, memory: Memory) -> bool:
        """Whether another program runs its code, so that its registers are that program's."""
        if memory.emulator is None:
            return False
        reason = f"it runs code for {memory.arch.name} in {memory.emulator}"
        what = "native stacks and locks of C code"
        self.note(Source.UNWIND, f"{reason}: {what} are not read")
        self.miss(what, reason)
        return True

    def knows_library(self, memory: Memory) -> bool:
        """Whether anything is known of how locks of C code are laid out."""
        reason = foreign_library(memory)
        if memory.c_library is CLibrary.MUSL:
            what = "rwlocks, semaphores and normal mutexes of C code"
            self.note(Source.FUTEX, f"{reason}, which does not record who holds {what}")
            self.miss("who holds locks of C code", str(reason))
        elif reason is not None:
            self.note(Source.FUTEX, f"{reason}: who holds locks of C code is not read")
            self.miss("who holds locks of C code and who waits for the GIL", reason)
        return memory.c_library is not CLibrary.UNKNOWN

    def counts_runs(self, threads: Collection[ThreadCounter]) -> None:
        """Note where the kernel tells of none of *threads* whether it ran: of a thread that may
        have, no wait is proven."""
        if threads and all(thread.schedule.runs is None for thread in threads):
            reason = "this kernel does not count how often they are given a processor"
            self.note(Source.PROCFS, f"whether threads stand still is not known: {reason}")
            self.miss("whether its threads stand still", reason)

    def python(
        self, memory: Memory, images: Images, tids: Mapping[int, int]
    ) -> PythonReader | None:
        """The reader of its interpreter; *tids*: as `PythonReader` takes them."""
        reader = None
        with self._telling():
            version, free_threaded = identify(memory, images)
            self.info = PythonInfo(".".join(map(str, version)), free_threaded=free_threaded)
            reader = PythonReader(memory, images, tids)
            self.info = replace(self.info, threads_ever=reader.threads_ever)
            if reader.unknown_states:
                reason = f"CPython {self.info.version} does not record in which thread"
                self.miss("code that runs in sub-interpreters", reason)
        return reader

    def find_python(self, memory: Memory, images: Images) -> None:
        """Find its interpreter, and read no more of it."""
        with self._telling():
            locate(memory, images)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Tell why the interpreter cannot be read, if that fails."""
        try:
            yield
        except NotPythonError:
            self._no_python(_NATIVE_ONLY, _NO_INTERPRETER)
        except UnknownVersionError as error:
            self.note(Source.CPYTHON, f"{error}: locks and the GIL are not read")
            self.miss(_PYTHON, str(error))
        except LayoutError as error:
            self._no_python(f"{error}: locks and the GIL are not read", Gap(_PYTHON, str(error)))
        except DamagedDataError as error:
            reason = f"the interpreter's memory cannot be followed: {error}"
            self._no_python(reason, Gap(_PYTHON, clean(reason, 200)))
        except BudgetSpentError:
            pass  # the bound is noted, and makes the process incomplete

    def _no_python(self, message: str, gap: Gap) -> None:
        """Say that no interpreter is read; one that is just about to start will be, a moment on."""
        pid, fix = self._pid, None
        age_s = life.age_s(pid) if self._live else None
        if age_s is not None and age_s < _YOUNG_S and is_python(pid):
            young = f"started {age_s:.1f} s ago, it may not have made its interpreter ready yet"
            message = f"{message}: {young}"
            fix = f"hangtui dump {pid}   (looks again)"
            gap = Gap(_PYTHON, f"{gap.reason}: {young}", fix)
        self.note(Source.CPYTHON, message, fix)
        self.gaps.append(gap)


def without_interpreter(process: Process) -> Process:
    """*process*, which is none that should have an interpreter: a shell, a server in C."""
    return replace(process, gaps=tuple(gap for gap in process.gaps if gap != _NO_INTERPRETER))


def is_plain(notice: Notice) -> bool:
    """Whether it tells of such a process no more than that it is one."""
    return notice.message == _NATIVE_ONLY
