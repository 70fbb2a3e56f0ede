"""What a run of tests writes for the process beside it, and what that reads."""

import struct
from pathlib import Path

import pytest

from hangtui.testing.board import Board


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Board, Board]:
    """Of the tests, and of the process beside them."""
    return Board(str(tmp_path / "board")), Board(str(tmp_path / "board"))


def test_what_is_posted_is_read(sides: tuple[Board, Board]) -> None:
    tests, beside = sides
    tests.post(7, 12.5, 30.0, True, "test_shop.py::test_sale[ä]")
    tests.phase(2)

    note = beside.read()
    assert note == (7, 12.5, 30.0, True, "test_shop.py::test_sale[ä]", "teardown of fixtures")


def test_the_next_note_begins_without_a_phase(sides: tuple[Board, Board]) -> None:
    tests, beside = sides
    tests.post(1, 0.0, 1.0, True, "long" * 1000)
    tests.phase(1)
    tests.post(2, 0.0, 0.0, False, "")

    note = beside.read()
    assert note is not None
    assert (note.number, note.name, note.phase) == (2, "", "")


def test_a_note_that_is_half_written_is_not_read(tmp_path: Path) -> None:
    board = Board(str(tmp_path / "board"))
    board.post(1, 0.0, 1.0, True, "one")
    with (tmp_path / "board").open("r+b") as stream:
        stream.write(struct.pack("<Q", 2))

    assert board.read() is None


def test_an_answer_is_for_one_note(sides: tuple[Board, Board]) -> None:
    tests, beside = sides
    assert tests.answered() == 0
    beside.answer(7)
    assert tests.answered() == 7


def test_a_link_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    (tmp_path / "board").symlink_to(tmp_path / "other")

    with pytest.raises(OSError, match="board"):
        Board(str(tmp_path / "board"))
    assert (tmp_path / "other").stat().st_size == 0
