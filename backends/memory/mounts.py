"""Who answers for the contents of a mapped file: the kernel, memory, or somebody's own program.

A page of a file on a FUSE file system is read by asking a program, which belongs to whoever mounted
it and need not answer. Reading the kernel's list of mounts asks nobody.
"""

import functools
import os
import re
from enum import Enum
from pathlib import Path

from hangtui.backends.door.mounts import is_fuse

_LINE = re.compile(rb"^\S+ \S+ (\d+):(\d+) .* - (\S+)", re.MULTILINE)
"""Device and type of a line of mountinfo, proc_pid_mountinfo(5)."""
_MOST = 16 << 20
"""Bytes of a list that are looked at: the kernel allows 100,000 mounts (fs.mount-max)."""
_IN_MEMORY = frozenset({"tmpfs", "devtmpfs", "ramfs", "hugetlbfs", "rootfs"})


class Source(Enum):
    """Where the pages of a mapping come from."""

    KERNEL = "a file system of the kernel's own: it answers"
    MEMORY = "memory that processes share: there are no pages to be waited for but userfaultfd's"
    STRANGER = "a program that may never answer, or nobody knows who"


class Mounts:
    """The file systems that we and one process see."""

    def __init__(self, pid: int) -> None:
        self._ours, self._its = _types("self"), _types(str(pid))

    def source(self, device: str) -> Source:
        """Who serves the files of a device, given as in ``/proc/PID/maps``: ``fd:01``."""
        ours, its = self._ours.get(device, set()), self._its.get(device, set())
        types = ours | its
        if any(is_fuse(name) for name in types):
            return Source.STRANGER
        if types & _IN_MEMORY or device == _shared_memory():
            return Source.MEMORY
        if "overlay" in its - ours and any(map(is_fuse, set().union(*self._its.values()))):
            # Whoever has a user namespace may mount one over files that a program serves.
            return Source.STRANGER
        if types or not device.startswith("00:"):
            return Source.KERNEL
        return Source.STRANGER  # it is mounted nowhere any more


def _types(who: str) -> dict[str, set[str]]:
    """The types of the file systems that a process sees, by device."""
    found: dict[str, set[str]] = {}
    try:
        with Path(f"/proc/{who}/mountinfo").open("rb") as file:
            lines = file.read(_MOST)
    except OSError:
        return found
    for major, minor, name in _LINE.findall(lines):
        found.setdefault(f"{int(major):02x}:{int(minor):02x}", set()).add(
            name.decode("ascii", "replace")
        )
    return found


@functools.cache
def _shared_memory() -> str:
    """The device that the kernel keeps for memory files, System V and shared anonymous memory."""
    try:
        file = os.memfd_create("hangtui")
    except OSError:
        return ""
    try:
        number = os.fstat(file).st_dev
    finally:
        os.close(file)
    return f"{os.major(number):02x}:{os.minor(number):02x}"
