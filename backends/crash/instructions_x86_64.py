"""The instructions of x86-64 around a fault, and what the faulting one did with which memory."""

from collections.abc import Mapping

import iced_x86 as iced

from hangtui.backends.linux import PAGE
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.model import Access, Instruction, Operand

_FUNCTION_LIMIT = 16 << 10
"""Bytes before the fault that are decoded at most to come upon it in step."""
_BEHIND, _LONGEST = 48, 15
_SHOWN_BEFORE, _SHOWN_BEHIND = 6, 5
_MASK = (1 << 64) - 1
_ACCESS = {
    iced.OpAccess.READ: Access.READ,
    iced.OpAccess.COND_READ: Access.READ,
    iced.OpAccess.WRITE: Access.WRITE,
    iced.OpAccess.COND_WRITE: Access.WRITE,
    iced.OpAccess.READ_WRITE: Access.WRITE,
    iced.OpAccess.READ_COND_WRITE: Access.WRITE,
}
_NAMES = {number: name.lower() for name, number in vars(iced.Register).items() if name.isupper()}


def around(memory: Memory, pc: int, function: int | None) -> tuple[Instruction, ...]:
    """The instructions around *pc*; empty where nothing can be read there.

    *function*: where the function begins that *pc* lies in.
    """
    start = function if function is not None and 0 <= pc - function < _FUNCTION_LIMIT else pc
    decoded = _decoded(memory, start, pc - start + _BEHIND)
    at = next((index for index, one in enumerate(decoded) if one.ip == pc), None)
    if at is None:  # what lies between is no code, or the function begins elsewhere
        return around(memory, pc, None) if start != pc else ()
    formatter = _formatter()
    shown = decoded[max(0, at - _SHOWN_BEFORE) : at + 1 + _SHOWN_BEHIND]
    return tuple(Instruction(one.ip, formatter.format(one), one.ip == pc) for one in shown)


def operand_at(
    memory: Memory, pc: int, registers: Mapping[str, int], address: int | None
) -> Operand | None:
    """What the instruction at *pc* reads or writes; None: no memory, or it cannot be read.

    Of several operands the one that *address*, where the access failed, lies in.
    """
    decoded = _decoded(memory, pc, _LONGEST)
    if not decoded:
        return None
    used = iced.InstructionInfoFactory().info(decoded[0]).used_memory()
    found = [_operand(one, decoded[0], registers) for one in used if one.access in _ACCESS]
    hit = (one for one in found if _covers(one, address))
    return next(hit, found[0] if found else None)


def _covers(operand: Operand, address: int | None) -> bool:
    if address is None or operand.address is None:
        return False
    # An access that crosses a page fails at the beginning of the second one.
    return operand.address <= address < operand.address + (operand.size or 1)


def _decoded(memory: Memory, start: int, size: int) -> list[iced.Instruction]:
    whole_pages = (start + size & -PAGE) - start  # the last page may be another mapping's, or none
    for length in (size, whole_pages):
        try:
            code = memory.fresh(start, length) if length > 0 else b""
        except MemoryReadError:
            continue
        return list(iced.Decoder(64, code, ip=start))
    return []


def _formatter() -> iced.Formatter:
    """Intel's syntax as gdb and objdump write it: ``mov rax,qword ptr [rdi+0x18]``."""
    formatter = iced.Formatter(iced.FormatterSyntax.INTEL)
    formatter.hex_prefix, formatter.hex_suffix = "0x", ""
    formatter.uppercase_hex = formatter.leading_zeros = formatter.branch_leading_zeros = False
    formatter.memory_size_options = iced.MemorySizeOptions.ALWAYS
    formatter.rip_relative_addresses, formatter.small_hex_numbers_in_decimal = True, False
    return formatter


def _operand(
    used: iced.UsedMemory, instruction: iced.Instruction, registers: Mapping[str, int]
) -> Operand:
    base, index = _name(used.base), _name(used.index)
    segment = f"{_name(used.segment)}_base"  # of no other segment than fs and gs it counts
    displacement = used.displacement - (1 << 64 if used.displacement >> 63 else 0)
    values = [registers.get(base or "", None if base else 0)]
    values.append(registers.get(index or "", None if index else 0))
    address = None
    if None not in values:
        first, second = (value or 0 for value in values)
        total = first + second * used.scale + displacement
        address = total + (registers.get(segment, 0) if segment in ("fs_base", "gs_base") else 0)
    size = iced.MemorySizeExt.size(used.memory_size or instruction.memory_size)
    return Operand(
        _text(base, index, used.scale, displacement),
        base,
        values[0] if base else None,
        None if address is None else address & _MASK,
        _ACCESS[used.access],
        size or None,
    )


def _name(register: int) -> str | None:
    return _NAMES[register] if register != iced.Register.NONE else None


def _text(base: str | None, index: str | None, scale: int, displacement: int) -> str:
    """``[rdi+rdx*4+0x18]``."""
    terms = [base] if base else []
    terms += [f"{index}*{scale}" if scale > 1 else index] if index else []
    text = "+".join(terms)
    if displacement or not terms:
        sign = "-" if displacement < 0 else "+" if terms else ""
        text += f"{sign}{abs(displacement):#x}"
    return f"[{text}]"
