"""Call frame information: the small program that says where a caller's registers are.

DWARF 5, section 6.4, and the Linux Standard Base's ``.eh_frame``.
"""

from collections.abc import Callable
from dataclasses import field
from enum import Enum

from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.dataclass import dataclass

_MAX_BITS = 63
"""Of a number of variable length: no more are written for 64 of them."""
_MAX_SAVED = 64
"""States that a program remembers at a time; compilers write two or three."""
_MAX_REGISTERS = 256
"""Registers that a row has rules of. No processor has more than 150; each state that is remembered
is a copy of the rules."""


POINTER_SIZES = {0x0: 8, 0x2: 2, 0x3: 4, 0x4: 8, 0xA: 2, 0xB: 4, 0xC: 8}
"""Bytes of the DW_EH_PE_* value formats."""


class UnwindError(DamagedDataError):
    """A frame's caller cannot be found; the message says why."""


class How(Enum):
    """How a caller's register is found."""

    SAVED = "saved at the frame address plus an offset"
    IS_OFFSET = "the frame address plus an offset"
    REGISTER = "another register"
    UNDEFINED = "lost"
    SAVED_AT = "saved where an expression says"
    IS_EXPRESSION = "what an expression says"


@dataclass(frozen=True, slots=True)
class Rule:
    how: How
    value: int = 0
    """An offset in bytes, or a register number."""
    code: bytes = b""
    """A DWARF expression."""


@dataclass(frozen=True, slots=True)
class CfaRule:
    """The frame address: a register plus an offset, or an expression."""

    register: int
    offset: int
    code: bytes = b""


@dataclass(frozen=True, slots=True)
class Cie:
    code_alignment: int
    data_alignment: int
    pointer_encoding: int
    augmented: bool
    signal: bool
    instructions: bytes


@dataclass(frozen=True, slots=True)
class Fde:
    start: int
    end: int
    cie: Cie
    instructions: bytes


@dataclass(slots=True)
class Row:
    cfa: CfaRule | None = None
    registers: dict[int, Rule] = field(default_factory=dict)


