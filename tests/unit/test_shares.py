"""Which CPythons tests run under: every version has its share, and none is left out for good."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests import shares
from tests.integration.targets import Interpreter
from tests.shares import chosen, in_share, left_out

FOUND = [
    *(Interpreter(Path(f"/p/3.{minor}"), f"3.{minor}", "pyenv") for minor in range(6, 14)),
    Interpreter(Path("/usr/bin/python3.11"), "3.11", "system"),
    Interpreter(Path("/f/3.14"), "3.14", "fetched"),
    Interpreter(Path("/f/3.13t"), "3.13t", "built"),
]
NAMES = [f"tests/integration/test_{n}.py::test_it[-scenario {n}]" for n in range(2000)]


def ids(name: str, *, one: bool = False) -> list[str]:
    return [found.id for found in chosen(name, FOUND, one=one)]


def test_the_newest_that_is_installed_and_one_other() -> None:
    for name in NAMES:
        newest, other = ids(name)
        assert newest == "pyenv-3.13"
        assert other != newest


def test_the_others_have_equal_shares() -> None:
    counts = Counter(ids(name)[1] for name in NAMES)
    assert len(counts) == len(FOUND) - 1
    assert min(counts.values()) > 0.7 * len(NAMES) / len(counts)


def test_where_one_is_enough_each_has_its_turn() -> None:
    counts = Counter(found for name in NAMES for found in ids(name, one=True))
    assert sum(counts.values()) == len(NAMES)
    assert len(counts) == len(FOUND)


def test_a_name_chooses_the_same_ones_each_time() -> None:
    assert ids("a") == [found.id for found in chosen("a", FOUND[::-1], one=False)]


def test_the_only_one_is_chosen() -> None:
    assert chosen("a", FOUND[:1], one=False) == chosen("a", FOUND[:1], one=True) == (FOUND[0],)


def test_a_share_of_the_cells_has_some_of_every_row_and_column() -> None:
    for of, rows, columns in ((2, 10, 2), (2, 3, 2), (3, 9, 3), (3, 7, 1), (2, 7, 1)):
        cells = [divmod(place, columns) for place in range(rows * columns) if in_share(place, of)]
        assert cells[0] == (0, 0)
        assert abs(len(cells) - rows * columns / of) < 1
        if columns > 1:
            assert {row for row, _ in cells} == set(range(rows))
            assert {column for _, column in cells} == set(range(columns))


class Cell:
    """A test as it was collected."""

    def __init__(self, name: str, *marks: pytest.MarkDecorator, python: object = None) -> None:
        self.nodeid = f"tests/test_x.py::{name}"
        self._marks = {one.name: one.mark for one in marks}
        self.fixturenames = ["python"]
        if python is not None:
            self.callspec = SimpleNamespace(params={"python": python})

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self._marks.get(name)


def kept(cells: Sequence[Cell], *, named: bool = False) -> list[str]:
    out = left_out(cast("list[pytest.Item]", cells), named=named)
    return [one.nodeid.partition("::")[2] for one in cells if one not in cast("list[Cell]", out)]


MARKED = [
    *(Cell(f"test_many[{number}]", pytest.mark.one_in(3)) for number in range(4)),
    Cell("test_in_large", pytest.mark.thorough),
    Cell("test_in_small"),
]


def test_what_is_marked_runs_in_part_or_when_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "ALL", False)
    assert kept(MARKED) == ["test_many[0]", "test_in_small"]
    assert len(kept(MARKED, named=True)) == len(MARKED)
    monkeypatch.setattr(shares, "ALL", True)
    assert len(kept(MARKED)) == len(MARKED)


@pytest.mark.parametrize(("cells", "runs"), [(3, 2), (4, 1)])
def test_versions_spread_over_a_family(
    cells: int, runs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "ALL", False)
    family = [
        Cell(f"test_it[{found.id}-{number}]", python=found)
        for number in range(cells)
        for found in FOUND
    ]
    assert len(kept(family)) == cells * runs
