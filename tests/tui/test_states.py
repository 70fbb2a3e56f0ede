"""The screens where there is little to show, or little room: nothing captured, nothing arrived yet,
nothing that may be read, terminals that are very small or very wide."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from hangtui.model import Capture
from hangtui.provider import CaptureRequest
from hangtui.tui.app import HangtuiApp
from hangtui.tui.keys import ViewName
from tests.tui.driving import (
    NARROW,
    WIDE,
    Before,
    SteppedProvider,
    app_over,
    pressing,
    recorded,
    screen,
    settled,
)
from tests.tui.test_pictures import SIZES, SnapCompare, number_of

TINY, VERY_WIDE = (40, 10), (200, 50)
VIEWS = (
    ViewName.OVERVIEW,
    ViewName.THREAD,
    ViewName.WAITS,
    ViewName.FINDINGS,
    ViewName.MERGED,
)
each_view = pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.value)


def not_allowed() -> Capture:
    """Of a process of root, taken by somebody else."""
    return recorded("not_allowed")


def nothing() -> Capture:
    return replace(not_allowed(), processes=(), notices=())


def story_a() -> Capture:
    return recorded("story_a_rwlock_gil")


def waiting() -> HangtuiApp:
    """Nothing has been read yet."""
    return HangtuiApp(SteppedProvider(), CaptureRequest((1,)))


async def seen(capture: Capture, size: tuple[int, int], view: ViewName) -> str:
    async with app_over(capture).run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press(number_of(view))
        await pilot.pause()
        return screen(pilot)


NOT_ALLOWED = {
    ViewName.OVERVIEW: ("? NOT READ", "CAP_SYS_PTRACE", "fix: sudo hangtui", "unknown"),
    ViewName.THREAD: ("stacks: not read · to get them: sudo hangtui", "waits for nothing that is"),
    ViewName.WAITS: ("THREADS THAT ARE NOT KNOWN TO WAIT FOR ANYBODY: 3",),
    ViewName.FINDINGS: ("MISSING IN THIS CAPTURE: 1 notice", "TO GET IT", "sudo hangtui"),
    ViewName.MERGED: ("no stack was read", "3 threads of which no stack was read"),
}
NOTHING = {
    ViewName.OVERVIEW: ("no threads",),
    ViewName.THREAD: ("not looked into",),
    ViewName.WAITS: ("no threads", "no ring"),
    ViewName.FINDINGS: ("no finding", "There is no process in this capture."),
    ViewName.MERGED: ("no stack was read",),
}


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize(
    ("capture", "says"), [(not_allowed, NOT_ALLOWED), (nothing, NOTHING)], ids=["denied", "nothing"]
)
@each_view
async def test_what_is_missing_is_said_on_each_screen(
    view: ViewName,
    capture: Callable[[], Capture],
    says: dict[ViewName, tuple[str, ...]],
    size: tuple[int, int],
) -> None:
    text = await seen(capture(), size, view)

    assert [part for part in says[view] if part not in text] == []
    assert "No rule found anything in" not in text


@pytest.mark.parametrize("size", [WIDE, NARROW])
@each_view
async def test_before_anything_has_arrived_it_says_so(
    view: ViewName, size: tuple[int, int]
) -> None:
    async with waiting().run_test(size=size) as pilot:
        await pilot.press(number_of(view))
        await pilot.pause()
        lines = screen(pilot).splitlines()

    assert lines[1].endswith("reading …")
    assert any(line.strip(" │┃") == "reading …" for line in lines[2:])
    assert "no finding" not in "\n".join(lines)


@pytest.mark.parametrize(
    ("capture", "badge"),
    [(story_a, "X deadlock"), (not_allowed, "? NOT READ")],
    ids=["story_a", "denied"],
)
@each_view
async def test_a_tiny_terminal_has_the_verdict_and_the_list(
    view: ViewName, capture: Callable[[], Capture], badge: str
) -> None:
    first, *rest = (await seen(capture(), TINY, view)).splitlines()

    assert badge in first
    assert "needs 60x16" in first
    assert any(line.strip() for line in rest)
    assert all(len(line) <= TINY[0] for line in (first, *rest))


async def test_a_very_wide_terminal_cuts_nothing_of_the_table() -> None:
    text = await seen(story_a(), VERY_WIDE, ViewName.OVERVIEW)
    rows = [line for line in text.splitlines() if "┃" in line and "X deadlock" in line]

    assert len(rows) == 2
    assert "…" not in "".join(rows)


def _app(state: str) -> tuple[HangtuiApp, Before]:
    if state == "first-second":
        return waiting(), _nothing_arrives
    return app_over(not_allowed() if state == "denied" else nothing()), pressing()


async def _nothing_arrives(pilot: object) -> None:
    """The picture is that of the beginning."""


@SIZES
@pytest.mark.parametrize("state", ["first-second", "denied", "nothing"])
def test_pictures_of_states(snap_compare: SnapCompare, state: str, size: tuple[int, int]) -> None:
    app, before = _app(state)

    assert snap_compare(app, terminal_size=size, run_before=before)


@each_view
@pytest.mark.parametrize("size", [TINY, VERY_WIDE], ids=["40x10", "200x50"])
def test_pictures_of_sizes(
    snap_compare: SnapCompare, view: ViewName, size: tuple[int, int]
) -> None:
    app = app_over(story_a())

    assert snap_compare(app, terminal_size=size, run_before=pressing(number_of(view)))


@each_view
def test_pictures_without_permission(snap_compare: SnapCompare, view: ViewName) -> None:
    app = app_over(not_allowed())

    assert snap_compare(app, terminal_size=NARROW, run_before=pressing(number_of(view)))
