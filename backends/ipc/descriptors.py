"""Which processes have what open: one pass over ``/proc/*/fd``, taken when it is first needed."""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from hangtui.backends.ipc.channel_calls import Access
from hangtui.backends.ipc.deputy import Deputy
from hangtui.backends.procfs.files import PROC, numbers, touch
from hangtui.dataclass import dataclass

_SHARED = ("pipe:[", "socket:[", "anon_inode:[eventfd]", "/")
"""What two processes can have open together, and one can wait for the other on."""
_READ_ONLY, _WRITE_ONLY, _ACCESS = 0, 1, 3
MOST_OF_ONE, MOST_OF_ALL = 65_536, 100_000
"""Open files of one process, and of all together, that are looked at: up to 10 microseconds each.
Those with the fewest come first, so that nobody who has many keeps the others from being seen."""
_RECEIVE_TIMEOUT, _SEND_TIMEOUT = 20, 21
"""SO_RCVTIMEO and SO_SNDTIMEO, asm-generic/socket.h."""
_NAMES_MOST = 4096
"""Open files of one process whose names are all asked for at once."""
_LOCKERS_MOST = 50_000
"""Open files of all processes together that are asked for locks: some 10 microseconds each."""


@dataclass(frozen=True, slots=True)
class DescriptorInfo:
    """One ``/proc/PID/fdinfo/FD``."""

    lines: tuple[tuple[str, str], ...]
    """Keys can be there several times: one ``lock`` or ``tfd`` line each."""

    def values(self, key: str) -> list[str]:
        """What all lines of this key say."""
        return [value for name, value in self.lines if name == key]

    @property
    def _access(self) -> int:
        flags = self.values("flags")
        return int(flags[0], 8) & _ACCESS if flags else 2

    @property
    def reads(self) -> bool:
        """Whether it was opened for reading."""
        return self._access != _WRITE_ONLY

    @property
    def writes(self) -> bool:
        """Whether it was opened for writing."""
        return self._access != _READ_ONLY


