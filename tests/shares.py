"""Which share of the tests runs by default; ``script/test --all`` (HANGTUI_TEST_ALL) runs all.

A test runs under the newest CPython installed and under one other that its name chooses. So every
version gets a fixed share of the tests, and a fair one. One is enough where only the kernel is
asked (``some_python``), and where a test has a family of cells, over which the versions spread.
A test that is marked ``every_python`` runs under all that it names: it reads what a version lays
out in its own way, or stands for all others of its mechanism.

Of a test that is marked ``one_in(N)`` every N-th cell runs: they are examples of one mechanism. One
that is marked ``thorough`` shows in large what others show in small. Both run in full if they are
named: ``pytest tests/x.py::test_y``.
"""

import os
import zlib
from collections import Counter
from collections.abc import Iterable

import pytest

from tests.integration.targets import Interpreter

ALL = bool(os.environ.get("HANGTUI_TEST_ALL"))
"""Whether everything is wanted."""
_FAMILY = 4
"""From so many cells on, the CPythons spread over a test's cells."""


def examples(number: int) -> int:
    """How many examples hypothesis makes up for a property, of so many with everything."""
    return number if ALL else max(20, number // 3)


def captures(number: int) -> int:
    """How often a healthy program is captured, of so many times with everything."""
    return number if ALL else max(2, number // 5)


def rounds(number: int) -> int:
    """How often an attack or a damage is repeated at another moment or place."""
    return number if ALL else (number + 1) // 2


def left_out(items: Iterable[pytest.Item], *, named: bool = False) -> list[pytest.Item]:
    """Those of *items*, which were asked for, that others of them stand for.

    Who names a version gets all tests under it; *named*: who names tests gets all their cells.
    """
    if ALL:
        return []
    result = _under_other_pythons(items)
    if not named:
        spared = set(result)
        result += _spare_cells(item for item in items if item not in spared)
    return result


def _under_other_pythons(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    groups: dict[str, dict[Interpreter, list[pytest.Item]]] = {}
    for item in items:
        found = _interpreter(item)
        if found is not None and item.get_closest_marker("every_python") is None:
            name = item.nodeid.replace(found.id, "")
            groups.setdefault(name, {}).setdefault(found, []).append(item)
    families = Counter(map(_function, groups))
    result = []
    for name, runs in groups.items():
        ((first, *_), *_) = runs.values()
        kernel = "some_python" in getattr(first, "fixturenames", ())
        keep = chosen(name, runs, one=kernel or families[_function(name)] >= _FAMILY)
        result += [item for found, some in runs.items() if found not in keep for item in some]
    return result


def _spare_cells(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    places: Counter[str] = Counter()
    result = []
    for item in items:
        share = item.get_closest_marker("one_in")
        if share is not None:
            place = places[_function(item.nodeid)]
            places[_function(item.nodeid)] += 1
        thorough = item.get_closest_marker("thorough") is not None
        if thorough or (share is not None and not in_share(place, *share.args)):
            result.append(item)
    return result


def in_share(place: int, of: int) -> bool:
    """Whether a cell runs, by its place among those of its test.

    It shifts: of two axes, of which the faster has *of* values, each value has its share.
    """
    return (place + place // of) % of == 0


def _function(name: str) -> str:
    return name.partition("[")[0]


def chosen(name: str, found: Iterable[Interpreter], *, one: bool) -> tuple[Interpreter, ...]:
    """Of those that a test can run under, the newest installed and one that its name chooses.

    *one*: nothing but that one, where only the kernel is asked.
    """
    *others, newest = sorted(
        found, key=lambda own: (own.origin != "fetched", own.number, own.origin == "pyenv", own.id)
    )
    turn = zlib.crc32(name.encode())
    if one:
        return ((*others, newest)[turn % (1 + len(others))],)
    return (newest, others[turn % len(others)]) if others else (newest,)


def _interpreter(item: pytest.Item) -> Interpreter | None:
    call = getattr(item, "callspec", None)
    values = () if call is None else call.params.values()
    return next((value for value in values if isinstance(value, Interpreter)), None)
