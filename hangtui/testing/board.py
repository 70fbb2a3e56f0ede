"""What the tests are at, in memory that they share with the process beside them.

A run of tests writes here several times for each test, so that has to cost next to nothing: no call
of the kernel. The other process looks from time to time. Standard library alone, for any CPython
from 3.7 on.
"""

from __future__ import annotations

import mmap
import os
import struct
from typing import NamedTuple

_NOTE = struct.Struct("<Qdd?H1000sQ")
"""Number, beginning, limit, whether a test runs, length of the name, the name, and the number once
more: who reads it twice alike has read a whole note, since both sides go from front to back."""
_PHASE = _NOTE.size
_ANSWERED = struct.Struct("<Q")
_SIZE = _PHASE + 8 + _ANSWERED.size
_LONGEST = 1000
PHASES = ("", "setup of fixtures", "teardown of fixtures")


class Note(NamedTuple):
    """What the tests are at."""

    number: int
    """Counts up."""
    begun: float
    """By the clock of the machine (``time.monotonic``), in seconds."""
    after: float
    """How many seconds it may take; 0: as long as it likes."""
    runs: bool
    """It is a test, which can be interrupted."""
    name: str
    phase: str


class Board:
    """One side of it; *path*: a file, which is made if it is not there.

    Raises:
        OSError: it cannot be opened.
    """

    def __init__(self, path: str) -> None:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            os.ftruncate(descriptor, _SIZE)
            self._memory = mmap.mmap(descriptor, _SIZE)
        finally:
            os.close(descriptor)

    # -- written by the tests -------------------------------------------------------------------

    def post(self, number: int, begun: float, after: float, runs: bool, name: str) -> None:
        """Say what the tests are at from now on."""
        text = name.encode("utf-8", "replace")[:_LONGEST]
        self._memory[_PHASE] = 0
        _NOTE.pack_into(self._memory, 0, number, begun, after, runs, len(text), text, number)

    def phase(self, index: int) -> None:
        """Say which of `PHASES` a test is in."""
        self._memory[_PHASE] = index

    def answered(self) -> int:
        """The number of the last note that there is an answer to."""
        return int(_ANSWERED.unpack_from(self._memory, _PHASE + 8)[0])

    # -- written by the process beside them -----------------------------------------------------

    def read(self) -> Note | None:
        """What the tests are at; None: it is being written."""
        number, begun, after, runs, length, text, again = _NOTE.unpack_from(self._memory, 0)
        if number != again:
            return None
        name = text[:length].decode("utf-8", "replace")
        phase = PHASES[min(self._memory[_PHASE], len(PHASES) - 1)]
        return Note(number, begun, after, runs, name, phase)

    def answer(self, number: int) -> None:
        """Say that there is an answer to note *number*."""
        _ANSWERED.pack_into(self._memory, _PHASE + 8, number)
