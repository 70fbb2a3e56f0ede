"""The folder that a gdb is started in: all files that it is to know, under names of our making.

A link in it leads to a descriptor that we hold open and gdb inherits, so that whatever becomes of a
path, gdb opens the very file that was looked at. Of what strangers made gdb gets a copy that names
no other files (see `tame_elf`).
"""

import contextlib
import re
import resource
from pathlib import Path
from typing import BinaryIO, Self

from hangtui.backends.gdb import landlock, tame_elf, trusted
from hangtui.backends.gdb.start import Walls
from hangtui.backends.tools import scratch

_MAX_COPIED = 256 << 20
"""Bytes of all copies together: a tenth of a second for each 256 MiB, and room for them."""
_ODD = re.compile(r"[^A-Za-z0-9._+-]")
_MAX_NAME = 80
_BUILD_ID = re.compile(r"[0-9a-f]{4,128}")
_SPARE = 128
"""Descriptors that are left for others."""


class GdbFiles:
    """What one gdb is given, in a folder of its own; a context manager that removes it.

    *attaches*: gdb will hold a process, and must not just be killed when we are gone.

    Raises:
        TargetError: there is no place for such a folder.
        OSError: there is no room in it.
    """

    def __init__(self, walls: Walls, *, attaches: bool = False) -> None:
        self.walls = walls
        self._made = contextlib.ExitStack()
        place = self._made.enter_context(scratch.folder())
        self.folder = place.path
        self._ends = None if attaches else place.ends
        self._held: list[BinaryIO] = []
        self._copied = 0
        self.unread: list[str] = []
        """Names below ``root`` of files whose symbols gdb must not read, as they lead anywhere."""
        with contextlib.ExitStack() as undo:
            undo.callback(self.close)
            for name in ("root", "debug"):
                (self.folder / name).mkdir()
            undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files, remove the folder."""
        while self._held:
            self._held.pop().close()
        self._made.close()

    def given_to(self, gdb: int) -> None:
        """Tell the PID of gdb, not yet waited for: it is not to outlive us."""
        if self._ends is not None:
            self._ends(gdb)

    @property
    def descriptors(self) -> list[int]:
        """Those that gdb must inherit."""
        return [file.fileno() for file in self._held]

    def link(self, name: str, file: BinaryIO) -> None:
        """Give *file*, which is ours from now on, as it is."""
        self._held.append(file)
        _allow_more(len(self._held))
        (self.folder / name).symlink_to(f"/proc/self/fd/{file.fileno()}")

    def show(self, name: str, file: BinaryIO) -> bool:
        """Give a file as it is, also to a gdb without walls; whether it may read its symbols."""
        safe = self.walls is Walls.NONE or self._confined or trusted.is_ours(file.fileno())
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        self.link(name, file)
        if not safe:
            self.unread.append(name.removeprefix("root"))
        return safe

    def give(self, name: str, file: BinaryIO) -> bool:
        """Give an ELF file, which is ours from now on; whether gdb may read its symbols.

        What only we or root could have made is given as it is.
        """
        place = self.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if self.walls is Walls.NONE or trusted.is_ours(file.fileno()):
            self.link(name, file)
            return True
        try:
            self._copy(file, place, packed=self._confined)
        except (tame_elf.WildError, OSError, ValueError):
            place.unlink(missing_ok=True)
            return self.show(name, file)
        file.close()
        return True

    @property
    def _confined(self) -> bool:
        return self.walls is Walls.FILES and landlock.version() > 0

    def alias(self, name: str, of: str) -> None:
        """Let another name, which is somebody else's below ``root``, lead to a given file.

        A name that cannot be, or that there is already, is left out.
        """
        place, target = self.folder / name, self.folder / of
        with contextlib.suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            beside = target.with_name(f"{target.name}.dwp")
            if beside.exists():
                place.with_name(f"{place.name}.dwp").symlink_to(beside)
            place.symlink_to(target)
            if of.removeprefix("root") in self.unread:
                self.unread.append(name.removeprefix("root"))

    def may_read(self, name: str) -> bool:
        """Whether gdb may read the symbols of what was given, or is another name of it."""
        return name.removeprefix("root") not in self.unread

    def _copy(self, file: BinaryIO, place: Path, *, packed: bool) -> None:
        with place.open("xb+") as copy:
            self._copied += tame_elf.tame(file, copy, _MAX_COPIED - self._copied, packed=packed)
        place.with_name(f"{place.name}.dwp").write_bytes(tame_elf.EMPTY)

    def give_debug(self, build_id: str, of: str, file: BinaryIO) -> None:
        """Give the file to which the symbols of the one named *of* were split."""
        if not _BUILD_ID.fullmatch(build_id):
            file.close()
            return
        folder = f"debug/.build-id/{build_id[:2]}"
        if self.give(f"{folder}/{build_id[2:]}.debug", file):
            beside = self.folder / folder / f"{of.rpartition('/')[2]}.dwp"
            if not (self.folder / f"{folder}/{build_id[2:]}.debug").is_symlink():
                beside.write_bytes(tame_elf.EMPTY)


def no_room(error: OSError) -> tuple[str, str]:
    """In words why gdb could not be given its files, and what to do."""
    fix = "free some space, or set TMPDIR to a folder that has some"
    return f"gdb cannot be given its files: {error.strerror or error}", fix


def plain_name(number: int, path: str) -> str:
    """A name like that of *path*, in which nothing is special; other numbers make other names."""
    name = _ODD.sub("_", path.rpartition("/")[2])[-_MAX_NAME:]
    return f"/{number}/{name if name.strip('.') else 'file'}"


def _allow_more(count: int) -> None:
    """Raise the limit of open files where a process has very many libraries."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count + _SPARE <= hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * soft), hard))
