import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from hangtui.tui.cells import (
    GAP,
    allot,
    changed_span,
    cut,
    cut_left,
    pad,
    spread,
    strip_of,
    wrap,
)
from hangtui.tui.filters import matcher
from hangtui.tui.rows.labels import duration

WIDTHS = st.integers(min_value=0, max_value=40)


@given(st.text(), WIDTHS)
def test_cut_never_exceeds_its_width(text: str, width: int) -> None:
    assert cell_len(cut(text, width)) <= width
    assert cell_len(cut_left(text, width)) <= width


@given(st.text(), WIDTHS)
def test_pad_is_exactly_as_wide_as_asked(text: str, width: int) -> None:
    assert cell_len(pad(text, width)) == width


@given(st.text(max_size=200), st.integers(min_value=12, max_value=60))
def test_wrap_keeps_all_words_and_its_width(text: str, width: int) -> None:
    lines = wrap(text, width, "  1  ")

    assert all(cell_len(line) <= width for line in lines)
    joined = "".join(line[5:] if i else line for i, line in enumerate(lines))
    assert "".join(clean_words(text)) == joined.removeprefix("  1  ").replace(" ", "")


def clean_words(text: str) -> list[str]:
    from hangtui.model import clean

    return clean(text).split()


def test_wrap_indents_what_follows() -> None:
    assert wrap("one two three", 9, "- ") == ["- one two", "  three"]


def test_cut_says_that_it_cut() -> None:
    assert cut("db_lock (threading.Lock)", 10) == "db_lock (…"
    assert cut_left("/srv/app/cache.py:88", 10) == "…che.py:88"


@given(st.lists(st.tuples(WIDTHS, WIDTHS), min_size=1, max_size=8), st.integers(0, 200))
def test_allotted_columns_fit_or_are_at_their_least(
    columns: list[tuple[int, int]], total: int
) -> None:
    wanted = [max(pair) for pair in columns]
    least = [min(pair) for pair in columns]
    widths = allot(wanted, least, total)

    fits = sum(widths) + GAP * (len(widths) - 1) <= total
    assert fits or widths == least
    assert all(low <= got <= want for low, got, want in zip(least, widths, wanted, strict=True))


@pytest.mark.parametrize("width", [0, 1, 5, 30])
def test_spread_fills_the_line(width: int) -> None:
    assert spread(Text("left side"), Text("right"), width).cell_len <= width
    if width == 30:
        assert spread(Text("left"), Text("right"), width).plain == "left" + " " * 21 + "right"


def test_no_control_character_reaches_the_terminal() -> None:
    strip = strip_of(Text("\x1b]0;x\u202e[red]"), 12, Console(), Style.null())

    assert strip.text == "\ufffd]0;x\ufffd[red] "


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("", True),
        ("worker", True),
        ("WORKER lock", True),
        ("worker !lock", False),
        ("!io", True),
        ("!", True),
        ("gil", False),
        ("re:worker-[ab] .*lock$", True),
        ("re:^waits", False),
        ("re:worker-(", False),
        ("re:", True),
    ],
)
def test_filter_language(query: str, matches: bool) -> None:
    assert matcher(query)("Worker-a waits for a lock") is matches


@pytest.mark.parametrize(
    ("before", "after", "span"),
    [
        (["ab", "cd", "ef"], ["ab", "cd", "ef"], None),
        (["ab", "cd", "ef"], ["ab", "xy", "ef"], (2, 4)),
        (["ab", "cd"], ["xy", "cd"], (0, 2)),
        (["ab", "数"], ["ab", "x "], (2, 4)),
        (["ab"], ["abc"], (0, 3)),
        (["a", "a", "a"], ["a", "a", "b"], (2, 3)),
    ],
)
def test_span_of_cells_that_changed(
    before: list[str], after: list[str], span: tuple[int, int] | None
) -> None:
    strips = [Strip([Segment(text) for text in texts]) for texts in (before, after)]

    assert changed_span(strips[0], strips[1]) == span


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.96, "0.9s"),
        (1.9, "1s"),
        (11.9, "10s"),
        (47, "40s"),
        (119, "110s"),
        (150, "2m"),
        (8000, "2h"),
    ],
)
def test_a_time_is_never_longer_than_it_was(seconds: float, text: str) -> None:
    assert duration(seconds) == text
