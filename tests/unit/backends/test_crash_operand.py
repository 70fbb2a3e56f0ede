"""What instructions do with which memory."""

import pytest

from hangtui.backends.crash.operand import operand_of
from hangtui.model import Access

REGISTERS = {"rax": 0, "rdi": 0x1000, "rdx": 3, "rsp": 0x7FFF0000, "r8": 0x2000}


@pytest.mark.parametrize(
    ("text", "operand", "address", "access", "size"),
    [
        ("mov rax,QWORD PTR [rdi+0x18]", "[rdi+0x18]", 0x1018, Access.READ, 8),
        ("mov DWORD PTR [rax],0x1", "[rax]", 0, Access.WRITE, 4),
        ("movsd xmm0,QWORD PTR [r8+rdx*8]", "[r8+rdx*8]", 0x2018, Access.READ, 8),
        ("cmp BYTE PTR [rdi-0x8],0x0", "[rdi-0x8]", 0xFF8, Access.READ, 1),
        ("call QWORD PTR [rax+0x10]", "[rax+0x10]", 0x10, Access.READ, 8),
        ("rep stos QWORD PTR es:[rdi],rax", "[rdi]", 0x1000, Access.WRITE, 8),
        ("lock xadd DWORD PTR [rdi],eax", "[rdi]", 0x1000, Access.WRITE, 4),
        ("cmp QWORD PTR [rip+0x2f3a],0x0 # 0x555555558010", "[rip+0x2f3a]", 0x555555558010,
         Access.READ, 8),
        ("mov rax,QWORD PTR fs:0x28", None, None, None, None),
        ("lea rax,[rdi+0x10]", None, None, None, None),
        ("push rbp", "[rsp-0x8]", 0x7FFEFFF8, Access.WRITE, 8),
        ("call 0x7f0000001234 <work+4>", "[rsp-0x8]", 0x7FFEFFF8, Access.WRITE, 8),
        ("ret", "[rsp]", 0x7FFF0000, Access.READ, 8),
        ("idiv ecx", None, None, None, None),
    ],
)  # fmt: skip
def test_operands(
    text: str, operand: str | None, address: int | None, access: Access | None, size: int | None
) -> None:
    found = operand_of(text, REGISTERS)
    if operand is None:
        assert found is None
        return
    assert found is not None
    assert (found.text, found.address, found.access, found.size) == (operand, address, access, size)


def test_the_base_register_is_named_with_its_value() -> None:
    found = operand_of("mov rax,QWORD PTR [rdi+rdx*4+0x18]", REGISTERS)
    assert found is not None
    assert (found.register, found.value) == ("rdi", 0x1000)


def test_an_address_from_an_unknown_register_is_unknown() -> None:
    found = operand_of("mov rax,QWORD PTR [r15+0x18]", REGISTERS)
    assert found is not None
    assert (found.register, found.value, found.address) == ("r15", None, None)
