"""gdb on a copy of a live process, or on a core file: the process runs on whatever gdb does."""

import contextlib
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from hangtui.backends import programs, scratch
from hangtui.backends.debugger import answers
from hangtui.backends.debugger.conversation import Conversation, find_gdb
from hangtui.backends.debugger.native import NativeSide
from hangtui.backends.debugger.target import CoreTarget, Target
from hangtui.backends.minicore import MiniCore, write_minicore
from hangtui.backends.minicore.writer import pattern

_MANY_THREADS = 300
_ROUNDS = 64
"""Libraries between the innermost frame and the outermost one, at most."""


class Examined(ABC):
    """A gdb that has a process, a copy of it or a core file before it."""

    gdb: Conversation
    native: NativeSide
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
            names = (self._library(at) for at in addresses if self._is_here(at))
            missing = {name for name in names if name} - self._loaded
            if not missing:
                return
            self._loaded |= missing
            self.gdb.ask_all(
                [f'-interpreter-exec console "sharedlibrary {pattern(name)}"' for name in missing]
            )
            self.native.forget_stacks()

    def know_all(self) -> None:
        """Load the symbols of the libraries on all threads' stacks; of all, if that is quicker."""
        tids = list(self.native.threads())
        if len(tids) > _MANY_THREADS:
            self.gdb.ask_all(['-interpreter-exec console "sharedlibrary"'])
            self.native.forget_stacks()
            return
        for tid in tids:
            self.know(tid)

    def _library(self, address: int) -> str | None:
        """The library that an address lies in, as gdb calls it."""
        if self._libraries is None:
            self._libraries = answers.libraries(self.gdb.ask("-file-list-shared-libraries"))
        return next((name for area, name in self._libraries if address in area), None)

    def _is_here(self, address: int) -> bool:  # noqa: ARG002
        """Whether the file that was mapped at *address* is the one that gdb would open."""
        return True

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
        self._folder = self._made.enter_context(scratch.folder())
        self._file: BinaryIO | None = None
        try:
            core = self._written()
            self.gdb = Conversation(core.gdb_settings(), programs.OLDEST_GDB)
        except BaseException:
            self._remove()
            raise
        self.native = NativeSide(self.gdb)
        self.unsure = frozenset(core.skipped)
        """Threads whose registers are known only in part."""
        self.stopped_ms = core.stopped_ms
        self.about = f"copy of {time.strftime('%H:%M:%S')}, stopped {core.stopped_ms:.1f} ms for it"
        try:
            _open(self.gdb, core.gdb_commands())
        except BaseException:
            self.close()
            raise

    def _written(self) -> MiniCore:
        """The core in a file without a name: nothing of the process stays if we are killed."""
        core = write_minicore(self._target.pid, self._folder / "core")
        self._file = core.path.open("rb")
        core.path.unlink()
        return replace(core, path=Path(f"/proc/{os.getpid()}/fd/{self._file.fileno()}"))

    def close(self) -> None:
        """End gdb, remove the copy."""
        self.gdb.close()
        self._remove()

    def _remove(self) -> None:
        if self._file is not None:
            self._file.close()
        self._made.close()


class Core(Examined):
    """A core file.

    Raises:
        TargetError: gdb cannot read it.
    """

    unsure: frozenset[int] = frozenset()

    def __init__(self, target: CoreTarget) -> None:
        super().__init__(target)
        self._memory = target.memory
        sysroot = (f"set sysroot {target.root}",) if target.root else ()
        self.gdb = Conversation(("set auto-solib-add off", *sysroot))
        self.native = NativeSide(self.gdb)
        self.about = f"core file {target.path.name}"
        first = next((m.path for m in target.memory.mappings if m.path.startswith("/")), "")
        program = Path(f"{target.root}{first}")
        is_it = program.is_file() and target.memory.files.get(first) is not None
        opening = (f"file {program}",) if is_it else ()
        try:
            _open(self.gdb, (*opening, f"core-file {target.unpacked}"))
        except BaseException:
            self.close()
            raise

    def _is_here(self, address: int) -> bool:
        mapping = self._memory.mapping_at(address)
        return mapping is None or self._memory.files.get(mapping.path) is not None

    def close(self) -> None:
        """End gdb."""
        self.gdb.close()


def _open(gdb: Conversation, commands: Sequence[str]) -> None:
    for command in commands:
        gdb.console(command)
