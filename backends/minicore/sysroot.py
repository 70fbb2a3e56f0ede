"""A folder of links to the very files that a process has mapped, for a debugger to look into.

Paths lie: a library may have been replaced on disk, or be another one in the process's mount
namespace. So each file is compared with the mapped one, and reached through the process itself
where the path leads elsewhere.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hangtui.backends.elf import Image, Images
from hangtui.backends.elf_file import file_build_id
from hangtui.backends.memory import Mapping as MemoryMapping
from hangtui.backends.memory import ProcessMemory


@dataclass(frozen=True, slots=True)
class Sysroot:
    """The folder, and what could not be put into it."""

    folder: Path
    program: Path | None
    """The program's own file, as a path that can be opened now."""
    missing: tuple[str, ...]
    """Paths of mapped ELF files that are nowhere to be had."""
    libraries: Mapping[str, str]
    """By mapped path: the name that the dynamic linker knows it by."""


def build(
    folder: Path,
    memory: ProcessMemory,
    images: Images,
    program: Image | None,
    names: dict[int, str],
) -> Sysroot:
    """Fill the folder, which must not exist yet.

    Args:
        folder: to be made.
        memory: of the process.
        images: of the process.
        program: the one that is no library.
        names: by load bias, the names that the dynamic linker knows libraries by: those are what
            a debugger looks for, and may differ from the mapped paths by symbolic links.

    Raises:
        OSError: it cannot be written.
    """
    folder.mkdir(mode=0o700, parents=True)
    missing: list[str] = []
    libraries: dict[str, str] = {}
    own: Path | None = None
    for mapping in memory.mappings:
        is_file = mapping.path.startswith("/") and not mapping.offset
        image = images.at(mapping.start) if is_file else None
        if image is None or image.start != mapping.start:
            continue
        place = _file_of(memory.pid, mapping, image)
        if place is None:
            missing.append(image.mapped_path)
            continue
        own = place if image is program else own
        libraries[image.mapped_path] = names.get(image.bias) or image.mapped_path
        for name in {image.mapped_path, libraries[image.mapped_path]}:
            _link(folder, name, place)
    return Sysroot(folder, own, tuple(missing), libraries)


def _link(folder: Path, name: str, place: Path) -> None:
    link = folder / name.lstrip("/")
    if not name.startswith("/") or ".." in link.parts:
        return
    # A second mapping of the same file, or a path that leads through a file: the first counts.
    with contextlib.suppress(FileExistsError, NotADirectoryError):
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(place)


def _file_of(pid: int, mapping: MemoryMapping, image: Image) -> Path | None:
    """A path to the very file that is mapped; one that outlives the process if possible."""
    for path, sure in _candidates(pid, mapping):
        with contextlib.suppress(OSError):
            found = path.stat()
            same = found.st_ino == mapping.inode and not _is_deleted(mapping)
            if image.build_id:
                if file_build_id(path) == image.build_id:
                    return path
            elif same or sure:
                return path
    return None


def _is_deleted(mapping: MemoryMapping) -> bool:
    return mapping.path.endswith(" (deleted)")


def _candidates(pid: int, mapping: MemoryMapping) -> Iterator[tuple[Path, bool]]:
    """Paths, and whether what is found there is the mapped file for sure."""
    path = mapping.path.removesuffix(" (deleted)")
    yield Path(path), False
    yield Path(f"/proc/{pid}/root{path}"), False
    yield Path(f"/proc/{pid}/map_files/{mapping.start:x}-{mapping.end:x}"), True


def remove(folder: Path) -> None:
    """Remove such a folder with its links, not what they lead to."""
    for parent, folders, files in os.walk(folder, topdown=False, followlinks=False):
        for name in [*files, *folders]:
            path = Path(parent, name)
            path.unlink() if path.is_symlink() else path.rmdir()
    with contextlib.suppress(FileNotFoundError):
        folder.rmdir()


def debug_folders(pid: int) -> Sequence[str]:
    """Where separate debug files may lie: in the process's own root, and in ours."""
    return (f"/proc/{pid}/root/usr/lib/debug", "/usr/lib/debug")
