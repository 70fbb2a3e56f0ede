"""The requests of ptrace(2) that waiting for a fatal signal takes."""

import ctypes
import os
import struct

from hangtui.backends.arch import of_kernel
from hangtui.backends.ptrace import requests
from hangtui.backends.ptrace.stopped_threads import SIGNAL_INFO_SIZE, SignalInfo

_OPTIONS = 0x2 | 0x4 | 0x8 | 0x10
"""PTRACE_O_TRACEFORK, TRACEVFORK, TRACECLONE, TRACEEXEC: threads and children are followed."""


def _request(number: int, tid: int, address: int | None, data: int | None) -> None:
    if requests.call(number, tid, address, data) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def seize(tid: int) -> None:
    """Become a thread's tracer, and that of the threads and children it starts.

    Raises:
        OSError: it is gone, traced by somebody else, or may not be traced.
    """
    _request(requests.SEIZE, tid, None, _OPTIONS)


def go_on(tid: int, signal: int = 0) -> None:
    """Let a stopped thread run, with a signal.

    Raises:
        OSError: it is gone.
    """
    _request(requests.CONT, tid, None, signal)


def listen(tid: int) -> None:
    """Leave a thread stopped that was stopped by job control, until SIGCONT comes.

    Raises:
        OSError: it is gone.
    """
    _request(requests.LISTEN, tid, None, None)


def interrupt(tid: int) -> None:
    """Ask a seized thread to stop.

    Raises:
        OSError: it is gone.
    """
    _request(requests.INTERRUPT, tid, None, None)


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
    _request(requests.GETSIGINFO, tid, None, ctypes.addressof(buffer))
    return buffer.raw


def registers(tid: int) -> tuple[int, ...]:
    """``user_regs_struct`` of a stopped thread.

    Raises:
        OSError: it is gone.
    """
    buffer = ctypes.create_string_buffer(requests.REGISTERS_SIZE)
    vector = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), requests.REGISTERS_SIZE)
    _request(requests.GETREGSET, tid, requests.NT_PRSTATUS, ctypes.addressof(vector))
    return struct.unpack(of_kernel().registers.layout, buffer.raw)
