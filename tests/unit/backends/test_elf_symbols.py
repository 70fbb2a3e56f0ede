"""Tables of files: kept as long as the file is the same, whatever address it is loaded to."""

import io
import shutil
import sys
from array import array
from pathlib import Path

import pytest

from hangtui.backends.elf import symbols
from hangtui.backends.elf.symbols import SymbolTable


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
