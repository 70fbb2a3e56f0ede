"""What instructions do with which memory, read from their bytes alone."""

import pytest

from hangtui.backends.crash.instructions_x86_64 import around, operand_at
from hangtui.model import Access
from tests.unit.backends.fakes import LiteralMemory

PC = 0x555555555000
REGISTERS = {
    "rax": 0, "rdi": 0x1000, "rdx": 3, "rsp": 0x7FFF0000, "r8": 0x2000, "fs_base": 0x70000000,
}  # fmt: skip


def code(hexadecimal: str, behind: int = 64) -> LiteralMemory:
    """Memory with some instructions, and others behind them that do nothing."""
    return LiteralMemory((PC, bytes.fromhex(hexadecimal) + b"\x90" * behind))


@pytest.mark.parametrize(
    ("bytes_", "text", "operand", "address", "access", "size"),
    [
        ("488b4718", "mov rax,qword ptr [rdi+0x18]", "[rdi+0x18]", 0x1018, Access.READ, 8),
        ("c70001000000", "mov dword ptr [rax],0x1", "[rax]", 0, Access.WRITE, 4),
        ("f2410f1004d0", "movsd xmm0,qword ptr [r8+rdx*8]", "[r8+rdx*8]", 0x2018, Access.READ, 8),
        ("807ff800", "cmp byte ptr [rdi-0x8],0x0", "[rdi-0x8]", 0xFF8, Access.READ, 1),
        ("ff5010", "call qword ptr [rax+0x10]", "[rax+0x10]", 0x10, Access.READ, 8),
        ("f348ab", "rep stosq qword ptr [rdi]", "[rdi]", 0x1000, Access.WRITE, 8),
        ("f00fc107", "lock xadd dword ptr [rdi],eax", "[rdi]", 0x1000, Access.WRITE, 4),
        ("48833d3a2f000000", "cmp qword ptr [rip+0x2f3a],0x0", "[0x555555557f42]", 0x555555557F42,
         Access.READ, 8),
        ("64488b042528000000", "mov rax,qword ptr fs:[0x28]", "[0x28]", 0x70000028, Access.READ, 8),
        ("55", "push rbp", "[rsp-0x8]", 0x7FFEFFF8, Access.WRITE, 8),
        ("e8fb000000", "call 0x555555555100", "[rsp-0x8]", 0x7FFEFFF8, Access.WRITE, 8),
        ("c3", "ret", "[rsp]", 0x7FFF0000, Access.READ, 8),
    ],
)  # fmt: skip
def test_operands(
    bytes_: str, text: str, operand: str, address: int, access: Access, size: int
) -> None:
    memory = code(bytes_)
    shown = around(memory, PC, None)[0]
    assert (shown.text, shown.current) == (text, True)
    found = operand_at(memory, PC, REGISTERS, None)
    assert found is not None
    assert (found.text, found.address, found.access, found.size) == (operand, address, access, size)


@pytest.mark.parametrize("bytes_", ["488d4710", "f7f9", "0f0b"])
def test_no_memory_no_operand(bytes_: str) -> None:
    """``lea``, ``idiv ecx``, ``ud2``."""
    assert operand_at(code(bytes_), PC, REGISTERS, None) is None


def test_code_that_cannot_be_read() -> None:
    assert around(LiteralMemory(), PC, PC - 8) == ()
    assert operand_at(LiteralMemory(), PC, REGISTERS, None) is None


def test_code_that_ends_with_its_mapping() -> None:
    memory = LiteralMemory((PC, b"\x90" * 4092 + bytes.fromhex("488b4718")))
    shown = around(memory, PC + 4092, PC)
    assert (len(shown), shown[-1].text) == (7, "mov rax,qword ptr [rdi+0x18]")
    found = operand_at(memory, PC + 4092, REGISTERS, 0x1018)
    assert found is not None
    assert found.text == "[rdi+0x18]"


def test_of_two_operands_the_one_that_failed() -> None:
    memory = code("ff5010")  # call qword ptr [rax+0x10]: reads there, and writes below rsp
    pushed = operand_at(memory, PC, REGISTERS, 0x7FFEFFFC)
    assert pushed is not None
    assert (pushed.text, pushed.access) == ("[rsp-0x8]", Access.WRITE)


def test_the_base_register_is_named_with_its_value() -> None:
    found = operand_at(code("488b449718"), PC, REGISTERS, None)
    assert found is not None
    assert (found.text, found.register, found.value) == ("[rdi+rdx*4+0x18]", "rdi", 0x1000)


def test_an_address_from_an_unknown_register_is_unknown() -> None:
    found = operand_at(code("498b4718"), PC, REGISTERS, None)
    assert found is not None
    assert (found.register, found.value, found.address) == ("r15", None, None)


def test_the_instructions_before_and_behind() -> None:
    memory = code("55" + "90" * 9 + "c70001000000" + "90" * 9 + "c3")
    shown = around(memory, PC + 10, PC)
    assert [one.current for one in shown].index(True) == 6
    assert len(shown) == 12
    assert shown[6].text == "mov dword ptr [rax],0x1"


def test_a_function_that_does_not_lead_to_it_in_step() -> None:
    """Data between the instructions: decoding begins at the fault then."""
    shown = around(code("48b8" + "90" * 6 + "c3"), PC + 8, PC)
    assert [(one.text, one.current) for one in shown[:2]] == [("ret", True), ("nop", False)]
