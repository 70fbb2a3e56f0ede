"""Numbers of processes and threads, also where a capture holds several machines.

The kernel's numbers tell processes apart on one machine, or in one container, only. A capture of
several has a `HostPid` wherever one of a single machine has the kernel's number: an integer that no
other host's has, and that is shown as ``4812@node-17``.
"""

from binascii import crc32
from functools import lru_cache
from typing import Annotated, Any, Self

PID_BITS = 22
"""The kernel gives no larger numbers: PID_MAX_LIMIT, include/linux/threads.h, 6.12."""

NUMBER = "number of a process or thread"
Pid = Annotated[int, NUMBER]
"""A field that holds such a number."""


class HostPid(int):
    """The number of a process or thread on a named host."""

    host: str

    @classmethod
    def of(cls, number: int, host: str) -> Self:
        """The process or thread *number* of *host*."""
        made = cls(host_number(host) << PID_BITS | number)
        made.host = host
        return made

    @property
    def own(self) -> int:
        """What its own machine calls it."""
        return self & (1 << PID_BITS) - 1

    def __str__(self) -> str:
        return f"{self.own}@{self.host}"

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return HostPid.of, (self.own, self.host)


@lru_cache(maxsize=2**14)
def host_number(host: str) -> int:
    """What tells the numbers of *host* from those of others: 31 bits, so that with a PID's they are
    exact in every reader of JSON."""
    return crc32(host.encode()) >> 1 or 1


def on(number: int, host: str) -> int:
    """*number* as one of *host*; the same if it has one already, or is no process's."""
    if isinstance(number, HostPid) or not host or not 0 < number < 1 << PID_BITS:
        return number
    return HostPid.of(number, host)


def own(number: int) -> int:
    """What the machine of a process or thread calls it."""
    return number.own if isinstance(number, HostPid) else number


def host_of(number: int) -> str:
    """The host of a process or thread; empty: the capture's own."""
    return number.host if isinstance(number, HostPid) else ""
