"""Whether a process is of the kind whose memory is read here: x86-64, and for C locks glibc."""

import re
import struct

from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory

_EM_X86_64 = 62
_ELF_64 = 2
_NAMES = {3: "x86, 32 bits", 40: "ARM, 32 bits", 62: "x32", 183: "aarch64", 243: "RISC-V"}
"""e_machine, elf.h."""
_MUSL = re.compile(r"/(ld-musl-|libc\.musl-)[^/]*$|-linux-musl/libc\.so$")
"""Its loader, which is its library; as Alpine and as Debian name it."""
_GLIBC = re.compile(r"/libc(\.so\.6|-2\.\d+\.so)( \(deleted\))?$")


def foreign(memory: Memory) -> str | None:
    """The architecture of a process in words if it is not x86-64."""
    for mapping in memory.mappings:
        if mapping.offset or not mapping.path.startswith("/"):
            continue
        try:
            header = memory.read(mapping.start, 20)
        except MemoryReadError:
            continue
        if header[:4] == b"\x7fELF":
            (machine,) = struct.unpack_from("<H", header, 18)
            if header[4] == _ELF_64 and machine == _EM_X86_64:
                return None
            return _NAMES.get(machine, f"ELF machine {machine}")
    return None


def foreign_library(memory: Memory) -> str | None:
    """What is known of a process's C library, in words, if it is not glibc: its locks are laid out
    in a way that is not known then."""
    paths = [mapping.path for mapping in memory.mappings]
    if any(map(_GLIBC.search, paths)):
        return None
    if any(map(_MUSL.search, paths)):
        return "its C library is musl"
    return "its C library is not glibc, or is linked into the program"
