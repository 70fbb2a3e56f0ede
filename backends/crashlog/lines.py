"""The lines of a log, bounded, and what its readers make of them."""

import os
from dataclasses import field
from pathlib import Path
from typing import BinaryIO

from hangtui.backends.crash.packages import with_packages
from hangtui.backends.door import Root
from hangtui.dataclass import dataclass
from hangtui.given_file import gunzipped, open_regular
from hangtui.model import (
    Crash,
    Gap,
    InputError,
    Notice,
    Process,
    PythonFrame,
    PythonInfo,
    Source,
    Thread,
    clean,
)

MAX_BYTES = 64 << 20
"""Of a log that are read: the last ones, since a crash ends it."""
MAX_LINES = 500_000
"""Of them; the last ones again."""
_MAX_LINE = 4000
MAX_THREADS = 5000
MAX_FRAMES = 100_000
"""Of all threads of a dump. faulthandler writes 100 of each, 100 times."""
_ONLY_STACKS = Gap("what its threads wait for and hold", "a log has only stacks")


@dataclass(slots=True)
class Room:
    """How many more frames of a dump are kept."""

    left: int = MAX_FRAMES
    exceeded: bool = False
    """Whether there were more."""

    def take(self) -> bool:
        """Whether one more may be kept; counts it."""
        if self.left == 0:
            self.exceeded = True
            return False
        self.left -= 1
        return True

    def give_back(self, frames: int) -> None:
        """So many are not kept after all."""
        self.left += frames


@dataclass(slots=True)
class Dump:
    """What one dump in a log says."""

    threads: list[Thread] = field(default_factory=list)
    crash: Crash | None = None
    pid: int = 0
    """0: the log does not say."""
    cmdline: tuple[str, ...] = ()
    exe: str | None = None
    python: PythonInfo | None = None
    notices: list[Notice] = field(default_factory=list)
    room: Room = field(default_factory=Room)

    def bound_notices(self, source: Source) -> list[Notice]:
        """That there was more than is kept of a log, if there was."""
        if not self.room.exceeded and len(self.threads) <= MAX_THREADS:
            return []
        del self.threads[MAX_THREADS:]
        message = (
            f"a dump in this log has more than {MAX_THREADS:,} threads or {MAX_FRAMES:,} frames; "
            "the first ones are shown"
        )
        return [Notice(source, message)]

    def process(self) -> Process:
        """The process that it is of."""
        process = Process(
            pid=self.pid,
            ppid=0,
            cmdline=self.cmdline,
            state="?",
            exe=self.exe,
            python=self.python,
            threads=tuple(self.threads),
            gaps=(_ONLY_STACKS,),
        )
        with Root.of_folder("/") as root:
            return with_packages(process, root)


def read_lines(path: Path) -> list[str]:
    """The lines of a log, unpacked if it is packed with gzip, its last 64 MiB and lines at most.

    Raises:
        InputError: it is damaged.
        OSError: it cannot be read.
    """
    with open_regular(path) as file:
        packed = file.read(2) == b"\x1f\x8b"
        size = file.seek(0, os.SEEK_END)
        file.seek(0 if packed else max(0, size - MAX_BYTES))
        data = _unpacked(file) if packed else file.read(MAX_BYTES)
    lines = data.removesuffix(b"\n").rsplit(b"\n", MAX_LINES)
    del lines[:-MAX_LINES], data
    return [line[:_MAX_LINE].decode("utf-8", "replace").removesuffix("\r") for line in lines]


def _unpacked(file: BinaryIO) -> bytes:
    data = bytearray()
    for piece in gunzipped(file):
        data += piece
        if len(data) > MAX_BYTES:
            raise InputError(f"it holds more than {MAX_BYTES >> 20} MiB", "unpack it first")
    return bytes(data)


def python_frame(function: str, filename: str, line: str) -> PythonFrame:
    """A frame out of the words of a log."""
    number = int(line) if line.isdecimal() and len(line) < 10 else None
    return PythonFrame(clean(function.strip(), 300), clean(filename), number)
