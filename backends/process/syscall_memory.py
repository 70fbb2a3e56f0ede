"""What a system call was given that a thread sleeps in, where that lies in its memory: the path of
a file, the signals that it waits for."""

from dataclasses import replace

from hangtui.backends.linux import PATH_MAX, signal_name, signals_in
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.procfs.syscalls import path_of
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.model import Syscall, clean

_SET = 8
"""Bytes of the kernel's set of signals."""


def completed(call: Syscall | None, where: BlockedThread | None, memory: Memory) -> Syscall | None:
    """*call* with what it was given, if that can be read; *where*: the thread's own reading, which
    may be of another call by now."""
    if call is None or where is None or where.call != call.name:
        return call
    try:
        if call.name == "rt_sigtimedwait":
            return _with_signals(call, where, memory)
        return _with_path(call, where, memory)
    except MemoryReadError:
        return call


def _with_path(call: Syscall, where: BlockedThread, memory: Memory) -> Syscall:
    address = path_of(call, where.call, where.arguments)
    path = clean(memory.c_string(address, PATH_MAX)) if address else ""
    return replace(call, detail=path) if path else call


def _with_signals(call: Syscall, where: BlockedThread, memory: Memory) -> Syscall:
    mask = int.from_bytes(memory.read(where.arguments[0], _SET), "little")
    names = tuple(map(signal_name, signals_in(mask)))
    return replace(call, signals=names) if names else call
