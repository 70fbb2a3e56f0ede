"""Who takes long comes first, in as many parts as there are workers."""

from collections.abc import Iterable
from pathlib import Path
from typing import cast

import pytest

from tests.order import in_order

TESTS = Path(__file__).parents[1]
LONG = {
    f"integration/test_{name}.py": count
    for name, count in {"a": 9, "b": 7, "c": 7, "d": 2, "e": 1}.items()
}


class Item:
    def __init__(self, path: str, number: int, mark: str | None = None) -> None:
        self.path, self.number, self.mark = TESTS / path, number, mark

    def get_closest_marker(self, name: str) -> object:
        return name if name == self.mark else None


def ordered(items: Iterable[Item], workers: int) -> list[Item]:
    given = list(items)
    result = cast(list[Item], in_order(cast(list[pytest.Item], given), workers))
    assert sorted(map(id, result)) == sorted(map(id, given))
    return result


def parts(items: list[Item], workers: int) -> list[list[Item]]:
    """As pytest-xdist gives them out (worksteal)."""
    result, left = [], list(items)
    for number in range(workers):
        size = len(left) // (workers - number)
        result.append(left[:size])
        del left[:size]
    return result


@pytest.mark.parametrize("workers", [2, 3, 4])
def test_each_worker_begins_with_whole_modules_and_ends_with_what_is_short(workers: int) -> None:
    short = [Item(f"unit/test_{n % 9}.py", n) for n in range(200)]
    long = [Item(path, n) for path, count in LONG.items() for n in range(count)]
    of_each = [
        [item for item in part if item.path.parent.name == "integration"]
        for part in parts(ordered((*short, *long), workers), workers)
    ]

    modules = [list(dict.fromkeys(item.path for item in part)) for part in of_each]
    assert sorted(path for part in modules for path in part) == sorted({one.path for one in long})
    assert max(map(len, of_each)) - min(map(len, of_each)) <= 9


@pytest.mark.parametrize("workers", [2, 3, 4])
def test_what_is_long_comes_first_in_each_part(workers: int) -> None:
    short = [Item(f"unit/test_{n % 9}.py", n) for n in range(200)]
    long = [Item(path, n) for path, count in LONG.items() for n in range(count)]
    for part in parts(ordered((*short, *long), workers), workers):
        is_short = [item.path.parent.name == "unit" for item in part]
        assert is_short == sorted(is_short)


def test_a_long_one_among_the_short_ones_comes_first() -> None:
    short = [Item("unit/test_it.py", n, {50: "processes", 70: "slow"}.get(n)) for n in range(100)]
    first, second = parts(ordered(short, 2), 2)
    assert [item.number for item in (first[0], first[1])] == [50, 70]
    assert all(item.mark is None for item in second)


def test_containers_come_after_what_is_long_and_with_one_worker() -> None:
    short = [Item("unit/test_it.py", n) for n in range(100)]
    long = [Item(path, n) for path, count in LONG.items() for n in range(count)]
    beside = [Item(f"container/test_{name}.py", n) for name in "ab" for n in range(3)]
    with_them = [
        [item.path.parent.name for item in part]
        for part in parts(ordered((*beside, *short, *long), 3), 3)
    ]
    (names,) = (names for names in with_them if "container" in names)
    assert list(dict.fromkeys(names)) == ["integration", "container", "unit"]


def test_nothing_but_what_is_long() -> None:
    long = [Item(path, n) for path, count in LONG.items() for n in range(count)]
    assert len(ordered(long, 2)) == len(long)
