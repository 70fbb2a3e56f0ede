"""What glibc's thread descriptor (``struct pthread``) says of a thread."""

from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory

_SELF = 16
"""tcbhead_t.self: the descriptor's own address, as at its beginning (x86-64)."""
TID_OFFSET = 0x2D0
"""struct pthread.tid (glibc 2.28-2.43, x86-64); checked through the self pointers."""


def is_descriptor(memory: Memory, address: int) -> bool:
    """Whether a thread descriptor begins at *address* (``tcb`` and ``self`` point to it).

    Raises:
        MemoryReadError: it cannot be read.
    """
    return memory.u64(address) == address == memory.u64(address + _SELF)


def tid_of(memory: Memory, pthread: int) -> int | None:
    """The TID, as the target numbers threads, of the thread with this ``pthread_t``.

    None where no descriptor of glibc's lies there. Never raises.
    """
    try:
        if pthread and is_descriptor(memory, pthread):
            return memory.i32(pthread + TID_OFFSET)
    except MemoryReadError:
        pass
    return None
