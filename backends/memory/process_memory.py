"""The memory of a process that runs, read without stopping it."""

import errno
import os
from contextlib import ExitStack
from typing import BinaryIO

from hangtui.backends import heartbeat
from hangtui.backends.door import Root, SpentError
from hangtui.backends.limits import ASKED, Limits, Spending
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.mappings import Mapping, read_mappings
from hangtui.backends.memory.presence import Presence
from hangtui.backends.memory.reader import MAX_ADDRESS, MAX_READ, Memory
from hangtui.backends.procfs.life import GoneError
from hangtui.model import TargetError


class ProcessMemory(Memory):
    """The memory of a process that runs, from ``/proc/PID/mem``.

    Raises:
        TargetError: the process is gone or its memory may not be read.
    """

    def __init__(self, pid: int, limits: Limits = ASKED) -> None:
        spent = Spending(limits)
        with ExitStack() as opened:
            self._root = Root.of_process(pid)
            opened.callback(self._root.close)
            self._file = _open_memory(pid)
            opened.callback(os.close, self._file)
            self._root.settle()
            super().__init__(pid, read_mappings(pid, spent), spent)
            self._presence = Presence(pid, self.mappings)
            opened.callback(self._presence.close)
            self._opened = opened.pop_all()

    @property
    def root(self) -> Root:
        """The process's own root."""
        return self._root

    @property
    def is_live(self) -> bool:
        """See ``Memory.is_live``."""
        return not self.is_gone

    def close(self) -> None:
        """Let go of the process."""
        self._opened.close()

    @property
    def held_back(self) -> bool:
        """Whether something was not read since somebody would have to deliver it first."""
        return self._presence.held_back

    @property
    def is_gone(self) -> bool:
        """Whether the program that was opened is no more: it ended, or became another one."""
        return self._presence.is_gone

    def fresh(self, address: int, size: int) -> bytes:
        """*size* bytes as they are now; none that somebody would have to deliver first."""
        if not 0 <= address < MAX_ADDRESS - MAX_READ or not 0 <= size <= MAX_READ:
            raise MemoryReadError(f"{size} bytes at {address:#x}")
        self.spent.fetch(size)
        heartbeat.reading(self.pid)
        if self._presence.may_wait(address, size):
            raise MemoryReadError(f"{size} bytes at {address:#x}, which are not there")
        try:
            data = os.pread(self._file, size, address)
        except OSError as error:
            raise MemoryReadError(f"{size} bytes at {address:#x}") from error
        if len(data) != size:
            raise MemoryReadError(f"{size} bytes at {address:#x}")
        return data

    def open_mapped(self, first: Mapping) -> BinaryIO:
        """The file itself, also when it lies in another mount namespace or was deleted."""
        if self._presence.waits_for_stranger(first):
            raise OSError(errno.EIO, "its file system is a program's, which may not answer")
        try:
            return self._root.open_mapped(self.pid, first.start, first.end)
        except SpentError:
            raise
        except OSError:
            return self.open_file(first.path)

    def open_file(self, path: str) -> BinaryIO:
        """The file at *path* in the process's own root."""
        return self._root.open_file(path)


def _open_memory(pid: int) -> int:
    try:
        return os.open(f"/proc/{pid}/mem", os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, ProcessLookupError) as error:
        raise GoneError(f"process {pid} is gone") from error
    except PermissionError as error:
        raise TargetError(f"the memory of process {pid} may not be read") from error
