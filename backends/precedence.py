"""How soon hangtui gets a processor where others have taken them all.

Whoever is called to a node whose workers spin must not wait in the same queue as they do: so what
takes captures, and the screens where processors are short, raise their own priority as far as they
may, and leave the session of those who started them, among whom the kernel may divide the
processors (sched(7), "The autogroup feature"). Where a user has lowered its priority on purpose, it
stays low.
"""

import contextlib
import os
import resource
import signal
from typing import NoReturn

_HIGHEST = -20
_NICE_BASE = 20
"""RLIMIT_NICE counts from here (setrlimit(2))."""
FIX = "sudo, or --cap-add SYS_NICE for a container: hangtui then raises its own priority"
"""What gives a processor sooner."""
_PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGWINCH)


class _Parted:
    """Who stands in the session that this process has left, if it has left one."""

    waiter = 0


_parted = _Parted()


def raise_own() -> None:
    """Raise the priority of this process as far as it may be."""
    if _is_lowered():
        return
    allowed = _NICE_BASE - resource.getrlimit(resource.RLIMIT_NICE)[0]
    for wanted in (_HIGHEST, max(_HIGHEST, allowed)):
        if wanted < os.getpriority(os.PRIO_PROCESS, 0):
            with contextlib.suppress(PermissionError):
                os.setpriority(os.PRIO_PROCESS, 0, wanted)


def is_highest() -> bool:
    """Whether the priority of this process could be raised to the highest."""
    return os.getpriority(os.PRIO_PROCESS, 0) == _HIGHEST


def _is_lowered() -> bool:
    return os.getpriority(os.PRIO_PROCESS, 0) > 0


def is_crowded() -> bool:
    """Whether more threads want a processor than there are: at this moment, or in the last minute,
    since those of engines pause and spin by turns."""
    try:
        with open("/proc/loadavg", "rb") as file:  # noqa: PTH123
            minute, _, _, now, *_ = file.read().split()
        wanting = max(float(minute), int(now.partition(b"/")[0]))
    except (OSError, ValueError):
        return False
    return wanting > len(os.sched_getaffinity(0)) + 1


def leave_session() -> None:
    """Go on in a child with a session of its own, if that brings a processor sooner.

    The kernel gives sessions equal shares, however many threads compute in each. Who started this
    process still has it before him: it hands signals on, and ends as the child ends.
    """
    if _is_lowered() or not (_has_autogroups() and is_crowded()):
        return
    waiter = os.getpid()
    child = os.fork()
    if child:
        _stand_for(child)
    os.setsid()
    _parted.waiter = waiter
    _end_with(waiter)
    favour_session(os.getpid())


def favour_session(leader: int) -> None:
    """Give the session of *leader*, which is ours alone, more of the processors than others get.

    Without it the priority of what runs there counts among its own processes alone.
    """
    if _is_lowered() or not _has_autogroups():
        return
    with contextlib.suppress(OSError), open(f"/proc/{leader}/autogroup", "w") as file:  # noqa: PTH123
        file.write(str(_HIGHEST))


def _end_with(waiter: int) -> None:
    """Have this process ended when *waiter* is."""
    from hangtui.backends.linux import die_with_parent

    if not die_with_parent(waiter, signal.SIGTERM):
        os._exit(128 + signal.SIGTERM)


def waiter() -> int:
    """The PID of the process that stands for this one in the session that it left; 0: none."""
    return _parted.waiter


def _has_autogroups() -> bool:
    """Whether this process is in a group that the kernel made of its session. In a cgroup of its
    own, as in a container, that file is there as well, and leaving gains nothing."""
    try:
        with open("/proc/sys/kernel/sched_autogroup_enabled", "rb") as file:  # noqa: PTH123
            return file.read().strip() == b"1"
    except OSError:
        return False


def _stand_for(child: int) -> NoReturn:
    """Hand signals on to *child*, rest while it rests, and end as it does."""

    def hand_on(number: int, _frame: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, number)

    def rest(_number: int, _frame: object) -> None:
        hand_on(signal.SIGSTOP, None)
        os.kill(os.getpid(), signal.SIGSTOP)
        hand_on(signal.SIGCONT, None)

    for number in _PASSED_ON:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, hand_on)
    signal.signal(signal.SIGTSTP, rest)
    while os.WIFSTOPPED(status := os.waitpid(child, os.WUNTRACED)[1]):
        # It stopped itself, as screens do by Ctrl+Z: the shell looks at this process alone.
        os.kill(os.getpid(), signal.SIGSTOP)
        hand_on(signal.SIGCONT, None)
    if os.WIFSIGNALED(status):
        cause = os.WTERMSIG(status)
        with contextlib.suppress(OSError):
            signal.signal(cause, signal.SIG_DFL)
        os.kill(os.getpid(), cause)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def queued_s() -> float:
    """How long this process has waited for a processor so far, in seconds; 0.0: nobody tells."""
    try:
        with open("/proc/self/schedstat", "rb") as file:  # noqa: PTH123
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
