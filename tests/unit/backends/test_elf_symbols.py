"""Tables of files: kept as long as the file is the same, whatever address it is loaded to."""

import gc
import io
import os
import shutil
import sys
from array import array
from dataclasses import replace
from pathlib import Path

import pytest

from hangtui.backends.elf import symbols
from hangtui.backends.elf.symbols import SymbolTable
from hangtui.backends.limits import ASKED, Spending


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with symbols of its own, and nothing kept of any other."""
    monkeypatch.setattr(symbols, "_KEPT", {})
    for candidate in (Path(sys.executable).resolve(), *Path(sys.base_prefix).glob("lib/*.so.*")):
        with candidate.open("rb") as file:
            if SymbolTable.from_file(file, 0).starts:
                symbols._KEPT.clear()
                return Path(shutil.copy(candidate, tmp_path / "program"))
    pytest.skip("no file with symbols here")


def test_a_kept_table_is_the_same_at_another_address(program: Path) -> None:
    with program.open("rb") as file:
        first = SymbolTable.from_file(file, 0x1000)
        again = SymbolTable.from_file(file, 0x500000)
    name = first.around(first.starts[0] + 0x1000)
    assert name is not None
    start, moved = first.address_of(name), again.address_of(name)
    assert start is not None
    assert moved is not None
    assert again.starts is first.starts
    assert moved - start == 0x500000 - 0x1000
    assert first.starting_at(start) is not None
    assert again.starting_at(start + 0x4FF000) == first.starting_at(start)
    assert again.around(start + 0x4FF000) == first.around(start)


def test_a_file_that_changed_is_read_again(program: Path) -> None:
    with program.open("rb") as file:
        assert SymbolTable.from_file(file, 0).starts
    program.write_bytes(program.read_bytes()[:64].ljust(4096, b"\0"))
    with program.open("rb") as file:
        assert SymbolTable.from_file(file, 0).starts == array("Q")


def test_only_so_many_tables_are_kept(program: Path, tmp_path: Path) -> None:
    content = program.read_bytes()[:64].ljust(4096, b"\0")
    for number in range(symbols._MAX_KEPT + 5):
        path = tmp_path / f"{number}"
        path.write_bytes(content)
        with path.open("rb") as file:
            SymbolTable.from_file(file, 0)
    assert len(symbols._KEPT) == symbols._MAX_KEPT


def test_what_is_in_memory_alone_is_not_kept(program: Path) -> None:
    table = SymbolTable.from_file(io.BytesIO(program.read_bytes()), 0)
    assert table.starts
    assert symbols._KEPT == {}


@pytest.mark.parametrize("kept", [True, False])
def test_names_of_a_large_file_stay_there(
    program: Path, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    with program.open("rb") as file:
        whole = SymbolTable.from_file(file, 0)
    symbols._KEPT.clear()
    monkeypatch.setattr(symbols, "_MANY_NAMES", 1)
    with program.open("rb") as file:
        spent = Spending(replace(ASKED, symbol_bytes=whole.size + len(whole.starts) * 8))
        apart = SymbolTable.from_file(file, 0, spent)
    assert apart.size < whole.size
    assert list(apart.starts) == list(whole.starts)

    if not kept:
        program.write_bytes(b"")  # whoever may write there takes names away, and no more
    places = [*apart.starts[:50], *apart.starts[-50:]]
    names = [whole.around(place) for place in places]
    assert [apart.around(place) for place in places] == (names if kept else [""] * len(names))
    assert names[0] is not None
    assert apart.address_of(names[0]) == (whole.address_of(names[0]) if kept else None)


def test_no_file_stays_open_longer_than_its_table(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(symbols, "_MANY_NAMES", 1)
    before = len(os.listdir("/proc/self/fd"))
    with program.open("rb") as file:
        table = SymbolTable.from_file(file, 0)
    assert len(os.listdir("/proc/self/fd")) == before + 1
    symbols._KEPT.clear()
    del table
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before