def uleb(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if not byte & 128:
            return value, at
        if shift > _MAX_BITS:
            raise UnwindError("a damaged unwind table")


def sleb(data: bytes, at: int) -> tuple[int, int]:
    begin = at
    value, at = uleb(data, at)
    bits = 7 * (at - begin)
    return (value - (1 << bits) if data[at - 1] & 64 else value), at


@foreign_data()
def run(fde: Fde, address: int) -> Row:
    """The row that holds at *address*: the CIE's program, then the FDE's as far as it applies.

    Raises:
        DamagedDataError: an instruction is not known, or the program is damaged.
    """
    row = Row()
    _Program(fde.cie, row, fde.start, address, {}).execute(fde.cie.instructions)
    _Program(fde.cie, row, fde.start, address, dict(row.registers)).execute(fde.instructions)
    return row


class _Program:
    """Executes call frame instructions until they pass the wanted address."""

    def __init__(
        self, cie: Cie, row: Row, location: int, address: int, initial: dict[int, Rule]
    ) -> None:
        self._scale = cie.code_alignment
        self._data_scale = cie.data_alignment
        self._row = row
        self._location = location
        self._address = address
        self._initial = initial
        self._saved: list[tuple[CfaRule | None, dict[int, Rule]]] = []
        self._code = b""
        self._at = 0

    def execute(self, code: bytes) -> None:
        """Run *code*; the row then holds what applies at the address."""
        self._code = code
        while self._at < len(code) and self._location <= self._address:
            byte = code[self._at]
            self._at += 1
            high, low = byte & 0xC0, byte & 0x3F
            if len(self._row.registers) > _MAX_REGISTERS:
                raise UnwindError("a damaged unwind table")
            if high == 0x40:
                self._location += low * self._scale
            elif high == 0x80:
                self._row.registers[low] = Rule(How.SAVED, self.unsigned() * self._data_scale)
            elif high == 0xC0:
                self.restore(low)
            elif byte in _INSTRUCTIONS:
                _INSTRUCTIONS[byte](self)
            else:
                raise UnwindError(f"unwind instruction {byte:#x}")

    def unsigned(self) -> int:
        value, self._at = uleb(self._code, self._at)
        return value

    def signed(self) -> int:
        value, self._at = sleb(self._code, self._at)
        return value

    def fixed(self, size: int) -> int:
        value = int.from_bytes(self._code[self._at : self._at + size], "little")
        self._at += size
        return value

    def block(self) -> bytes:
        size = self.unsigned()
        self._at += size
        return self._code[self._at - size : self._at]

    def advance(self, size: int) -> None:
        self._location += self.fixed(size) * self._scale

    def set_location(self) -> None:
        self._location = self.fixed(8)

    @property
    def cfa(self) -> CfaRule:
        if self._row.cfa is None:
            raise UnwindError("a damaged unwind table")
        return self._row.cfa

    def restore(self, register: int) -> None:
        if register in self._initial:
            self._row.registers[register] = self._initial[register]
        else:
            self._row.registers.pop(register, None)

    def rule(self, how: How, value: Callable[["_Program"], int]) -> None:
        register = self.unsigned()
        self._row.registers[register] = Rule(how, value(self))

    def scaled(self) -> int:
        return self.unsigned() * self._data_scale

    def scaled_signed(self) -> int:
        return self.signed() * self._data_scale

    def expression(self, how: How) -> None:
        register = self.unsigned()
        self._row.registers[register] = Rule(how, code=self.block())

    def same_value(self) -> None:
        self._row.registers.pop(self.unsigned(), None)

    def remember(self) -> None:
        if len(self._saved) >= _MAX_SAVED:
            raise UnwindError("a damaged unwind table")
        self._saved.append((self._row.cfa, dict(self._row.registers)))

    def recall(self) -> None:
        self._row.cfa, self._row.registers = self._saved.pop()

    def define(self, offset: Callable[["_Program"], int]) -> None:
        register = self.unsigned()
        self._row.cfa = CfaRule(register, offset(self))

    def define_register(self) -> None:
        self._row.cfa = CfaRule(self.unsigned(), self.cfa.offset)

    def define_offset(self, offset: int) -> None:
        self._row.cfa = CfaRule(self.cfa.register, offset)

    def define_expression(self) -> None:
        self._row.cfa = CfaRule(-1, 0, self.block())


_INSTRUCTIONS: dict[int, Callable[[_Program], object]] = {
    0x00: lambda _: None,  # nop
    0x01: _Program.set_location,
    0x02: lambda p: p.advance(1),
    0x03: lambda p: p.advance(2),
    0x04: lambda p: p.advance(4),
    0x05: lambda p: p.rule(How.SAVED, _Program.scaled),  # offset_extended
    0x06: lambda p: p.restore(p.unsigned()),  # restore_extended
    0x07: lambda p: p.rule(How.UNDEFINED, lambda _: 0),
    0x08: _Program.same_value,
    0x09: lambda p: p.rule(How.REGISTER, _Program.unsigned),
    0x0A: _Program.remember,
    0x0B: _Program.recall,
    0x0C: lambda p: p.define(_Program.unsigned),  # def_cfa
    0x0D: _Program.define_register,
    0x0E: lambda p: p.define_offset(p.unsigned()),
    0x0F: _Program.define_expression,
    0x10: lambda p: p.expression(How.SAVED_AT),
    0x11: lambda p: p.rule(How.SAVED, _Program.scaled_signed),  # offset_extended_sf
    0x12: lambda p: p.define(_Program.scaled_signed),  # def_cfa_sf
    0x13: lambda p: p.define_offset(p.scaled_signed()),
    0x14: lambda p: p.rule(How.IS_OFFSET, _Program.scaled),  # val_offset
    0x15: lambda p: p.rule(How.IS_OFFSET, _Program.scaled_signed),
    0x16: lambda p: p.expression(How.IS_EXPRESSION),
    0x2D: lambda _: None,  # AARCH64_negate_ra_state: signatures are stripped in any case
    0x2E: _Program.unsigned,  # GNU_args_size: changes nothing here
}
"""DW_CFA_* by opcode."""


def pointer_encoding(augmentation: str, data: bytes) -> int:
    """How a common entry's functions are addressed, by its augmentation (``zPLR``) and its data."""
    at = 0
    for letter in augmentation[1:]:
        if letter == "R":
            return data[at]
        if letter == "L":
            at += 1
        elif letter == "P":
            at += 1 + POINTER_SIZES.get(data[at] & 15, 8)
    return 0
