"""Which CPythons tests run under: every version has its share, and none is left out for good."""

from collections import Counter
from pathlib import Path

from tests.integration.targets import Interpreter
from tests.shares import chosen

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
