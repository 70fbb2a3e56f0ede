"""Which processes have what open: one pass over ``/proc/*/fd``, taken when it is first needed."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from hangtui.backends.procfile import PROC, numbers, text

_SHARED = ("pipe:[", "socket:[", "/")
"""What two processes can have open together, and one can wait for the other on."""
_READ_ONLY, _WRITE_ONLY, _ACCESS = 0, 1, 3


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

    def __init__(self) -> None:
        self.unreadable: set[int] = set()
        """Processes whose descriptors we may not see."""

    def link(self, pid: int, fd: int) -> str | None:
        """What a descriptor refers to, in the kernel's words; None: not open, or not ours to see.

        It is raw text from a target: clean it before it is shown.
        """
        try:
            return os.readlink(f"{PROC}/{pid}/fd/{fd}")
        except OSError:
            return None

    def info(self, pid: int, fd: int) -> DescriptorInfo:
        """Details of a descriptor; empty where they cannot be read."""
        try:
            content = text(PROC / str(pid) / "fdinfo" / str(fd)) or ""
        except OSError:
            content = ""
        pairs = (line.partition(":") for line in content.splitlines())
        return DescriptorInfo(tuple((key.strip(), value.strip()) for key, _, value in pairs))

    def holders(self, link: str) -> Mapping[int, tuple[int, ...]]:
        """The processes that have *link* open, each with its descriptors."""
        return self._by_link.get(link, {})

    def files(self) -> Iterator[tuple[int, int]]:
        """Process and number of every descriptor on something that has a path."""
        for link, holders in self._by_link.items():
            if link.startswith("/"):
                yield from ((pid, fd) for pid, fds in holders.items() for fd in fds)

    @cached_property
    def _by_link(self) -> dict[str, dict[int, tuple[int, ...]]]:
        found: dict[str, dict[int, tuple[int, ...]]] = {}
        for pid in numbers(PROC):
            for fd, link in self._open_in(pid):
                of_link = found.setdefault(link, {})
                of_link[pid] = (*of_link.get(pid, ()), fd)
        return found

    def _open_in(self, pid: int) -> Iterator[tuple[int, str]]:
        folder = f"{PROC}/{pid}/fd"
        try:
            fds = os.listdir(folder)
        except PermissionError:
            self.unreadable.add(pid)
            return
        except OSError:  # it ended meanwhile
            return
        for fd in fds:
            try:
                link = os.readlink(f"{folder}/{fd}")
            except OSError:
                continue
            if link.startswith(_SHARED):
                yield int(fd), link
