"""What the kernel fixes, as the size of a page and its signals, and a system call that Python
lacks."""

import os
from collections.abc import Iterator

PAGE = os.sysconf("SC_PAGE_SIZE")
"""Bytes of a page of this kernel (4, 16 or 64 KiB): of memory, of ``/proc/PID/pagemap``, and of
what ``statm`` counts."""
PATH_MAX = 4096
"""Bytes of a path that a system call takes, with the NUL at its end (linux/limits.h)."""
_PR_SET_PDEATHSIG = 1
"""linux/prctl.h"""


def signals_in(mask: int) -> Iterator[int]:
    """The numbers of the signals in a set of the kernel's (``sigset_t``)."""
    return (number for number in range(1, 65) if mask >> (number - 1) & 1)


def signal_name(number: int) -> str:
    """``SIGTERM``, ``signal 37``."""
    import signal

    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def die_with_parent(parent: int, signal: int) -> bool:
    """Have the kernel send *signal* when the thread ends that started this process.

    Returns:
        False: *parent* has ended already, so that no signal comes.
    """
    import ctypes  # 10 ms that nobody pays for the size of a page

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal, 0, 0, 0)
    return os.getppid() == parent
