"""The system calls of the guard: ptrace(2), process_vm_readv(2), prctl(2)."""

import ctypes
import struct
from collections.abc import Sequence
from mmap import MAP_ANONYMOUS, MAP_POPULATE, MAP_PRIVATE, mmap

from hangtui.backends.arch import of_kernel
from hangtui.backends.linux import PAGE
from hangtui.backends.ptrace import requests
from hangtui.backends.ptrace.requests import REGISTERS_SIZE, libc

_KNOWN = of_kernel().registers
_MAX_VECTORS = 1024
"""UIO_MAXIOV."""
_MAX_GAPS = 256
"""Unreadable pages that are gone around: each costs a call while the target stands still."""

_readv = libc.process_vm_readv
_readv.argtypes = [
    *(ctypes.c_int, ctypes.c_char_p, ctypes.c_ulong),
    *(ctypes.c_char_p, ctypes.c_ulong, ctypes.c_ulong),
]
_readv.restype = ctypes.c_ssize_t

Range = tuple[int, int]
"""An address and a number of bytes."""
Piece = tuple[int, int, int]
"""An address, a number of bytes, and their place in a buffer."""


class Buffer:
    """Memory whose pages are there already: none is faulted in while a target stands still."""

    def __init__(self, size: int) -> None:
        self.memory = mmap(-1, max(size, 1), flags=MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self.size = size


def seize(tid: int) -> int:
    """Become a thread's tracer without stopping it; 0, or the number of the error."""
    return 0 if requests.call(requests.SEIZE, tid, None, None) == 0 else ctypes.get_errno()


def interrupt(tid: int) -> None:
    """Ask a seized thread to stop; no signal is involved."""
    requests.call(requests.INTERRUPT, tid, None, None)


def let_go(tid: int, signal: int) -> None:
    """Let a stopped thread run on, with the signal that it was about to get, if any."""
    requests.call(requests.DETACH, tid, None, signal)


class Registers:
    """Places for the registers of many threads, 512 bytes apart."""

    STRIDE = 512

    def __init__(self, count: int) -> None:
        self.count = count
        self._buffer = Buffer(count * self.STRIDE)
        self._vector = (ctypes.c_size_t * 2)()
        self._words = memoryview(self._buffer.memory).cast("Q")

    def fetch(self, tid: int, place: int) -> bool:
        """Read a stopped thread's registers."""
        self._vector[0] = self._buffer.address + place * self.STRIDE
        self._vector[1] = REGISTERS_SIZE
        vector = ctypes.addressof(self._vector)
        return bool(requests.call(requests.GETREGSET, tid, requests.NT_PRSTATUS, vector) == 0)

    def thread_pointer(self, tid: int, place: int) -> int:
        """A stopped thread's; 0: not known."""
        name = _KNOWN.thread_pointer
        if name is not None:
            return self.word(place, _KNOWN.place(name))
        word = ctypes.c_uint64()
        self._vector[0], self._vector[1] = ctypes.addressof(word), 8
        vector = ctypes.addressof(self._vector)
        done = requests.call(requests.GETREGSET, tid, requests.NT_ARM_TLS, vector) == 0
        return int(word.value) if done else 0

    def call(self, place: int) -> int | None:
        """The number of the call that it is in; None: the registers do not tell."""
        return self.word(place, _KNOWN.place(_KNOWN.call)) if _KNOWN.keeps_call else None

    def word(self, place: int, index: int) -> int:
        """One register, by its place among them."""
        return self._words[place * (self.STRIDE // 8) + index]

    def words(self, place: int) -> tuple[int, ...]:
        """All of a thread's registers."""
        begin = place * (self.STRIDE // 8)
        return tuple(self._words[begin : begin + REGISTERS_SIZE // 8])

    def raw(self, place: int) -> bytes:
        """``user_regs_struct`` of one thread."""
        return self._buffer.memory[place * self.STRIDE : place * self.STRIDE + REGISTERS_SIZE]


def copy(pid: int, ranges: Sequence[Range], buffer: Buffer) -> list[Piece]:
    """Read foreign memory, one range behind the other, without the pages that are unreadable."""
    pieces: list[Piece] = []
    left: list[Piece] = []
    position = 0
    for address, size in ranges:
        left.append((address, size, position))
        position += size
    left.reverse()
    gaps = 0
    while left and gaps < _MAX_GAPS:
        batch = [left.pop() for _ in range(min(len(left), _MAX_VECTORS))]
        got = _read(pid, batch, buffer)
        while batch and got >= batch[0][1]:
            got -= batch[0][1]
            pieces.append(batch.pop(0))
        if batch:  # an unreadable page ends the whole call; what is behind it needs another one
            gaps += 1
            address, size, position = batch.pop(0)
            got &= -PAGE
            if got:
                pieces.append((address, got, position))
            skip = got + PAGE
            if size > skip:
                batch.insert(0, (address + skip, size - skip, position + skip))
            left += reversed(batch)
    return pieces


def _read(pid: int, batch: Sequence[Piece], buffer: Buffer) -> int:
    """How many bytes could be read, from the first of the batch on."""
    remote = struct.pack(f"<{2 * len(batch)}Q", *(word for piece in batch for word in piece[:2]))
    local = struct.pack(
        f"<{2 * len(batch)}Q",
        *(word for _, size, at in batch for word in (buffer.address + at, size)),
    )
    return int(max(0, _readv(pid, local, len(batch), remote, len(batch), 0)))
