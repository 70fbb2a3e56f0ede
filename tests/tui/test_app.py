import json
import stat
from pathlib import Path

import pytest

from hangtui import capture_file
from hangtui.model import Capture
from hangtui.tui.bindings import keys_of
from hangtui.tui.keys import KEYS, Scope, ViewName
from tests.tui import samples
from tests.tui.driving import (
    NARROW,
    WIDE,
    app_over,
    hangtui,
    screen,
    settled,
    text_of,
    until,
)


def exported(folder: Path) -> list[Path]:
    """The files of exports."""
    return sorted(folder.glob("hangtui-*"))


VIEWS = ("1", "2", "3", "4", "6")


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("size", "capture"),
    [
        ((1, 1), samples.deadlock()),
        ((2, 2), samples.hostile()),
        ((20, 5), samples.deadlock()),
        ((59, 16), samples.hostile()),
        ((60, 15), samples.deadlock()),
        ((60, 16), samples.hostile()),
        ((300, 90), samples.deadlock()),
        ((300, 90), samples.hostile()),
    ],
)
async def test_no_size_breaks_a_screen(size: tuple[int, int], capture: Capture) -> None:
    async with app_over(capture).run_test(size=size) as pilot:
        await settled(pilot)
        for key in (*VIEWS, "question_mark", "escape", "slash", "a", "escape", "1"):
            await pilot.press(key)
            await pilot.pause()

        assert hangtui(pilot).view.NAME is ViewName.OVERVIEW


async def test_terminal_without_a_size() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        for key in VIEWS:
            await pilot.press(key)
            await pilot.resize_terminal(0, 0)
            await pilot.resize_terminal(*NARROW)
        await pilot.pause()

        assert "X deadlock" in text_of(pilot, "#header")


async def test_too_small_says_so_and_keeps_the_threads() -> None:
    async with app_over(samples.deadlock()).run_test(size=(20, 5)) as pilot:
        await settled(pilot)

        lines = screen(pilot).splitlines()
        assert lines[0] == "  X deadlock  60x16"
        assert "▌X deadlock main" in lines[2]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_hostile_names_are_shown_as_they_are(size: tuple[int, int]) -> None:
    async with app_over(samples.hostile()).run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        texts = {}
        for view in VIEWS:
            await pilot.press(view, "y", "exclamation_mark")
            await pilot.pause()
            await pilot.press("escape", "colon", *"thread")
            await pilot.pause()
            await pilot.press("escape")
            await pilot.pause()
            texts[view] = screen(pilot)

    for view, text in texts.items():
        assert not [char for char in text if char != "\n" and not char.isprintable()], view
        assert "]0;x\ufffd[red]" in text, view


@pytest.mark.one_in(2)
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_hostile_crash_is_shown_as_it_is(size: tuple[int, int]) -> None:
    async with app_over(samples.hostile_crash()).run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        texts = []
        for key in ("5", "x", "d", "M", "b", "y", "2", "6", "equals_sign", "1"):
            await pilot.press(key)
            await pilot.pause()
            texts.append(screen(pilot))

    assert not [char for text in texts for char in text if char != "\n" and not char.isprintable()]
    assert "]0;x\ufffd[red] (foo[/]bar)" in texts[0]
    assert "x[/]x[/]x[/]" in texts[0] + texts[2]
    assert "1b 5d 30 3b 78 07 ff" in texts[4]
    assert all(len(line) <= size[0] for text in texts for line in text.splitlines())


async def test_ascii_mode_writes_ascii_only() -> None:
    async with app_over(samples.hostile(), ascii=True).run_test(
        size=WIDE, notifications=True
    ) as pilot:
        await settled(pilot)
        for view in VIEWS:
            await pilot.press(view, "y")
            await pilot.pause()

            assert screen(pilot).isascii(), view


async def test_escape_peels_one_layer_at_a_time() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("enter", "w", "escape")
        await pilot.pause()
        assert hangtui(pilot).view.NAME is ViewName.THREAD
        await pilot.press("escape")
        await pilot.pause()
        assert hangtui(pilot).view.NAME is ViewName.OVERVIEW
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert hangtui(pilot).view.NAME is ViewName.OVERVIEW
        assert hangtui(pilot).is_running


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
async def test_quits(key: str) -> None:
    app = app_over(samples.deadlock())
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash" if key == "ctrl+c" else "1", key)
        await pilot.pause()

    assert not app.is_running


async def test_copy_goes_to_the_clipboard_and_to_a_private_file(tmp_path: Path) -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE, notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("y")
        await pilot.pause()

        path = tmp_path / "cache" / "hangtui" / "clip.txt"
        assert "X deadlock" in path.read_text(encoding="utf-8")
        assert path.read_text(encoding="utf-8") == pilot.app.clipboard
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert "also to" in screen(pilot)


