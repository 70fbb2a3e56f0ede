"""What a system call waits for, by its number and arguments: on x86-64."""

from enum import StrEnum

from hangtui.backends.procfs.syscalls import signed
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.dataclass import dataclass

SYS_POLL, SYS_PPOLL, SYS_SELECT, SYS_PSELECT = 7, 271, 23, 270
SYS_EPOLL_WAIT, SYS_EPOLL_PWAIT, SYS_EPOLL_PWAIT2 = 232, 281, 441
SYS_WAIT4, SYS_WAITID = 61, 247
SYS_CLONE, SYS_VFORK, SYS_CLONE3 = 56, 58, 435
SYS_ACCEPT, SYS_ACCEPT4, SYS_CONNECT = 43, 288, 42
SYS_FCNTL, SYS_FLOCK = 72, 73
SYS_OPEN, SYS_OPENAT = 2, 257
SYS_SEMOP, SYS_SEMTIMEDOP = 65, 220
"""asm/unistd_64.h, as all numbers here."""

_READS = {0: "read", 19: "readv", 45: "recvfrom", 47: "recvmsg", 275: "splice", 299: "recvmmsg"}
_WRITES = {1: "write", 20: "writev", 40: "sendfile", 44: "sendto", 46: "sendmsg", 307: "sendmmsg"}
_SYS_RECVMMSG, _RECVMMSG_TIMEOUT = 299, 4


class Access(StrEnum):
    """What a thread wants of a descriptor."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class Demand:
    """A thread waits until it can read from a descriptor or write to it."""

    fd: int
    access: Access
    call: str
    """The system call's name."""
    expires: bool = False
    polled: bool = False
    """It only asks whether it could (poll, select, epoll): the life of an event loop."""
    choices: int = 1
    """How many things it waits for at once, of which this is one; any of them wakes it."""
    unsure: bool = False
    """Whether it gives up by itself cannot be seen."""
    edge: bool = False
    """Only what comes from now on wakes it: epoll was asked to tell of changes."""

    @property
    def said(self) -> str:
        """``poll(2) on fd 4``."""
        others = f" (one of {self.choices} ways on)" if self.choices > 1 else ""
        return f"{self.call}(2) on fd {self.fd}{others}"


def transfer(where: BlockedThread) -> Demand | None:
    """The demand of a call that itself reads or writes."""
    number, arguments = where.number, where.arguments
    if number in _READS:
        expires = number == _SYS_RECVMMSG and arguments[_RECVMMSG_TIMEOUT] != 0
        return Demand(signed(arguments[0]), Access.READ, _READS[number], expires)
    if number in _WRITES:
        return Demand(signed(arguments[0]), Access.WRITE, _WRITES[number])
    return None
