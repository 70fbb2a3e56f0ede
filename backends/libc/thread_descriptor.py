"""What a thread's descriptor (``struct pthread``) says of a thread."""

from hangtui.backends.libc import musl
from hangtui.backends.memory.c_library import CLibrary
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory


def is_descriptor(memory: Memory, address: int) -> bool:
    """Whether a thread descriptor begins at *address*: it points into itself.

    Raises:
        MemoryReadError: it cannot be read.
    """
    if memory.c_library is CLibrary.MUSL:
        return musl.is_descriptor(memory, address)
    selves = memory.arch.glibc.selves
    return all(memory.u64(address + place) == address + target for place, target in selves)


def tid_in(memory: Memory, descriptor: int) -> int:
    """The TID that a descriptor records, as the target numbers threads.

    Raises:
        MemoryReadError: it cannot be read.
    """
    layout = memory.arch.glibc
    if memory.c_library is CLibrary.MUSL and memory.arch.musl is not None:
        return memory.i32(descriptor + memory.arch.musl.thread_id)
    return memory.i32(descriptor + layout.thread_id)


def tid_of(memory: Memory, pthread: int) -> int | None:
    """The TID, as the target numbers threads, of the thread with this ``pthread_t``.

    None where no descriptor lies there. Never raises.
    """
    try:
        if pthread and is_descriptor(memory, pthread):
            return tid_in(memory, pthread)
    except MemoryReadError:
        pass
    return None
