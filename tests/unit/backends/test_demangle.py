"""Names that stand for far more than they are long."""

import resource

import pytest

from hangtui.backends.elf.demangle import _Apart, demangle

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _doubling(levels: int) -> str:
    """A function whose last parameter is written with 2 to the power of *levels* words."""
    return "_Z1f1aIiiE" + "".join(f"S_IS{_DIGITS[n]}_S{_DIGITS[n]}_E" for n in range(levels))


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    demangle.cache_clear()
    monkeypatch.setattr(_Apart, "left", 2)


def test_ordinary_names() -> None:
    assert demangle("_ZNSt6vectorIiSaIiEE9push_backERKi") == (
        "std::vector<int, std::allocator<int> >::push_back(int const&)"
    )
    assert demangle("main") == "main"
    assert demangle("_Zgarbage") == "_Zgarbage"


def test_a_name_that_repeats_itself_is_demangled_apart() -> None:
    told = demangle(_doubling(14))
    assert told.startswith("f(a<int, int>, a<a<int, int>, a<int, int> >, ")
    assert len(told) <= 1 << 16
    assert _Apart.left == 1


def test_one_that_stands_for_gigabytes_stays_as_it_is() -> None:
    name = _doubling(35)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert demangle(name) == name
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10  # KiB


def test_only_a_few_are_worth_a_process_each() -> None:
    names = [_doubling(levels) for levels in (14, 15, 16)]
    told = [demangle(name) != name for name in names]
    assert told == [True, True, False]


def test_packs_within_packs_are_demangled_apart() -> None:
    name = "_Z1fIJ" + "i" * 100 + "EEv" + "DpSt5tupleIJ" * 6 + "DpT_" + "EE" * 6
    demangle(name)
    assert _Apart.left == 1


def test_a_name_of_a_megabyte_is_not_even_tried() -> None:
    name = "_Z" + "1a" * (1 << 19)
    assert demangle(name) == name
    assert _Apart.left == 2
