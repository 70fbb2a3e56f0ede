"""The signals of the kernel that a thread waits for, in words, and whether only those send them who
know of it."""

from hangtui.findings.english import either
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.model import Process, Thread

_AGREED = frozenset({"SIGUSR1", "SIGUSR2", "SIGCHLD"})
_REAL_TIME = ("SIGRT", "signal ")
_ANY = ("pause", "rt_sigsuspend")
"""System calls that every signal with a handler ends."""
_OF_CHILDREN, _OF_THE_KEYBOARD = "SIGCHLD", frozenset({"SIGINT"})


def for_signals(thread: Thread) -> str:
    """`` for SIGTERM or SIGINT``, the signals that it waits for; empty: none that are known."""
    names = thread.syscall.signals if thread.syscall else ()
    if len(names) > NAMES_LISTED:
        return f" for any of {len(names)} signals"
    return f" for {either(names)}" if names else ""


def sent_by_whom(thread: Thread, process: Process) -> str:
    """`` Somebody has to send SIGUSR1 to process 12. ...``, of one that waits for signals alone,
    and that the program's own handler may take it instead; empty: it waits for none."""
    call = thread.syscall
    if owed_by_no_child(thread, process):
        return (
            f" The program has a handler for {_OF_CHILDREN} alone, and process {process.pid} has "
            "no child left whose end could send it: only somebody outside could end that. A "
            "signal that came before the wait began does not end it."
        )
    if call is None or not call.signals or len(call.signals) > NAMES_LISTED:
        return ""
    handled = (process.around.handles_signals if process.around else None) or ()
    both = [name for name in call.signals if name in handled]
    taken = (
        f" The program has a handler for {either(both)}, too: what is sent to the process, or to "
        "another thread, is taken by that wherever a thread does not block it."
        if both
        else ""
    )
    return f" Somebody has to send {either(call.signals)} to process {process.pid}.{taken}"


def awaits_agreed(thread: Thread) -> bool:
    """Whether it waits, without a timeout, for signals alone that tell of a child, or that nobody
    sends who does not know the program."""
    call = thread.syscall
    if call is None or not call.signals or call.timed or not thread.asleep:
        return False
    return all(one in _AGREED or one.startswith(_REAL_TIME) for one in call.signals)


def owed_by_no_child(thread: Thread, process: Process) -> bool:
    """Whether the only thread of a process waits for any signal, while the program handles none
    but that of a child's end, and no child is left: the last one's may have come too early."""
    call, around = thread.syscall, process.around
    if call is None or call.name not in _ANY or not thread.asleep or around is None:
        return False
    handled = set(around.handles_signals or ()) - _OF_THE_KEYBOARD
    return handled == {_OF_CHILDREN} and around.children == () and len(process.threads) == 1
