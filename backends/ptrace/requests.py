"""ptrace(2) as such: its requests, and the call, for those who stop threads or follow them.

By ctypes and little else, since the guard, which stops them, must start within milliseconds. A
thread is seized, not attached to: no signal is sent for it, nothing stops, and when the tracer dies
the kernel lets the thread run on.
"""

import ctypes

from hangtui.backends.arch import of_kernel

CONT, DETACH = 7, 17
GETSIGINFO, GETREGSET = 0x4202, 0x4204
SEIZE, INTERRUPT, LISTEN = 0x4206, 0x4207, 0x4208
EVENT_STOP = 128
"""PTRACE_EVENT_STOP, linux/ptrace.h: the stop of an interrupt, of a new thread, or of the whole
process."""
WALL = 0x40000000
"""__WALL, linux/wait.h: also threads."""
NT_PRSTATUS, NT_ARM_TLS = 1, 0x401
"""linux/elf.h."""
REGISTERS_SIZE = of_kernel().registers.size
"""Bytes of all registers of a thread."""

libc = ctypes.CDLL(None, use_errno=True)
call = libc.ptrace
call.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
call.restype = ctypes.c_long
