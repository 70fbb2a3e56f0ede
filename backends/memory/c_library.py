"""Which C library a process has, by what is mapped into it."""

import re
from collections.abc import Iterable
from enum import Enum

_MUSL = re.compile(r"/(?:ld-musl-|libc\.musl-)([^/.]+)\.[^/]*$|/([^/]+)-linux-musl/libc\.so$")
"""Its loader, which is its library, and the processor that it is for; as Alpine and as Debian name
it."""
_GLIBC = re.compile(r"/libc(\.so\.6|-2\.\d+\.so)( \(deleted\))?$")


class CLibrary(Enum):
    """How locks of C code, threads and condition variables are laid out."""

    GLIBC = "glibc"
    MUSL = "musl"
    UNKNOWN = "not glibc, or is linked into the program"


def c_library(paths: Iterable[str], machine: str) -> CLibrary:
    """That of a process into which files with these *paths* are mapped, and whose code is for the
    processor that the kernel calls *machine*. An emulator has one of its own beside it."""
    known = list(paths)
    if any(machine in found.groups() for path in known if (found := _MUSL.search(path))):
        return CLibrary.MUSL
    return CLibrary.GLIBC if any(map(_GLIBC.search, known)) else CLibrary.UNKNOWN
