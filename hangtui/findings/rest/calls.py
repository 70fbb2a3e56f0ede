"""What the system call of a thread says of who or what ends it."""

from hangtui.model import Thread

SIGNAL_CALLS = ("pause", "rt_sigsuspend", "rt_sigtimedwait", "sigwait")
"""System calls that a signal ends."""


def sleeps(thread: Thread) -> bool:
    """Whether the kernel says that the clock, a connection or a signal ends its call."""
    call = thread.syscall
    return call is not None and (call.sleeps or call.name in SIGNAL_CALLS or from_outside(thread))


def hears(thread: Thread) -> bool:
    """Whether a connection or a signal ends its call."""
    return from_outside(thread) and not (thread.syscall and thread.syscall.sleeps)


def from_outside(thread: Thread) -> bool:
    """Whether it waits for connections, or by the clock alone."""
    call = thread.syscall
    if call is None:
        return False
    polls = call.name.startswith(("poll", "ppoll", "select", "pselect", "epoll", "accept", "recv"))
    return polls or call.sleeps or call.name in SIGNAL_CALLS
