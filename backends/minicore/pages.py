"""Which memory a debugger needs besides the stacks: found before anything is stopped."""

import contextlib
import os
import struct
from collections.abc import Iterator, Sequence
from dataclasses import field

from hangtui.backends.elf.image import Image
from hangtui.backends.elf.images import Images
from hangtui.backends.linux import PAGE
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.memory.mappings import Mapping
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.memory.reader import Memory
from hangtui.dataclass import dataclass

_AT_PHDR = 3
"""elf.h: where the program's headers lie."""
_VDSO = "[vdso]"
_R_MAP = 8
"""Offset of ``r_map`` in ``struct r_debug``, link.h."""
_MAX_LIBRARIES = 4096
_IN_STOP = 8 << 20
"""Bytes of modules' variables that are copied in the stop, the smallest modules first. The rest is
copied right before it: 8 MiB take about 2 ms."""
_MAX_BSS = 8 << 20
_MAX_VARIABLES = 64 << 20
_PRESENT, _OF_FILE = 62, 61
"""Bits of a /proc/PID/pagemap entry (Documentation/admin-guide/mm/pagemap.rst): 62 and 63 say that
the page exists, 61 that it is still the file's."""


@dataclass(slots=True)
class Needed:
    """Addresses and sizes, in pages."""

    constant: list[tuple[int, int]] = field(default_factory=list)
    """Does not change any more: headers, the vDSO, relocated read-only data."""
    variable: list[tuple[int, int]] = field(default_factory=list)
    """Must be of the moment of the stop."""
    fuzzy: list[tuple[int, int]] = field(default_factory=list)
    """Variables of the largest modules, copied before the stop."""
    omitted: list[str] = field(default_factory=list)
    """Paths of modules whose variables are too large to be copied."""


def needed(memory: ProcessMemory) -> Needed:
    """What gdb wants to see of a process besides registers and stacks."""
    result = Needed()
    result.constant += [(m.start, PAGE) for m in memory.mappings if _first_of_file(m)]
    _add_changed(memory, result)
    return result


def find_program(images: Images, auxv: bytes) -> Image | None:
    """The program: where the dynamic linker leaves its mark, if there is one.

    The kernel names the dynamic linker itself where that was started to run the program.
    """
    named = images.at(_entry(auxv, _AT_PHDR))
    if named is None or mark(named):
        return named
    return next((image for image in images.matching(("",)) if mark(image)), named)


def mark(image: Image) -> int:
    """Of a program: where the dynamic linker left its mark; 0: it is none, or has none."""
    try:
        return image.linker_debug
    except DamagedDataError:
        return 0


def vdso(memory: Memory) -> tuple[int, bytes]:
    """Where the kernel's vDSO lies, and its content; 0: it has none.

    The content is our own: the kernel gives all processes the same, but they may write to theirs.
    """
    for mapping in memory.mappings:
        if mapping.path == _VDSO:
            with ProcessMemory(os.getpid()) as own:
                content = next(
                    (own.fresh(m.start, m.end - m.start) for m in own.mappings if m.path == _VDSO),
                    b"",
                )
            if len(content) == mapping.end - mapping.start:
                return mapping.start, content
    return 0, b""


def _entry(auxv: bytes, kind: int) -> int:
    return int(dict(struct.iter_unpack("<QQ", auxv[: len(auxv) & ~15])).get(kind, 0))


def _first_of_file(mapping: Mapping) -> bool:
    return mapping.path.startswith("/") and not mapping.offset and mapping.permissions[0] == "r"


def _pages(address: int, size: int) -> tuple[int, int]:
    start = address & -PAGE
    return start, ((address + size + PAGE - 1) & -PAGE) - start


def linker_names(memory: Memory, program: Image) -> dict[int, str]:
    """By load bias: the names in the dynamic linker's list of loaded libraries.

    Raises:
        DamagedDataError: it cannot be read.
    """
    names: dict[int, str] = {}
    node = memory.u64(program.linker_debug + _R_MAP) if program.linker_debug else 0
    for _ in range(_MAX_LIBRARIES):
        if not node:
            break
        bias, name, _, node, _ = memory.words(node, 5)
        if name:
            names[bias] = memory.c_string(name, PAGE)
    return names


# -- pages of files that were written to ----------------------------------------------------------


def _add_changed(memory: ProcessMemory, result: Needed) -> None:
    """Without them a debugger would read the file's content, and silently be wrong."""
    by_module: dict[str, list[tuple[int, int]]] = {}
    with contextlib.suppress(OSError):
        pagemap = os.open(f"/proc/{memory.pid}/pagemap", os.O_RDONLY | os.O_CLOEXEC)
        try:
            for path, mapping, constant in _data_mappings(memory.mappings):
                runs = list(_changed(pagemap, mapping))
                if constant:
                    result.constant += runs
                else:
                    by_module.setdefault(path, []).extend(runs)
        finally:
            os.close(pagemap)
    total = 0
    for path, runs in sorted(by_module.items(), key=lambda item: _size(item[1])):
        total += _size(runs)
        if total > _MAX_VARIABLES:
            result.omitted.append(path)
        else:
            (result.variable if total <= _IN_STOP else result.fuzzy).extend(runs)


def _size(runs: Sequence[tuple[int, int]]) -> int:
    return sum(size for _, size in runs)


def _data_mappings(mappings: Sequence[Mapping]) -> Iterator[tuple[str, Mapping, bool]]:
    """``(module, mapping, is constant)`` of .data, of .bss behind it, and of what is relocated."""
    before: Mapping | None = None
    for mapping in mappings:
        path = before.path if before and before.end == mapping.start else ""
        writable = mapping.permissions.startswith("rw") and mapping.permissions[3] == "p"
        if writable and mapping.path.startswith("/"):
            if before and path == mapping.path and before.permissions == "r--p":
                yield path, before, True  # relocated by the linker, then made read-only
            yield mapping.path, mapping, False
        elif writable and not mapping.path and path and mapping.end - mapping.start <= _MAX_BSS:
            yield path, mapping, False
        before = mapping


def _changed(pagemap: int, mapping: Mapping) -> Iterator[tuple[int, int]]:
    """Runs of pages that exist and are no longer the file's."""
    count = (mapping.end - mapping.start) // PAGE
    entries = memoryview(os.pread(pagemap, 8 * count, mapping.start // PAGE * 8)).cast("Q")
    begin = None
    for index, entry in enumerate(entries):
        if entry >> _PRESENT and not entry >> _OF_FILE & 1:
            begin = index if begin is None else begin
        elif begin is not None:
            yield mapping.start + begin * PAGE, (index - begin) * PAGE
            begin = None
    if begin is not None:
        yield mapping.start + begin * PAGE, (len(entries) - begin) * PAGE
