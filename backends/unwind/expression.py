"""The DWARF expressions that compilers and glibc write into unwind tables."""

from collections.abc import Callable, Mapping

from hangtui.backends.elf.cfi import UnwindError, sleb, uleb
from hangtui.backends.memory.damage import foreign_data
from hangtui.backends.memory.reader import Memory

_BINARY: dict[int, Callable[[int, int], int]] = {
    0x1A: lambda a, b: a & b,
    0x1C: lambda a, b: a - b,
    0x22: lambda a, b: a + b,
    0x24: lambda a, b: a << (b & 63) & (1 << 64) - 1,
    0x2A: lambda a, b: int(a >= b),
    0x2D: lambda a, b: int(a < b),
}
"""DW_OP_and, minus, plus, shl, ge, lt: what the lazy-binding stubs' rules use."""


@foreign_data()
def evaluate(
    code: bytes, memory: Memory, registers: Mapping[int, int], cfa: int | None = None
) -> int:
    """The value of an expression.

    Args:
        code: the operations.
        memory: what they load from.
        registers: those of the frame, by DWARF number.
        cfa: what is on the stack of operands to begin with; None: nothing.

    Raises:
        DamagedDataError: an operation or a register is not known, or there are no operands.
    """
    memory.spent.steps(len(code))
    stack: list[int] = [] if cfa is None else [cfa]
    at = 0
    while at < len(code):
        op = code[at]
        at += 1
        if 0x30 <= op <= 0x4F:  # DW_OP_lit0..31
            stack.append(op - 0x30)
        elif 0x70 <= op <= 0x8F:  # DW_OP_breg0..31
            offset, at = sleb(code, at)
            if op - 0x70 not in registers:
                raise UnwindError(f"register {op - 0x70} is not known here")
            stack.append(registers[op - 0x70] + offset)
        elif op in (0x08, 0x09):  # DW_OP_const1u, const1s
            stack.append(int.from_bytes(code[at : at + 1], "little", signed=op == 0x09))
            at += 1
        elif op == 0x23:  # DW_OP_plus_uconst
            value, at = uleb(code, at)
            stack.append(stack.pop() + value)
        elif op == 0x06:  # DW_OP_deref
            stack.append(memory.u64(stack.pop()))
        elif op in _BINARY:
            right, left = stack.pop(), stack.pop()
            stack.append(_BINARY[op](left, right))
        else:
            raise UnwindError(f"DWARF operation {op:#x} in an unwind table")
    return stack.pop() & (1 << 64) - 1
