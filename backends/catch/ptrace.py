"""The requests of ptrace(2) that waiting for a fatal signal takes.

Threads are seized, not attached to: no signal is sent for it, nothing stops, and when we die the
kernel lets them run on.
"""

import ctypes
import os
import struct

from hangtui.backends.frozen import SIGNAL_INFO_SIZE, SignalInfo

_CONT, _SEIZE, _INTERRUPT, _LISTEN = 7, 0x4206, 0x4207, 0x4208
_GETSIGINFO, _GETREGSET = 0x4202, 0x4204
_OPTIONS = 0x2 | 0x4 | 0x8 | 0x10
"""PTRACE_O_TRACEFORK, TRACEVFORK, TRACECLONE, TRACEEXEC: threads and children are followed."""
EVENT_STOP = 128
"""PTRACE_EVENT_STOP: the stop of an interrupt, of a new thread, or of the whole process."""
WALL = 0x40000000
"""__WALL, linux/wait.h: also threads."""
_NT_PRSTATUS = 1
_REGISTERS_SIZE = 27 * 8
_libc = ctypes.CDLL(None, use_errno=True)
_ptrace = _libc.ptrace
_ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_ptrace.restype = ctypes.c_long


def _request(number: int, tid: int, address: int | None, data: int | None) -> None:
    if _ptrace(number, tid, address, data) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def seize(tid: int) -> None:
    """Become a thread's tracer, and that of the threads and children it starts.

    Raises:
        OSError: it is gone, traced by somebody else, or may not be traced.
    """
    _request(_SEIZE, tid, None, _OPTIONS)


def go_on(tid: int, signal: int = 0) -> None:
    """Let a stopped thread run, with a signal.

    Raises:
        OSError: it is gone.
    """
    _request(_CONT, tid, None, signal)


def listen(tid: int) -> None:
    """Leave a thread stopped that was stopped by job control, until SIGCONT comes.

    Raises:
        OSError: it is gone.
    """
    _request(_LISTEN, tid, None, None)


def interrupt(tid: int) -> None:
    """Ask a seized thread to stop.

    Raises:
        OSError: it is gone.
    """
    _request(_INTERRUPT, tid, None, None)


def signal_info(tid: int) -> SignalInfo:
    """The signal that a stopped thread is about to get.

    Raises:
        OSError: it is gone.
    """
    return SignalInfo.parse(raw_signal_info(tid))


def raw_signal_info(tid: int) -> bytes:
    """The ``siginfo_t`` of the signal that a stopped thread is about to get.

    Raises:
        OSError: it is gone.
    """
    buffer = ctypes.create_string_buffer(SIGNAL_INFO_SIZE)
    _request(_GETSIGINFO, tid, None, ctypes.addressof(buffer))
    return buffer.raw


def registers(tid: int) -> tuple[int, ...]:
    """``user_regs_struct`` of a stopped thread.

    Raises:
        OSError: it is gone.
    """
    buffer = ctypes.create_string_buffer(_REGISTERS_SIZE)
    vector = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), _REGISTERS_SIZE)
    _request(_GETREGSET, tid, _NT_PRSTATUS, ctypes.addressof(vector))
    return struct.unpack("<27Q", buffer.raw)
