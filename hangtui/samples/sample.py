"""What every sample does first and last: limit its life, let itself be looked at, say it hangs."""

import ctypes
import os
import signal

_PR_SET_PDEATHSIG, _PR_SET_PTRACER, _ANY = 1, 0x59616D61, -1
_LIFE_S = 24 * 3600

signal.alarm(_LIFE_S)
libc = ctypes.CDLL(None)
"""Calls into C that release the GIL."""
keeping = ctypes.PyDLL(None)
"""Calls into C that keep it."""
libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # not longer than `hangtui demo`
libc.prctl(_PR_SET_PTRACER, _ANY)  # where Yama lets only parents look


def ready() -> None:
    """Tell whoever started this sample that it is where it should be."""
    os.write(1, b"ready")