class Descriptors:
    """The open files of all processes that we may look into."""

    def __init__(self, deputy: Deputy | None = None) -> None:
        self._deputy = deputy or Deputy()
        self._details: dict[tuple[int, int], DescriptorInfo] = {}
        self.unreadable: set[int] = set()
        """Processes whose descriptors we may not see."""
        self._took_s = 0.0
        self.uncounted: set[int] = set()
        """Processes with too many descriptors: what they have open is not known."""

    def close(self) -> None:
        """End the process that asks; whoever asks on gets another one."""
        self._deputy.close()

    def link(self, pid: int, fd: int) -> str | None:
        """What a descriptor refers to, in the kernel's words; None: not open, or not ours to see.

        It is raw text from a target: clean it before it is shown.
        """
        try:
            touch(PROC / str(pid) / "fd")
            return os.readlink(f"{PROC}/{pid}/fd/{fd}")
        except OSError:
            return None

    def info(self, pid: int, fd: int) -> DescriptorInfo:
        """Details of a descriptor, as they were when first asked for; empty where they cannot be
        read, cut off where they are long."""
        known = self._details.get((pid, fd))
        if known is None:
            content = self._deputy.details(pid, fd)
            pairs = (line.partition(":") for line in content.splitlines())
            known = DescriptorInfo(tuple((key.strip(), value.strip()) for key, _, value in pairs))
            self._details[pid, fd] = known
        return known

    def status(self, pid: int, fd: int) -> tuple[int, int, int] | None:
        """Mode, device and inode of what is open; None: it cannot be seen."""
        return self._deputy.status(pid, fd)

    def has_timeout(self, pid: int, fd: int, access: Access) -> bool | None:
        """Whether receiving from a socket, or sending to it, has a timeout; None: it cannot be
        seen."""
        option = _RECEIVE_TIMEOUT if access is Access.READ else _SEND_TIMEOUT
        return self._deputy.has_timeout(pid, fd, option)

    def nature(self, pid: int, fd: int) -> tuple[int, int, bool, str | None] | None:
        """What kind of socket it is, see `timeouts.nature`; None: it cannot be seen."""
        return self._deputy.nature(pid, fd)

    def holders(self, link: str) -> Mapping[int, Sequence[int]]:
        """The processes that have *link* open, each with its descriptors."""
        return self._by_link.get(link, {})

    def locks(self) -> Iterator[tuple[int, int, str]]:
        """Process, number and ``lock`` line of every descriptor that has a lock.

        Those who have too many files or locks for it become `uncounted`.
        """
        files: dict[int, list[int]] = {}
        for link, holders in self._by_link.items():
            if link.startswith("/"):
                for pid, fds in holders.items():
                    files.setdefault(pid, []).extend(fds)
        asked = 0
        for pid, fds in sorted(files.items(), key=lambda one: len(one[1])):
            asked += len(fds)
            found = self._deputy.locks(pid, fds) if asked <= _LOCKERS_MOST else None
            if found is None:
                self.uncounted.add(pid)
            yield from ((pid, fd, line) for fd, line in found or ())

    def take_time(self) -> float:
        """What passes over all processes have cost since it was asked last, in seconds."""
        took, self._took_s = self._took_s, 0.0
        return took

    @cached_property
    def _by_link(self) -> dict[str, dict[int, list[int]]]:
        begun = time.thread_time()
        found: dict[str, dict[int, list[int]]] = {}
        counts = ((self._count(pid), pid) for pid in numbers(PROC))
        total = 0
        for count, pid in sorted(pair for pair in counts if pair[0]):
            total += count
            if count > MOST_OF_ONE or total > MOST_OF_ALL:
                self.uncounted.add(pid)
                continue
            for fd, link in self.open_in(pid):
                found.setdefault(link, {}).setdefault(pid, []).append(fd)
        self._took_s += time.thread_time() - begun
        return found

    def _count(self, pid: int) -> int:
        """How many files a process has open; 0: none that we may see."""
        try:
            touch(PROC / str(pid) / "fd")
            with os.scandir(f"{PROC}/{pid}/fd") as entries:
                # Since Linux 6.2 the folder's size tells, without a look at each of them.
                size = Path(f"{PROC}/{pid}/fd").stat().st_size
                return size or sum(1 for _, _ in zip(range(MOST_OF_ONE + 1), entries, strict=False))
        except PermissionError:
            self.unreadable.add(pid)
        except OSError:  # it ended meanwhile
            pass
        return 0

    @staticmethod
    def names(pid: int) -> list[str] | None:
        """What all that a process has open is called, in the kernel's words; None: that cannot be
        seen."""
        folder = f"{PROC}/{pid}/fd"
        try:
            touch(Path(folder))
            with os.scandir(folder) as entries:
                numbers = [
                    entry.name for entry, _ in zip(entries, range(_NAMES_MOST), strict=False)
                ]
        except OSError:  # it ended, or is not ours to see
            return None
        names = []
        for number in numbers:
            with suppress(OSError):  # it closed that meanwhile
                names.append(os.readlink(f"{folder}/{number}"))
        return names if len(numbers) < _NAMES_MOST else None

    @staticmethod
    def open_in(pid: int) -> Iterator[tuple[int, str]]:
        """What a process has open that others can have as well, by its numbers."""
        folder = f"{PROC}/{pid}/fd"
        try:
            touch(Path(folder))
            with os.scandir(folder) as entries:
                # It may have opened more of them since they were counted.
                for entry, _ in zip(entries, range(MOST_OF_ONE + 1), strict=False):
                    try:
                        link = os.readlink(f"{folder}/{entry.name}")
                    except OSError:
                        continue
                    if link.startswith(_SHARED):
                        yield int(entry.name), link
        except OSError:  # it ended meanwhile
            return
