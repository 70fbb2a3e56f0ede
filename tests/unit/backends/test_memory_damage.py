"""Foreign bytes that make no sense raise one kind of error, whatever their parser raised."""

import struct
from collections.abc import Callable

import pytest

from hangtui.backends.elf.cfi import UnwindError
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import TargetError


@pytest.mark.parametrize(
    "parse",
    [
        lambda: struct.unpack("<Q", b"short"),
        lambda: b""[0],
        b"\xff".decode,
        lambda: int("x"),
        lambda: (1 << 80).to_bytes(8),
    ],
)
def test_what_parsers_raise_is_damaged_data(parse: Callable[[], object]) -> None:
    with pytest.raises(DamagedDataError, match="damaged data"), foreign_data():
        parse()
    with pytest.raises(DamagedDataError, match="damaged data"):
        foreign_data()(parse)()


@pytest.mark.parametrize(
    "error", [TargetError("gone"), BudgetSpentError("spent"), OSError("no disk"), KeyError("ours")]
)
def test_what_is_no_fault_of_the_data_stays_what_it_is(error: Exception) -> None:
    with pytest.raises(type(error)), foreign_data():
        raise error


def test_unreadable_memory_and_lost_callers_are_damaged_data_with_their_own_words() -> None:
    for error in (MemoryReadError("8 bytes at 0x10"), UnwindError("no rule")):
        with pytest.raises(DamagedDataError, match=str(error)), foreign_data():
            raise error
