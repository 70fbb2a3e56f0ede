"""Locks in memory, as glibc lays them out on processors with 64 bits (struct_mutex.h,
struct_rwlock.h)."""

import struct

from hangtui.backends.memory.reader import Memory
from hangtui.dataclass import dataclass

MAX_TID = 1 << 22
"""PID_MAX_LIMIT of linux/threads.h."""

_WRPHASE_FUTEX, _WRITERS_FUTEX = 8, 12
"""Offsets in struct __pthread_rwlock_arch_t; ``__readers`` is at 0."""
_USED, _READERS_WAIT = 2, 4
"""PTHREAD_RWLOCK_FUTEX_USED and PTHREAD_RWLOCK_RWAITING (nptl/pthread_rwlock_common.c)."""


def mutex_owner(raw: bytes) -> int | None:
    """``__owner`` if *raw* is a locked pthread mutex of a valid shape (struct_mutex.h)."""
    _, count, owner, users, kind = struct.unpack("<iIiIi", raw)
    recursive = kind & 3 == 1
    if kind & ~0x3FF or not 1 <= users < 1 << 20 or not 0 < owner <= MAX_TID:
        return None
    if recursive and not 1 <= count < 1 << 20:
        return None
    if not recursive and not kind & 0x30 and count:
        return None
    return int(owner)


@dataclass(frozen=True, slots=True)
class Rwlock:
    """struct __pthread_rwlock_arch_t (glibc sysdeps/x86/nptl/bits/struct_rwlock.h, and
    sysdeps/aarch64/nptl/bits/struct_rwlock.h)."""

    readers: int
    write_phase: bool
    write_locked: bool
    readers_wait: bool
    writers: int
    current_writer: int

    @classmethod
    def read(cls, memory: Memory, address: int) -> "Rwlock | None":
        """The rwlock at *address*, or None where the memory cannot be one."""
        return cls.parse(memory.read(address, 32))

    @classmethod
    def parse(cls, raw: bytes) -> "Rwlock | None":
        """The rwlock whose first 32 bytes are *raw*, or None where they cannot be one's."""
        readers, writers, phase, futex, pad3, pad4, writer, shared = struct.unpack("<6IiI", raw)
        if phase & ~3 or futex & ~3 or pad3 or pad4 or shared not in (0, 1):
            return None
        if not 0 <= writer <= MAX_TID:
            return None
        return cls(
            readers >> 3,
            bool(readers & 1),
            bool(readers & 2),
            bool(readers & 4),
            writers,
            writer,
        )

    def explains(self, offset: int, value: int) -> bool:
        """Whether a wait for *value* on the word at *offset* fits this state."""
        if offset == _WRPHASE_FUTEX:  # readers wait for a writer, or a writer for the readers
            return self.write_phase if value == _USED | 1 else self.readers > 0
        if offset == _WRITERS_FUTEX:
            return bool(self.current_writer or self.writers or self.write_locked)
        return self.readers_wait and bool(value & _READERS_WAIT)


def word_offset(value: int, *, writes: bool) -> int:
    """Which word of a rwlock a thread sleeps on, by the value that it found there.

    A writer waits for the end of another one (3) or, as the next, for that of the readers (2); a
    reader for the end of the writer (3), or with ``__readers`` itself behind one that is to come.
    """
    if value == _USED | 1:
        return _WRITERS_FUTEX if writes else _WRPHASE_FUTEX
    return _WRPHASE_FUTEX if writes else 0
