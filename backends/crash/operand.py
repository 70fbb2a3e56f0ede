"""What an instruction, in Intel's syntax, does with which memory."""

import re
from collections.abc import Mapping

from hangtui.model import Access, Operand

_SIZES = {
    "BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "TBYTE": 10, "XMMWORD": 16, "YMMWORD": 32,
    "ZMMWORD": 64, "FWORD": 6, "OWORD": 16,
}  # fmt: skip
_MEMORY = re.compile(r"(?:(?P<size>[A-Z]+) PTR )?(?:[defgs]s:)?\[(?P<inside>[^\]]+)\]")
_TERM = re.compile(
    r"(?P<sign>[+-]?)(?:"
    r"(?P<register>[a-z][a-z0-9]*)(?:\*(?P<scale>\d))?|(?P<number>0x[0-9a-f]+|\d+))"
)
_COMMENT = re.compile(r"#\s*(0x[0-9a-f]+)")
_ONLY_READ = (
    "cmp", "test", "push", "call", "jmp", "ucomis", "comis", "vucomis", "vcomis", "div", "idiv",
    "mul", "bt ", "ptest", "vptest", "pcmpistr", "fld", "fild", "prefetch", "scas", "lods",
)  # fmt: skip
_MASK = (1 << 64) - 1


def operand_of(text: str, registers: Mapping[str, int]) -> Operand | None:
    """The memory operand of an instruction, with its address by *registers*; None: it has none.

    An instruction that only calculates an address (``lea``, ``nop``) has none.
    """
    code, _, _ = text.partition("#")
    mnemonic = re.sub(r"^(rep[nz]*|lock|notrack|bnd|data16) ", "", code.strip())
    if mnemonic.startswith(("lea ", "nop")):
        return None
    found = list(_MEMORY.finditer(code))
    if not found:
        return _implied(mnemonic, registers)
    first = found[0]
    operands = mnemonic.partition(" ")[2]
    destination = operands.startswith(first.group(0)) and not mnemonic.startswith(_ONLY_READ)
    size = _SIZES.get(first["size"] or "")
    base, value = _base(first["inside"], registers)
    comment = _COMMENT.search(text)
    address = int(comment[1], 16) if comment else _address(first["inside"], registers)
    access = Access.WRITE if destination else Access.READ
    return Operand(f"[{first['inside']}]", base, value, address, access, size)


def _implied(mnemonic: str, registers: Mapping[str, int]) -> Operand | None:
    """Pushes and calls write below the stack pointer; a return reads at it."""
    name = mnemonic.split(" ", 1)[0]
    pointer = registers.get("rsp")
    if name in ("push", "call", "enter"):
        address = None if pointer is None else pointer - 8
        return Operand("[rsp-0x8]", "rsp", pointer, address, Access.WRITE, 8)
    if name in ("pop", "ret", "leave"):
        return Operand("[rsp]", "rsp", pointer, pointer, Access.READ, 8)
    return None


def _base(inside: str, registers: Mapping[str, int]) -> tuple[str | None, int | None]:
    for term in _TERM.finditer(inside):
        if term["register"] and term["scale"] is None:
            return term["register"], registers.get(term["register"])
    return None, None


def _address(inside: str, registers: Mapping[str, int]) -> int | None:
    total = 0
    for term in _TERM.finditer(inside):
        if term["number"]:
            value = int(term["number"], 0)
        elif term["register"] in registers:
            value = registers[term["register"]] * int(term["scale"] or 1)
        elif term["register"] in ("riz", "eiz"):
            value = 0
        else:
            return None
        total += -value if term["sign"] == "-" else value
    return total & _MASK
