"""How the screens look, as pictures; what they say is tested as text elsewhere."""

from collections.abc import Callable

import pytest

from hangtui.tui.keys import ViewName
from tests.tui import samples
from tests.tui.driving import NARROW, WIDE, app_over, pressing, recorded

SnapCompare = Callable[..., bool]
SIZES = pytest.mark.parametrize(
    "size", [pytest.param(WIDE, id="120x40"), pytest.param(NARROW, id="80x24")]
)


def number_of(view: ViewName) -> str:
    """The key that opens a screen."""
    return str(list(ViewName).index(view) + 1)


@pytest.mark.one_in(2)
@SIZES
@pytest.mark.parametrize(
    ("name", "view"),
    [
        ("story_a_rwlock_gil", ViewName.OVERVIEW),
        ("story_a_rwlock_gil", ViewName.THREAD),
        ("story_a_rwlock_gil", ViewName.WAITS),
        ("story_a_rwlock_gil", ViewName.FINDINGS),
        ("crash_member", ViewName.CRASH),
        ("healthy_pool", ViewName.MERGED),
        ("abba", ViewName.WAITS),
        ("self_deadlock", ViewName.WAITS),
        ("healthy_http", ViewName.OVERVIEW),
        ("healthy_http", ViewName.FINDINGS),
    ],
    ids=lambda value: value.value if isinstance(value, ViewName) else value,
)
def test_recorded(
    snap_compare: SnapCompare, name: str, view: ViewName, size: tuple[int, int]
) -> None:
    app = app_over(recorded(name))

    assert snap_compare(app, terminal_size=size, run_before=pressing(number_of(view)))


@SIZES
def test_ring_of_three(snap_compare: SnapCompare, size: tuple[int, int]) -> None:
    app = app_over(samples.deadlock())

    assert snap_compare(app, terminal_size=size, run_before=pressing("3", "j"))


@SIZES
def test_first_facts(snap_compare: SnapCompare, size: tuple[int, int]) -> None:
    app = app_over(samples.first_facts())

    assert snap_compare(app, terminal_size=size, run_before=pressing())


@SIZES
def test_help(snap_compare: SnapCompare, size: tuple[int, int]) -> None:
    app = app_over(samples.deadlock())

    assert snap_compare(app, terminal_size=size, run_before=pressing("question_mark"))


SCREENS = pytest.mark.parametrize(
    ("name", "view"),
    [
        ("crash_member" if view is ViewName.CRASH else "story_a_rwlock_gil", view)
        for view in ViewName
    ],
    ids=lambda value: value.value if isinstance(value, ViewName) else value,
)


@pytest.mark.one_in(2)
@SIZES
@SCREENS
def test_without_colour(
    snap_compare: SnapCompare,
    name: str,
    view: ViewName,
    size: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = app_over(recorded(name))

    assert snap_compare(app, terminal_size=size, run_before=pressing(number_of(view)))


@pytest.mark.one_in(2)
@SIZES
@SCREENS
def test_ascii(snap_compare: SnapCompare, name: str, view: ViewName, size: tuple[int, int]) -> None:
    app = app_over(recorded(name), ascii=True)

    assert snap_compare(app, terminal_size=size, run_before=pressing(number_of(view)))


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light", "high-contrast"])
def test_themes(snap_compare: SnapCompare, theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANGTUI_THEME", theme)
    app = app_over(recorded("story_a_rwlock_gil"))

    assert snap_compare(app, terminal_size=WIDE, run_before=pressing())


def test_large(snap_compare: SnapCompare) -> None:
    app = app_over(samples.deadlock())

    assert snap_compare(app, terminal_size=(250, 80), run_before=pressing())


def test_too_small(snap_compare: SnapCompare) -> None:
    app = app_over(samples.deadlock())

    assert snap_compare(app, terminal_size=(20, 5), run_before=pressing())
