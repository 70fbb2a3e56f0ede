from pathlib import Path

import pytest

from hangtui.model import InputError
from hangtui.provider import CaptureRequest
from hangtui.tui.app import HangtuiApp
from hangtui.tui.keydocs import to_markdown
from hangtui.tui.keymap import conflict, keymap_path, load_keymap, remapped
from hangtui.tui.keys import KEYS
from hangtui.tui.running import run_app
from tests.tui import samples
from tests.tui.driving import WIDE, FakeProvider, screen, settled, text_of, until

ROOT = Path(__file__).parents[2]


def written(folder: Path, text: str) -> Path:
    path = folder / "keys.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_page_of_keys_is_made_from_the_table() -> None:
    """`script/docs-keys` writes it."""
    assert (ROOT / "docs" / "keys.md").read_text(encoding="utf-8") == to_markdown()


def test_no_key_means_two_things_on_a_screen() -> None:
    assert conflict(KEYS) is None


def test_where_the_file_is() -> None:
    assert keymap_path({"XDG_CONFIG_HOME": "/x"}) == Path("/x/hangtui/keys.toml")
    assert keymap_path({"XDG_CONFIG_HOME": "relative"}).parts[-3:] == (
        ".config",
        "hangtui",
        "keys.toml",
    )


def test_no_file_changes_nothing(tmp_path: Path) -> None:
    assert load_keymap(tmp_path / "keys.toml") == {}
    assert remapped({}) == KEYS


def test_keys_of_the_user(tmp_path: Path) -> None:
    path = written(tmp_path, '"capture.new" = "f5"\n"move.down" = ["j", "down", "ctrl+n"]\n')
    keymap = load_keymap(path)
    table = {key.id: key for key in remapped(keymap)}

    assert keymap == {"capture.new": "f5", "move.down": "j,down,ctrl+n"}
    assert table["capture.new"].shown == "F5"
    assert table["move.down"].shown == "j ↓ ^n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('"no.such" = "x"', "there is no action 'no.such'"),
        ('"capture.new" = 5', "capture.new = 5: not a key"),
        ('"capture.new" = []', "not a key or a list of keys"),
        ('"capture.new" = "hyper+x"', "not a key"),
        ('"capture.new" = "q"', "the key q is for capture.new and for quit"),
        ('"capture.new" = ', "(at"),
        ("\x00", "(at"),
    ],
)
def test_a_file_with_a_mistake_is_refused_in_one_line(
    tmp_path: Path, text: str, problem: str
) -> None:
    with pytest.raises(InputError) as raised:
        load_keymap(written(tmp_path, text))

    assert problem in raised.value.message
    assert "keys.toml" in raised.value.message
    assert "\n" not in raised.value.message


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Is a directory"):
        load_keymap(tmp_path)


def test_the_screens_do_not_start_over_a_bad_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "hangtui").mkdir()
    written(tmp_path / "hangtui", '"quit" = "j"')

    with pytest.raises(InputError, match="the key j is for"):
        run_app(FakeProvider([samples.deadlock()]), CaptureRequest())


async def test_a_key_of_the_user_works_and_is_shown() -> None:
    provider = FakeProvider([samples.deadlock()])
    app = HangtuiApp(provider, CaptureRequest(), keymap={"capture.new": "f5", "view.waits": "w,9"})
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert "F5 capture" in text_of(pilot, "#footer")
        await pilot.press("r")
        await pilot.pause()
        assert len(provider.requests) == 1
        await pilot.press("f5")
        await until(pilot, lambda: len(provider.requests) == 2)
        await settled(pilot)
        await pilot.press("question_mark")
        await pilot.pause()
        assert "F5" in screen(pilot)
