"""gdb on a copy of a live process, or on a core file: the process runs on whatever gdb does."""

import time
from collections.abc import Callable, Sequence

from hangtui.backends.debugger.conversation import Conversation, find_gdb
from hangtui.backends.debugger.native import NativeSide
from hangtui.backends.debugger.sysroot import gather
from hangtui.backends.debugger.target import CoreTarget, Target
from hangtui.backends.gdb import answers
from hangtui.backends.gdb.commands import Ending, GdbCommand
from hangtui.backends.gdb.commands import console as command
from hangtui.backends.gdb.files import GdbFiles, no_room
from hangtui.backends.gdb.start import Walls
from hangtui.backends.minicore import GDB_OPENING, GDB_SETTINGS, write_minicore
from hangtui.backends.tools import programs
from hangtui.model import TargetError

_MANY_THREADS = 300
_ROUNDS = 64
"""Libraries between the innermost frame and the outermost one, at most."""


class Examined:
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

    def _start(
        self,
        files: Callable[[], GdbFiles],
        settings: Sequence[GdbCommand],
        oldest: int = programs.OLDEST_GDB_OF_ALL,
    ) -> None:
        """Start gdb, *oldest* or newer, over what *files* makes.

        Raises:
            TargetError: it does not start, or cannot be given its files.
        """
        try:
            self.files = files()
        except OSError as error:
            raise TargetError(*no_room(error)) from error
        try:
            self.gdb = Conversation(settings, self.files, oldest)
        except BaseException:
            self.files.close()
            raise
        self.native = NativeSide(self.gdb)

    def _open(self, *commands: GdbCommand) -> None:
        """Have gdb read its program, if it was given one, and carry out *commands*.

        Raises:
            TargetError: it cannot; it has been ended then.
        """
        program = [command("file program")] if (self.files.folder / "program").exists() else []
        try:
            for one in (*program, *commands):
                self.gdb.ask(one)
        except BaseException:
            self.close()
            raise

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

    def close(self) -> None:
        """End gdb and remove what was made for it."""
        self.gdb.close()
        self.files.close()


class Copy(Examined):
    """A mini-core of a live process, taken when it is made.

    Raises:
        TargetError: the process may not be stopped even for milliseconds, or gdb is missing.
    """

    def __init__(self, target: Target) -> None:
        super().__init__(target)
        find_gdb()  # before the process is stopped for nothing
        try:
            core = write_minicore(target.pid)
        except OSError as error:
            raise TargetError(*no_room(error)) from error
        self._start(lambda: core.files, GDB_SETTINGS, programs.OLDEST_GDB)
        self.unsure = frozenset(core.skipped)
        """Threads whose registers are known only in part."""
        self.stopped_ms = core.stopped_ms
        self.about = f"copy of {time.strftime('%H:%M:%S')}, stopped {core.stopped_ms:.1f} ms for it"
        self._open(*GDB_OPENING)


class Core(Examined):
    """A core file.

    Raises:
        TargetError: gdb cannot read it.
    """

    unsure: frozenset[int] = frozenset()

    def __init__(self, target: CoreTarget) -> None:
        super().__init__(target)
        self._start(
            lambda: gather(target.memory, Walls.FILES, core=target.unpacked),
            (GdbCommand("set auto-solib-add off"),),
        )
        self.about = f"core file {target.path.name}"
        self._open(*GDB_OPENING)
