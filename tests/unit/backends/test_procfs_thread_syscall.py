"""The kernel's text on a sleeping thread, parsed."""

import pytest

from hangtui.backends.arch import AARCH64, X86_64
from hangtui.backends.libc.futex import FutexCall
from hangtui.backends.procfs import thread_syscall


def test_a_futex_call() -> None:
    text = "202 0x7f00 0x189 0x3 0x0 0x0 0xffffffff 0x7ffd10 0x7f10\n"
    where = thread_syscall.parse(text, X86_64)
    assert where is not None
    assert (where.stack_pointer, where.address) == (0x7FFD10, 0x7F10)
    assert where.futex == FutexCall(0x7F00, 0x189, 3, 0)


def test_a_value_is_a_32_bit_word() -> None:
    where = thread_syscall.parse("202 0x7f00 0x80 0xffffffff80000000 0x0 0x0 0x0 0x1 0x2", X86_64)
    assert where is not None
    assert where.futex == FutexCall(0x7F00, 0x80, 0x80000000, 0)


def test_the_same_on_aarch64() -> None:
    where = thread_syscall.parse("98 0x7f00 0x80 0x2 0x0 0x0 0x0 0x1 0x2", AARCH64)
    assert where is not None
    assert (where.call, where.futex) == ("futex", FutexCall(0x7F00, 0x80, 2, 0))


def test_a_page_fault_has_no_arguments() -> None:
    where = thread_syscall.parse("-1 0x7ffd10 0x7f10")
    assert where is not None
    assert (where.call, where.futex, where.stack_pointer) == ("", None, 0x7FFD10)


@pytest.mark.parametrize("text", [None, "", "running\n", "202 0x1", "x y z", "1 2 3 4 5 6 7 8 g"])
def test_anything_else_is_no_sleep(text: str | None) -> None:
    assert thread_syscall.parse(text) is None
