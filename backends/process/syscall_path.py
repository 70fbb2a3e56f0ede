"""Which file a system call is about that a thread sleeps in: the path lies in its memory."""

from dataclasses import replace

from hangtui.backends.linux import PATH_MAX
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.procfs.syscalls import path_of
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.model import Syscall, clean


def with_path(call: Syscall | None, where: BlockedThread | None, memory: Memory) -> Syscall | None:
    """*call* with the path that it was given, if it takes one that can be read."""
    address = path_of(call, where.call, where.arguments) if call and where else None
    if call is None or not address:
        return call
    try:
        path = clean(memory.c_string(address, PATH_MAX))
    except MemoryReadError:
        return call
    return replace(call, detail=path) if path else call