async def test_export_writes_capture_report_and_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with app_over(samples.deadlock()).run_test(size=WIDE, notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("e", "e")
        await pilot.pause()
        assert "Wrote hangtui-41873-20260830T120451" in screen(pilot)

    files = {path.name: path for path in exported(tmp_path)}
    assert len(files) == 8
    assert {0o600} == {stat.S_IMODE(path.stat().st_mode) for path in files.values()}
    stem = "hangtui-41873-20260830T120451"
    assert capture_file.load(files[f"{stem}.hang"]).host == "gpu-17"
    assert json.loads(files[f"{stem}-2.json"].read_text(encoding="utf-8"))["findings"]
    assert "main" in files[f"{stem}.md"].read_text(encoding="utf-8")
    assert "main" in files[f"{stem}.txt"].read_text(encoding="utf-8")


async def test_export_falls_back_to_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    monkeypatch.setattr(Path, "cwd", lambda: gone / "file" / "below")
    (gone / "file").touch()
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("e")
        await pilot.pause()

    assert len(exported(tmp_path / "cache" / "hangtui")) == 4


async def test_palette_holds_every_command_and_runs_it() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("colon", *"native stacks")
        await until(pilot, lambda: "native stacks by gdb, from a copy" in screen(pilot))

        await pilot.press("enter")
        await until(pilot, lambda: "gdb reads the copy" in screen(pilot))


async def test_palette_opens_threads_by_name() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+p", *"thread: logger")
        await until(pilot, lambda: "thread: logger 41883" in screen(pilot))
        await pilot.press("enter")

        await until(pilot, lambda: "logger 41883" in text_of(pilot, "#subject"))


async def test_help_lists_every_key_and_fits_a_small_terminal() -> None:
    async with app_over(samples.deadlock()).run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("question_mark")
        await pilot.pause()
        seen = screen(pilot)
        for _ in range(12):
            await pilot.press("pagedown")
            await pilot.pause()
            seen += screen(pilot)
        await pilot.press("question_mark")
        await pilot.pause()
        assert "Everywhere" not in screen(pilot)

    assert not [key.words for key in KEYS if key.words[:60] not in seen]


@pytest.mark.parametrize("scope", [Scope.OVERVIEW, Scope.THREAD, Scope.WAITS, Scope.FINDINGS])
def test_no_screen_binds_a_key_twice(scope: Scope) -> None:
    keys = [
        name
        for key in keys_of(scope, Scope.LIST, Scope.PANE, Scope.GLOBAL)
        for name in key.keys.split(",")
        if name
    ]

    assert sorted(keys) == sorted(set(keys))


def test_every_command_is_in_the_palette_or_only_moves() -> None:
    outside = {key.id for key in KEYS if not key.group}

    assert outside == {
        *(key.id for key in keys_of(Scope.PANE, Scope.LIST)),
        *(key.id for key in keys_of(Scope.MACHINE)),  # the list of processes has no palette
        "pane.next",
        "pane.previous",
        "filter.next",
        "filter.previous",
        "palette.open",
        "back",
        "quit.at-once",
    }


def test_ids_of_keys_are_unique() -> None:
    assert len({key.id for key in KEYS}) == len(KEYS)


async def test_keys_can_be_mapped_anew() -> None:
    app = app_over(samples.deadlock())
    app.set_keymap({"view.waits": "f3"})
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("f3")
        await pilot.pause()

        assert hangtui(pilot).view.NAME is ViewName.WAITS


async def test_footer_and_tabs_can_be_clicked() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.click("#tabs", offset=(text_of(pilot, "#tabs").index("3 Waits"), 0))
        await pilot.pause()
        assert hangtui(pilot).view.NAME is ViewName.WAITS

        await pilot.click("#footer", offset=(text_of(pilot, "#footer").index("v evidence"), 0))
        await pilot.pause()
        assert not pilot.app.query_one("#evidence").display


async def test_a_mistake_of_our_own_leaves_no_data_on_the_terminal() -> None:
    app = app_over(samples.deadlock())
    number = 31**7

    def fail() -> None:
        password = str(number)
        raise RuntimeError(f"length {len(password)}")

    async def drive() -> None:
        async with app.run_test(size=WIDE) as pilot:
            await settled(pilot)
            app.call_later(fail)
            await pilot.pause()

    # Where it happened is shown once the application has left the screen, which forgets it.
    shown: list[str] = []
    original = app._print_error_renderables

    def keep() -> None:
        for item in app._exit_renderables:
            shown.extend(segment.text for segment in getattr(item, "segments", ()))
        original()

    app._print_error_renderables = keep  # type: ignore[method-assign]
    with pytest.raises(RuntimeError):
        await drive()

    assert "length 11" in "".join(shown)
    assert str(number) not in "".join(shown)


async def test_a_capture_that_arrives_behind_a_dialog_is_shown_below_it() -> None:
    first = samples.deadlock("2026-08-30T12:00:00+00:00")
    second = samples.deadlock("2026-08-30T12:00:12+00:00")
    async with app_over(first, second).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("question_mark")
        hangtui(pilot).action_capture()
        await settled(pilot)
        await pilot.press("escape")
        await pilot.pause()

        assert "capture 2 of 2" in text_of(pilot, "#header")
        assert "≥12s" in text_of(pilot, "#threads")


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_screens_are_called_by_words_and_only_those_that_can_be_opened(
    size: tuple[int, int],
) -> None:
    async with app_over(samples.deadlock()).run_test(size=size) as pilot:
        await settled(pilot)
        tabs = text_of(pilot, "#tabs")
        assert "[1 Overview] 2 Thread  3 Waits  4 Findings" in tabs
        assert "6 Merged" in tabs
        assert "Crash" not in tabs
    async with app_over(samples.crashed()).run_test(size=size) as pilot:
        await settled(pilot)
        assert "5 Crash" in text_of(pilot, "#tabs")
