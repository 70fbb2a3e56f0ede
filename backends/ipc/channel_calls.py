"""What a system call waits for, by its name and arguments."""

from enum import StrEnum

from hangtui.backends.procfs.syscalls import signed
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.dataclass import dataclass

POLLS = frozenset({"poll", "ppoll"})
SELECTS = frozenset({"select", "pselect6"})
EPOLLS = frozenset({"epoll_wait", "epoll_pwait", "epoll_pwait2"})
ACCEPTS = frozenset({"accept", "accept4"})
OPENS = frozenset({"open", "openat"})
SLEEPS = frozenset({"nanosleep", "clock_nanosleep"})
_READS = frozenset({"read", "readv", "recvfrom", "recvmsg", "splice", "recvmmsg"})
_WRITES = frozenset({"write", "writev", "sendfile", "sendto", "sendmsg", "sendmmsg"})
_RECVMMSG_TIMEOUT = 4


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
    call, arguments = where.call, where.arguments
    if call in _READS:
        expires = call == "recvmmsg" and arguments[_RECVMMSG_TIMEOUT] != 0
        return Demand(signed(arguments[0]), Access.READ, call, expires)
    if call in _WRITES:
        return Demand(signed(arguments[0]), Access.WRITE, call)
    return None
