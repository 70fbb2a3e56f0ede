"""Whether a process is of the kind whose memory is read here: x86-64, and for C locks glibc."""

import struct

from hangtui.backends.memory import Memory, MemoryReadError

_EM_X86_64 = 62
_ELF_64 = 2
_NAMES = {3: "x86, 32 bits", 40: "ARM, 32 bits", 62: "x32", 183: "aarch64", 243: "RISC-V"}
"""e_machine, elf.h."""
_MUSL = ("ld-musl-", "libc.musl-")


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


def has_musl(memory: Memory) -> bool:
    """Whether its C library is musl, whose locks are laid out in another way than glibc's."""
    names = (mapping.path.rsplit("/", 1)[-1] for mapping in memory.mappings)
    return any(name.startswith(_MUSL) for name in names)
