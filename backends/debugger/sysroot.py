"""The files of a core file or of a stopped process, where gdb will look for them.

There gdb takes names from memory: those of the mapped files and of the dynamic linker's list. Below
the folder that is its sysroot these names lead to the mapped files, and all others to nothing.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from hangtui.backends.elf.image import Image
from hangtui.backends.elf.images import Images
from hangtui.backends.gdb import landlock
from hangtui.backends.gdb.files import GdbFiles
from hangtui.backends.gdb.start import Walls
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.minicore import pages, sysroot
from hangtui.model import TargetError, clean


def gather(memory: Memory, walls: Walls, *, core: str = "", attaches: bool = False) -> GdbFiles:
    """A folder for gdb with the files that are mapped in *memory*, and ``program`` if it is there.

    *core*: the path of a core file, given as ``core``; *attaches*: whether gdb will hold a process.

    Raises:
        TargetError: a name, or the program, would lead gdb out of the folder, and nothing else
            would hold it; or there is no place for one.
        OSError: the folder cannot be written.
    """
    images = Images(memory)
    program = _program(images)
    names = _names(memory, program)
    files = GdbFiles(walls, attaches=attaches)
    try:
        if core:
            files.link("core", _opened(core))
        if walls is not Walls.NONE and not (walls is Walls.FILES and landlock.version()):
            _check(memory, names, program)
        found = sysroot.build(files, memory, images)
        for library in found.libraries:
            for path in (p for p, name in found.names.items() if name == library.name):
                for name in {path, names.get(library.bias, path)}:
                    if name.startswith("/") and _stays(name):
                        files.alias(f"root{name}", f"root{library.name}")
        if program is not None and program.mapped_path in found.names:
            name = f"root{found.names[program.mapped_path]}"
            _require_read(files, name)
            files.alias("program", name)
    except BaseException:
        files.close()
        raise
    return files


def _opened(path: str) -> BinaryIO:
    return Path(path).open("rb")


def _require_read(files: GdbFiles, name: str) -> None:
    if not files.may_read(name):
        raise TargetError(
            "gdb is not used: its program cannot be looked through, and may lead gdb to other files"
        )


def _program(images: Images) -> Image | None:
    every = images.matching(("",))
    return next((image for image in every if pages.mark(image)), every[0] if every else None)


def _names(memory: Memory, program: Image | None) -> dict[int, str]:
    with contextlib.suppress(DamagedDataError):
        if program is not None:
            return pages.linker_names(memory, program)
    return {}


def _check(memory: Memory, names: dict[int, str], program: Image | None) -> None:
    mapped = (mapping.path for mapping in memory.mappings if mapping.path.startswith("/"))
    for name in (*mapped, *names.values(), *_interpreter(program)):
        if name and not _stays(name):
            raise TargetError(
                f"gdb is not used: it would open a file elsewhere, {clean(name, 100)}"
            )


def _interpreter(program: Image | None) -> Iterator[str]:
    if program is not None:
        with contextlib.suppress(DamagedDataError):
            yield from program.interpreter()


def _stays(name: str) -> bool:
    """Whether a name leads to nothing outside of a folder of which it is taken to be below.

    Libraries have names like ``/opt/bin/../lib/libz.so``; there are no links in the folder but to
    files. A bare name is that of no file, as the kernel's own library has one.
    """
    depth = 0
    for part in name.split("/")[1:]:
        depth += {"": 0, ".": 0, "..": -1}.get(part, 1)
        if depth < 0:
            return False
    return name.startswith("/") or "/" not in name
