"""gdb on a copy of a live process, or on a core file: the process runs on whatever gdb does."""

import contextlib
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import BinaryIO

from hangtui.backends import programs, scratch
from hangtui.backends.debugger import answers
from hangtui.backends.debugger.conversation import Conversation, find_gdb
from hangtui.backends.debugger.foreign import gather
from hangtui.backends.debugger.native import NativeSide
from hangtui.backends.debugger.target import CoreTarget, Target
from hangtui.backends.gdb_command import Ending, GdbCommand
from hangtui.backends.gdb_command import console as command
from hangtui.backends.gdb_files import GdbFiles
from hangtui.backends.gdb_start import Walls
from hangtui.backends.minicore import GDB_OPENING, GDB_SETTINGS, write_minicore
from hangtui.model import TargetError

_MANY_THREADS = 300
_ROUNDS = 64
"""Libraries between the innermost frame and the outermost one, at most."""


class Examined(ABC):
    """A gdb that has a process, a copy of it or a core file before it."""

    gdb: Conversation
    native: NativeSide
    files: GdbFiles
    """What gdb may open."""
    about: str

    def __init__(self, target: Target) -> None:
        self._target = target
        self._loaded: set[str] = set()
        self._libraries: list[tuple[range, str]] | None = None

    def know(self, tid: int) -> None:
        """Load the symbols of the libraries on a thread's stack, and of no others.

        Without a library's unwind tables gdb cannot tell what called it, so it takes one library
        after the other.
        """
        for _ in range(_ROUNDS):
            addresses = [frame.address for frame in self.native.frames(tid)]
            missing = {name for at in addresses if (name := self._library(at))} - self._loaded
            if not missing:
                return
            self._loaded |= missing
            self.gdb.ask_all(
                [
                    command("sharedlibrary", Ending(name))
                    for name in missing
                    if not name.endswith(tuple(self.files.unread))
                ]
            )
            self.native.forget_stacks()

    def know_all(self) -> None:
        """Load the symbols of the libraries on all threads' stacks; of all, if that is quicker."""
        tids = list(self.native.threads())
        if len(tids) > _MANY_THREADS and not self.files.unread:
            self.gdb.ask_all([command("sharedlibrary")])
            self.native.forget_stacks()
            return
        for tid in tids:
            self.know(tid)

    def _library(self, address: int) -> str | None:
        """The library that an address lies in, as gdb calls it."""
        if self._libraries is None:
            self._libraries = answers.libraries(
                self.gdb.ask(GdbCommand("-file-list-shared-libraries"))
            )
        return next((name for area, name in self._libraries if address in area), None)

    @abstractmethod
    def close(self) -> None:
        """End gdb and remove what was made for it."""


class Copy(Examined):
    """A mini-core of a live process, taken when it is made.

    Raises:
        TargetError: the process may not be stopped even for milliseconds, or gdb is missing.
    """

    def __init__(self, target: Target) -> None:
        super().__init__(target)
        find_gdb()  # before the process is stopped for nothing
        self._made = contextlib.ExitStack()
        folder = self._made.enter_context(scratch.folder())
        try:
            core = write_minicore(target.pid, folder / "core")
            core.path.unlink()  # nothing of the process stays if we are killed
            self.files = self._made.enter_context(core.files)
            self.gdb = Conversation(GDB_SETTINGS, core.files, programs.OLDEST_GDB)
        except BaseException:
            self._made.close()
            raise
        self.native = NativeSide(self.gdb)
        self.unsure = frozenset(core.skipped)
        """Threads whose registers are known only in part."""
        self.stopped_ms = core.stopped_ms
        self.about = f"copy of {time.strftime('%H:%M:%S')}, stopped {core.stopped_ms:.1f} ms for it"
        try:
            for opening in GDB_OPENING:
                self.gdb.ask(opening)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End gdb, remove the copy."""
        self.gdb.close()
        self._made.close()


class Core(Examined):
    """A core file.

    Raises:
        TargetError: gdb cannot read it.
    """

    unsure: frozenset[int] = frozenset()

    def __init__(self, target: CoreTarget) -> None:
        super().__init__(target)
        self._made = contextlib.ExitStack()
        try:
            folder = self._made.enter_context(scratch.folder()) / "gdb"
            self.files = self._made.enter_context(gather(folder, target.memory, Walls.FILES))
            self.files.link("core", _opened(target.unpacked))
            settings = (GdbCommand("set auto-solib-add off"),)
            self.gdb = Conversation(settings, self.files)
        except OSError as error:
            self._made.close()
            raise TargetError(f"gdb cannot be given the files: {error.strerror}") from error
        except BaseException:
            self._made.close()
            raise
        self.native = NativeSide(self.gdb)
        self.about = f"core file {target.path.name}"
        try:
            if (self.files.folder / "program").exists():
                self.gdb.console("file program")
            self.gdb.console("core-file core")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End gdb."""
        self.gdb.close()
        self._made.close()


def _opened(path: str) -> BinaryIO:
    return Path(path).open("rb")
