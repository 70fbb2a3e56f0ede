"""What a sitting is about: a live process or a core file, its memory and its threads."""

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path

from hangtui.backends.coredump.elfcore import CoreThread, parse
from hangtui.backends.coredump.memory import CoreMemory
from hangtui.backends.coredump.opened import open_core
from hangtui.backends.door import Root
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.memory.reader import Memory
from hangtui.backends.procfs import thread_syscall
from hangtui.backends.procfs.files import PROC, numbers, status_of, text
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.backends.ptrace.freezer.client import freeze
from hangtui.backends.ptrace.stopped_threads import FrozenThread
from hangtui.model import TargetError, clean


class Target(ABC):
    """A process as the debugger's questions need it."""

    pid: int
    memory: Memory
    root: str
    """What to put before the paths of its files."""

    @property
    def sources(self) -> Root:
        """Where the text of its source files is found."""
        return self.memory.root

    @property
    @abstractmethod
    def is_live(self) -> bool:
        """Whether it may go on between two questions."""

    @abstractmethod
    def tids(self) -> dict[int, int]:
        """From TIDs as the target counts them to those of the capture."""

    @abstractmethod
    def thread_names(self) -> Mapping[int, str]:
        """What the kernel calls the threads, by TID."""

    @abstractmethod
    def asleep(self, tid: int) -> BlockedThread | None:
        """The system call that a thread sleeps in."""

    @abstractmethod
    def copied(self) -> tuple[Mapping[int, FrozenThread], Mapping[int, BlockedThread], float]:
        """By TID the threads with all their registers, and those that sleep and must not be
        stopped; and for how long the others stood still, in milliseconds.

        Raises:
            TargetError: none could be stopped.
        """

    def close(self) -> None:
        """Let go of it."""
        self.memory.close()


class LiveTarget(Target):
    """A process that runs.

    Raises:
        TargetError: it is gone, or may not be read.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.memory = ProcessMemory(pid)
        self.root = f"/proc/{pid}/root"

    @property
    def is_live(self) -> bool:
        """Yes."""
        return True

    def tids(self) -> dict[int, int]:
        """By the innermost of the TIDs that the kernel lists."""
        result = {}
        for tid in self._tids():
            try:
                inner = status_of(PROC / str(self.pid) / "task" / str(tid)).get("NSpid", str(tid))
                result[int(inner.split()[-1])] = tid
            except (OSError, ValueError):
                continue
        return result

    def thread_names(self) -> Mapping[int, str]:
        """Their ``comm``."""
        return {tid: clean(self._text(tid, "comm").strip(), 60) for tid in self._tids()}

    def asleep(self, tid: int) -> BlockedThread | None:
        """By ``/proc/PID/task/TID/syscall``."""
        return thread_syscall.parse(self._text(tid, "syscall"))

    def copied(self) -> tuple[Mapping[int, FrozenThread], Mapping[int, BlockedThread], float]:
        """By the guard."""
        copied = freeze(self.memory, stack_bytes=0)
        return copied.stopped, copied.untouched, copied.stopped_ms

    def _tids(self) -> list[int]:
        try:
            return numbers(PROC / str(self.pid) / "task")
        except OSError as error:
            raise TargetError(f"process {self.pid} is gone") from error

    def _text(self, tid: int, name: str) -> str:
        try:
            return text(PROC / str(self.pid) / "task" / str(tid) / name) or ""
        except OSError:
            return ""


class CoreTarget(Target):
    """A process that is no more; *root*: where the files of its machine lie, empty: here.

    Raises:
        InputError, OSError: the file is no core, or cannot be read.
    """

    memory: CoreMemory

    def __init__(self, path: Path, root: str = "") -> None:
        self.path = path
        file, size = open_core(path)
        self._core = parse(file, size)
        self.pid = self._core.notes.pid
        self.memory = CoreMemory(self._core, file, root or None)
        self.root = root.rstrip("/")
        self._public = Root.of_everybody("/")
        self._public.fix = "add --sysroot /   (shows what you may read, whatever the core names)"
        self.unpacked = f"/proc/{os.getpid()}/fd/{file.fileno()}"
        """The file as a debugger can read it, also where it is compressed."""
        self._threads: dict[int, CoreThread] = {t.tid: t for t in self._core.notes.threads}

    @property
    def sources(self) -> Root:
        """Where we were told to look; else here, as far as everybody may read the file.

        Who made the core chose the names: it must not show the files of whoever reads it.
        """
        return self.memory.root if self.memory.has_own_root else self._public

    @property
    def is_live(self) -> bool:
        """No."""
        return False

    def tids(self) -> dict[int, int]:
        """A core file knows only one numbering."""
        return {tid: tid for tid in self._threads}

    def thread_names(self) -> Mapping[int, str]:
        """A core file has none."""
        return dict.fromkeys(self._threads, "")

    def asleep(self, tid: int) -> BlockedThread | None:
        """By its registers."""
        where = self._frozen(self._threads[tid]).blocked() if tid in self._threads else None
        return where if where and where.futex else None

    def close(self) -> None:
        """Let go of the file, too."""
        self._public.close()
        super().close()

    def copied(self) -> tuple[Mapping[int, FrozenThread], Mapping[int, BlockedThread], float]:
        """As the kernel wrote them."""
        return {tid: self._frozen(one) for tid, one in self._threads.items()}, {}, 0.0

    def _frozen(self, thread: CoreThread) -> FrozenThread:
        return FrozenThread.of(thread.tid, thread.registers, self._core.arch, self.memory)
