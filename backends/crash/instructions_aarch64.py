"""The same of aarch64 as `instructions_x86_64`: all instructions have four bytes there."""

from collections.abc import Mapping

import capstone
from capstone import arm64

from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.model import Access, Instruction, Operand

_SHOWN_BEFORE, _SHOWN_BEHIND = 6, 5
_MASK = (1 << 64) - 1
_NAMES = {"fp": "x29", "lr": "x30", "ip0": "x16", "ip1": "x17"}


def around(memory: Memory, pc: int, function: int | None) -> tuple[Instruction, ...]:
    """See `instructions.Decoder`."""
    start = pc - 4 * _SHOWN_BEFORE
    start = max(start, function) if function is not None and function <= pc else start
    lines = []
    for place in range(start, pc + 4 * (_SHOWN_BEHIND + 1), 4):
        try:
            found = _decoded(memory, place)
        except MemoryReadError:
            continue
        text = f"{found.mnemonic} {found.op_str}".rstrip() if found else ".inst"
        lines.append(Instruction(place, text, place == pc))
    return tuple(lines) if any(line.current for line in lines) else ()


def operand_at(
    memory: Memory, pc: int, registers: Mapping[str, int], _address: int | None
) -> Operand | None:
    """See `instructions.Decoder`; an instruction has one operand in memory at most."""
    try:
        found = _decoded(memory, pc)
    except MemoryReadError:
        return None
    if found is None:
        return None
    for one in found.operands:
        if one.type == arm64.ARM64_OP_MEM:
            return _operand(found, one, registers)
    return None


def _operand(found: capstone.CsInsn, one: arm64.Arm64Op, registers: Mapping[str, int]) -> Operand:
    base = _name(found, one.mem.base)
    index = _name(found, one.mem.index)
    shift = one.shift.value if index else 0
    values = [registers.get(name) if name else 0 for name in (base, index)]
    address = None
    if None not in values:
        # What follows behind the brackets is added afterwards.
        address = ((values[0] or 0) + ((values[1] or 0) << shift) + one.mem.disp) & _MASK
    writes = found.mnemonic.startswith(("st", "cas", "swp"))
    text = base or ""
    text += f"+{index}<<{shift}" if index and shift else f"+{index}" if index else ""
    sign = "-" if one.mem.disp < 0 else "+"
    text += f"{sign}{abs(one.mem.disp):#x}" if one.mem.disp else ""
    access = Access.WRITE if writes else Access.READ
    return Operand(f"[{text}]", base, values[0] if base else None, address, access, None)


def _name(found: capstone.CsInsn, register: int) -> str | None:
    if not register:
        return None
    name = str(found.reg_name(register))
    return _NAMES.get(name, name)


def _decoded(memory: Memory, place: int) -> capstone.CsInsn | None:
    decoder = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)
    decoder.detail = True
    return next(decoder.disasm(memory.read(place, 4), place), None)
