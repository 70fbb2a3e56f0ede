"""Names that stand for far more than they are long."""

import resource

import pytest

from hangtui.backends.elf.demangle import _Apart, demangle

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BASE62 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


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


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("_RNvNtCs9ltgdHTiPiY_4core3ptr4read", "core::ptr::read"),
        ("_RNvMs0_NtCs5_5tokio4parkNtB5_5Inner4park", "<tokio::park::Inner>::park"),
        ("_RINvNtC3std3mem8align_ofNtNtC3std3mem4KindE", "std::mem::align_of::<std::mem::Kind>"),
        ("_RNCNvC5rayon4main0B3_", "rayon::main::{closure}"),
        ("_RNvXs_C5rayonNtB4_3FooNtC3std5Clone5clone", "<rayon::Foo as std::Clone>::clone"),
        ("_RINvC5rayon3fooKj10_E", "rayon::foo::<16>"),
        ("_RINvC5rayon3fooRDNtC3std4SendEL_E", "rayon::foo::<&dyn std::Send>"),
        ("_RINvCs_5rayon4joinFEuTjmEE", "rayon::join::<fn(), (usize, u32)>"),
        ("_ZN4core3ptr4read17h0123456789abcdefE", "core::ptr::read"),
        ("_ZN4core3ptr4read17h0123456789abcdefE.llvm.2864789188548927817", "core::ptr::read"),
        (
            "_ZN39_$LT$bus..Line$u20$as$u20$bus..Send$GT$7deliver17h0123456789abcdefE",
            "<bus::Line as bus::Send>::deliver",
        ),
        ("_ZN3bus16f$u7b$$RF$x$u7d$17h0123456789abcdefE", "bus::f{&x}"),
    ],
)
def test_names_of_rust(name: str, meaning: str) -> None:
    assert demangle(name) == meaning


@pytest.mark.parametrize(
    "name",
    [
        "_R",
        "_RNv",
        "_RBB_",
        "_RNvC999999999999999999999foo",
        "_RINvC1a1bKjzz_E",
        "_R" + "Nv" * 500,
        "_RINvC1a1b" + "R" * 3000 + "uE",
        "_RINvC1a1b" + "T" + "j" * 3000 + "EE",
        # each tuple holds the one before twice
        "_RINvC1a1bTuuE" + "".join(f"TB{_BASE62[n]}_B{_BASE62[n]}_E" for n in range(6, 40)) + "E",
    ],
)
def test_what_is_no_name_of_rust_or_too_much_of_one_stays(name: str) -> None:
    assert demangle(name) == name
