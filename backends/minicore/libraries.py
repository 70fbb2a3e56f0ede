"""The list of libraries as a debugger finds it in a core file: written by us, with our names.

A debugger opens whatever the dynamic linker's list in memory names, and a process may write there
what it likes. So a mini-core gets a list of its own, at an address that the process does not use,
and headers of a program that lead to it. The program itself is in it like any library.
"""

import struct
from collections.abc import Sequence

from hangtui.backends.linux import PAGE
from hangtui.backends.memory.mappings import Mapping
from hangtui.dataclass import dataclass
from hangtui.model import NULL_PAGES

_PT_DYNAMIC, _PT_PHDR = 2, 6
_DT_NULL, _DT_DEBUG = 0, 21
_AT_PHDR, _AT_PHENT, _AT_PHNUM, _AT_PAGESZ, _AT_ENTRY, _AT_HWCAP, _AT_VDSO = 3, 4, 5, 6, 9, 16, 33
"""elf.h. Of the rest of what the kernel tells a program, strings among it, nothing is passed on."""
_HEADER = struct.Struct("<IIQQQQQQ")
"""Elf64_Phdr."""
_DEBUG = struct.Struct("<iiQQiiQ")
"""struct r_debug, link.h."""
_LINK = struct.Struct("<QQQQQ")
"""The public part of struct link_map."""


@dataclass(frozen=True, slots=True)
class Library:
    """One mapped ELF file."""

    name: str
    """For the debugger."""
    bias: int
    dynamic: int
    """Address of its dynamic section; 0: it has none."""


def listed(libraries: Sequence[Library], mappings: Sequence[Mapping]) -> tuple[int, bytes]:
    """The list in memory, and the address for it, where the program's headers are."""
    names = b"\0" + b"".join(library.name.encode() + b"\0" for library in libraries)
    dynamic = 2 * _HEADER.size
    debug = dynamic + 4 * 8
    links = debug + _DEBUG.size
    strings = links + (len(libraries) + 1) * _LINK.size
    size = -(-(strings + len(names)) // PAGE) * PAGE
    here = _unused(mappings, size)

    content = _HEADER.pack(_PT_PHDR, 4, 0, here, here, dynamic, dynamic, 8)
    content += _HEADER.pack(_PT_DYNAMIC, 4, dynamic, here + dynamic, here + dynamic, 32, 32, 8)
    content += struct.pack("<4Q", _DT_DEBUG, here + debug, _DT_NULL, 0)
    content += _DEBUG.pack(1, 0, here + links, 0, 0, 0, 0)
    place, before = here + strings, 0
    # The first one stands for the program, and debuggers pass over it.
    for index, library in enumerate((Library("", 0, 0), *libraries)):
        link = here + links + index * _LINK.size
        following = link + _LINK.size if index < len(libraries) else 0
        content += _LINK.pack(library.bias, place, library.dynamic, following, before)
        place, before = place + len(library.name) + 1, link
    return here, (content + names).ljust(size, b"\0")


def _unused(mappings: Sequence[Mapping], size: int) -> int:
    at = NULL_PAGES
    for mapping in mappings:
        if at + size + PAGE <= mapping.start:
            break
        at = max(at, mapping.end + PAGE)
    return at


def auxiliary(original: bytes, headers: int, vdso: int) -> bytes:
    """The auxiliary vector for a debugger: *headers*: address of such a list; *vdso*: 0: none."""
    known = dict(struct.iter_unpack("<QQ", original[: len(original) & ~15]))
    passed = {kind: known[kind] for kind in (_AT_PAGESZ, _AT_ENTRY, _AT_HWCAP) if kind in known}
    passed |= {_AT_PHDR: headers, _AT_PHENT: _HEADER.size, _AT_PHNUM: 2}
    passed |= {_AT_VDSO: vdso} if vdso else {}
    return b"".join(struct.pack("<QQ", *entry) for entry in (*passed.items(), (0, 0)))
