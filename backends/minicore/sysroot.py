"""Gives a debugger the very files that a process has mapped, under names of our making.

Paths lie: a library may have been replaced on disk, or be another one in the process's mount
namespace. So each file is reached through the process itself, and compared with the mapped one.
"""

import contextlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from hangtui.backends.elf.image import Image
from hangtui.backends.elf.images import Images
from hangtui.backends.elf.sections import build_id_of
from hangtui.backends.gdb.files import GdbFiles, plain_name
from hangtui.backends.gdb.start import Walls
from hangtui.backends.linux import PAGE
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.mappings import Mapping as MemoryMapping
from hangtui.backends.memory.reader import Memory
from hangtui.backends.minicore.libraries import Library
from hangtui.backends.process import namespaces
from hangtui.backends.procfs.files import PROC, status_of
from hangtui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Sysroot:
    """What could be given, and what not."""

    libraries: tuple[Library, ...]
    mapped: tuple[tuple[MemoryMapping, str], ...]
    """Mappings of these files, with the debugger's names."""
    names: Mapping[str, str]
    """By mapped path: the debugger's name."""
    missing: tuple[str, ...]
    """Paths of mapped ELF files that are nowhere to be had."""


def walls_for(pid: int) -> Walls:
    """What a debugger of a copy of a process needs: none if it is our own, and lives as we do."""
    try:
        users = {int(word) for word in status_of(PROC / str(pid))["Uid"].split()}
        mine = users == {int(word) for word in status_of(PROC / "self")["Uid"].split()}
        same_root = str(Path(f"/proc/{pid}/root").readlink()) == "/"
        if mine and same_root and not namespaces.has_own_files(pid):
            return Walls.NONE
    except (OSError, KeyError, ValueError):
        pass
    return Walls.FILES


def build(
    files: GdbFiles, memory: Memory, images: Images, wanted: Collection[str] | None = None
) -> Sysroot:
    """Put the files of a process into *files*.

    Args:
        files: what the debugger will be given.
        memory: of the process.
        images: of the process.
        wanted: the mapped paths of those whose symbols are needed; None: all.

    Raises:
        OSError: it cannot be written.
    """
    libraries: list[Library] = []
    names: dict[str, str] = {}
    missing: list[str] = []
    for number, (mapping, image) in enumerate(_loaded(memory, images)):
        name = names.get(image.mapped_path) or plain_name(number, image.mapped_path)
        if image.mapped_path not in names:
            file = mapped_file(memory, mapping, image)
            if file is None:
                missing.append(image.mapped_path)
                continue
            if wanted is None or image.mapped_path in wanted:
                _give(files, name, file, memory, image)
            else:
                files.show(f"root{name}", file)
            names[image.mapped_path] = name
        dynamic = image.dynamic_section
        libraries.append(Library(name, image.bias, dynamic[0] if dynamic else 0))
    mapped = tuple(
        (mapping, names[path])
        for mapping in memory.mappings
        if mapping.permissions != "---p"
        and (path := mapping.path.removesuffix(" (deleted)")) in names
    )
    return Sysroot(tuple(libraries), mapped, names, tuple(missing))


def _loaded(memory: Memory, images: Images) -> Iterator[tuple[MemoryMapping, Image]]:
    """The images that hold code, with their first mappings."""
    code = {mapping.path for mapping in memory.mappings if "x" in mapping.permissions}
    for mapping in memory.mappings:
        if mapping.path.startswith("/") and not mapping.offset and mapping.path in code:
            image = images.at(mapping.start)
            if image is not None and image.start == mapping.start:
                yield mapping, image


def _give(files: GdbFiles, name: str, file: BinaryIO, memory: Memory, image: Image) -> None:
    files.give(f"root{name}", file)
    debug = _debug_file(memory, image.build_id) if image.build_id else None
    if debug is not None and image.build_id:
        files.give_debug(image.build_id, name, debug)


def _debug_file(memory: Memory, build_id: str) -> BinaryIO | None:
    """What was split from a file, where distributions put it."""
    path = f"/usr/lib/debug/.build-id/{build_id[:2]}/{build_id[2:]}.debug"
    return _opened(lambda: memory.open_file(path), lambda file: build_id_of(file) == build_id)


def mapped_file(memory: Memory, mapping: MemoryMapping, image: Image) -> BinaryIO | None:
    """The very file that is mapped."""

    def is_same(file: BinaryIO) -> bool:
        if image.build_id:
            return build_id_of(file) == image.build_id
        if os.fstat(file.fileno()).st_ino == mapping.inode:
            return True
        return file.read(PAGE) == memory.fresh(mapping.start, PAGE)

    return _opened(lambda: memory.open_mapped(mapping), is_same)


def _opened(
    open_it: Callable[[], BinaryIO], is_right: Callable[[BinaryIO], bool]
) -> BinaryIO | None:
    with contextlib.suppress(OSError, MemoryReadError), contextlib.ExitStack() as opened:
        file = opened.enter_context(open_it())
        if is_right(file):
            opened.pop_all()
            return file
    return None
