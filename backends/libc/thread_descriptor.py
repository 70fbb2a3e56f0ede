"""What glibc's thread descriptor (``struct pthread``) says of a thread."""

from hangtui.backends.memory.reader import Memory, MemoryReadError

_SELF = 16
"""tcbhead_t.self: the descriptor's own address, as at its beginning (x86-64)."""
_TID = 0x2D0
"""struct pthread.tid (glibc 2.28-2.43, x86-64)."""


def tid_of(memory: Memory, pthread: int) -> int | None:
    """The TID, as the target numbers threads, of the thread with this ``pthread_t``.

    None where no descriptor of glibc's lies there. Never raises.
    """
    try:
        if pthread and memory.u64(pthread) == pthread == memory.u64(pthread + _SELF):
            return memory.i32(pthread + _TID)
    except MemoryReadError:
        pass
    return None
