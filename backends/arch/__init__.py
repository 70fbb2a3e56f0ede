"""Processors: everything that is known of one and not of another, a module for each.

The one of a target is chosen by its own ELF header (`of_machine`), that of this machine's kernel,
which numbers system calls, by its name (`of_kernel`). They differ where a process is emulated. No
other room names a register, or a system call by its number. Another processor is a module like
`aarch64`, and a line in `KNOWN`.
"""

import os
from functools import cache

from hangtui.backends.arch.aarch64 import AARCH64
from hangtui.backends.arch.description import Arch
from hangtui.backends.arch.x86_64 import X86_64

__all__ = ["AARCH64", "KNOWN", "X86_64", "Arch", "is_known", "of_header", "of_kernel", "of_machine"]

KNOWN = (X86_64, AARCH64)
"""Those that are described."""
_ELF_64 = 2
_NAMES = {3: "x86, 32 bits", 40: "ARM, 32 bits", 62: "x32", 183: "aarch64, 32 bits", 243: "RISC-V",
          21: "PowerPC, 64 bits", 22: "s390", 258: "LoongArch"}  # fmt: skip
"""e_machine, elf.h: those that are not described here."""


def of_machine(machine: int, elf_class: int = _ELF_64) -> Arch:
    """The description of an ELF machine; of one that is not known, its name and nothing else."""
    for arch in KNOWN:
        if arch.machine == machine and elf_class == _ELF_64:
            return arch
    return _unknown(_NAMES.get(machine, f"ELF machine {machine}"))


def of_header(header: bytes) -> Arch | None:
    """The same by the first 20 bytes of an ELF file; None: they are none."""
    if len(header) < 20 or header[:4] != b"\x7fELF":
        return None
    return of_machine(int.from_bytes(header[18:20], "little"), header[4])


@cache
def of_kernel() -> Arch:
    """The processor of this machine's kernel."""
    name = os.uname().machine
    return next((arch for arch in KNOWN if arch.kernel_name == name), _unknown(name))


def is_known(arch: Arch) -> bool:
    """Whether it is described here."""
    return any(arch is one for one in KNOWN)


@cache
def _unknown(name: str) -> Arch:
    """No call is named by it, and nothing is read by the rest, which is there for its shape."""
    return X86_64._replace(name=name, kernel_name="", machine=0, calls={})
