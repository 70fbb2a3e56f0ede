"""Which function a call instruction calls, read from the code before a return address (x86-64)."""

import struct

from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.memory.reader import Memory


def call_target(memory: Memory, return_address: int) -> int | None:
    """Where the call before *return_address* goes, through linkage stubs.

    None: it is no call, or one through a register, whose target is not in the code.
    """
    try:
        code = memory.read(return_address - 6, 6)
        displacement = struct.unpack("<i", code[2:])[0]
        if code[1] == 0xE8:  # call rel32
            return _through_plt(memory, return_address + displacement)
        if code[:2] == b"\xff\x15":  # call [rip + displacement]
            return _through_plt(memory, memory.u64(return_address + displacement))
    except DamagedDataError:
        pass
    return None


def _through_plt(memory: Memory, target: int) -> int:
    """Where a linkage stub jumps to: ``[endbr64] [bnd] jmp [rip + displacement]``."""
    for _ in range(2):
        code = memory.read(target, 16)
        skip = 4 if code.startswith(b"\xf3\x0f\x1e\xfa") else 0
        skip += code[skip : skip + 1] == b"\xf2"
        if code[skip : skip + 2] != b"\xff\x25":
            break
        displacement = struct.unpack_from("<i", code, skip + 2)[0]
        target = memory.u64(target + skip + 6 + displacement)
    return target
