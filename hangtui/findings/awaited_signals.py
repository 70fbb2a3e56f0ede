"""The signals of the kernel that a thread waits for, in words, and whether only those send them who
know of it."""

from hangtui.findings.english import either
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.model import Thread

_AGREED = frozenset({"SIGUSR1", "SIGUSR2", "SIGCHLD"})
_REAL_TIME = ("SIGRT", "signal ")


def for_signals(thread: Thread) -> str:
    """`` for SIGTERM or SIGINT``, the signals that it waits for; empty: none that are known."""
    names = thread.syscall.signals if thread.syscall else ()
    if len(names) > NAMES_LISTED:
        return f" for any of {len(names)} signals"
    return f" for {either(names)}" if names else ""


def awaits_agreed(thread: Thread) -> bool:
    """Whether it waits, without a timeout, for signals alone that tell of a child, or that nobody
    sends who does not know the program."""
    call = thread.syscall
    if call is None or not call.signals or call.timed or not thread.asleep:
        return False
    return all(one in _AGREED or one.startswith(_REAL_TIME) for one in call.signals)
