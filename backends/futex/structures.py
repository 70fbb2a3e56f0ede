"""Locks in memory, as glibc lays them out on x86-64 (struct_mutex.h, struct_rwlock.h)."""

import struct
from dataclasses import dataclass

from hangtui.backends.memory import Memory

_MAX_TID = 1 << 22
"""PID_MAX_LIMIT of linux/threads.h."""


def mutex_owner(raw: bytes) -> int | None:
    """``__owner`` if *raw* is a locked pthread mutex of a valid shape (struct_mutex.h)."""
    _, count, owner, users, kind = struct.unpack("<iIiIi", raw)
    recursive = kind & 3 == 1
    if kind & ~0x3FF or not 1 <= users < 1 << 20 or not 0 < owner <= _MAX_TID:
        return None
    if recursive and not 1 <= count < 1 << 20:
        return None
    if not recursive and not kind & 0x30 and count:
        return None
    return int(owner)


@dataclass(frozen=True, slots=True)
class Rwlock:
    """struct __pthread_rwlock_arch_t, x86-64 (glibc sysdeps/x86/nptl/bits/struct_rwlock.h)."""

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
        if not 0 <= writer <= _MAX_TID:
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
        if (
            offset == 8
        ):  # __wrphase_futex: readers wait for a writer (3), the writer for readers (2)
            return (value == 3 and self.write_phase) or (value == 2 and self.readers > 0)
        if offset == 12:  # __writers_futex: a writer behind another writer
            return value == 3 and bool(self.current_writer or self.writers or self.write_locked)
        return self.readers_wait  # __readers: queued behind a waiting writer
