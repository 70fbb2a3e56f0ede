"""Whether a process is of the kind whose memory is read here: a processor that is described, and
for C locks a C library whose locks are."""

from hangtui.backends import arch
from hangtui.backends.memory.c_library import CLibrary
from hangtui.backends.memory.reader import Memory


def foreign(memory: Memory) -> str | None:
    """The processor of a process in words if it is not known here."""
    return None if arch.is_known(memory.arch) else memory.arch.name


def foreign_library(memory: Memory) -> str | None:
    """What is known of a process's C library, in words, if it is not glibc: its locks are laid out
    in another way then."""
    if memory.c_library is CLibrary.GLIBC:
        return None
    return f"its C library is {memory.c_library.value}"
