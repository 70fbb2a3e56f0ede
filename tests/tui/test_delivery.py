import base64
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hangtui.tui import delivery
from hangtui.tui.session import CaptureView
from hangtui.tui.share import paragraph
from tests.tui import samples
from tests.tui.driving import NARROW, WIDE, app_over, hangtui, recorded, screen, settled

OSC = "\x1b]52;c;"


def exported(folder: Path) -> list[Path]:
    """The files of exports."""
    return sorted(folder.glob("hangtui-*"))


def copied(sequence: str) -> str:
    """What a terminal would take out of a plain sequence."""
    assert sequence.startswith(OSC)
    assert sequence.endswith("\a")
    return base64.b64decode(sequence[len(OSC) : -1]).decode()


def test_clipboard_of_a_terminal() -> None:
    assert copied(delivery.clipboard_sequence("数 x", {})) == "数 x"


def test_clipboard_inside_tmux() -> None:
    sequence = delivery.clipboard_sequence("text", {"TMUX": "/tmp/tmux-0/default,1,0"})
    plain, _, wrapped = sequence.partition("\x1bPtmux;")

    assert copied(plain) == "text"
    assert copied(wrapped.removesuffix("\x1b\\").replace("\x1b\x1b", "\x1b")) == "text"


def test_clipboard_inside_screen_goes_in_pieces() -> None:
    text = "line\n" * 1000
    sequence = delivery.clipboard_sequence(text, {"STY": "1.pts"})
    pieces = [piece.removeprefix("\x1bP") for piece in sequence.split("\x1b\\")]

    assert copied("".join(pieces)) == text
    assert max(map(len, pieces)) <= 768


def test_what_is_too_long_for_a_terminal_is_only_written_to_the_file(tmp_path: Path) -> None:
    said = delivery.clip("x" * (delivery.CLIPBOARD + 1))

    assert said.startswith("Too long for the terminal's clipboard: 1 line in ")
    assert (tmp_path / "cache" / "hangtui" / "clip.txt").stat().st_size > delivery.CLIPBOARD


@pytest.mark.parametrize(("form", "end"), [("svg", ".svg"), ("mermaid", ".mmd"), ("dot", ".dot")])
async def test_one_file_of_another_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, end: str
) -> None:
    monkeypatch.chdir(tmp_path)
    async with app_over(recorded("story_a_rwlock_gil")).run_test(
        size=WIDE, notifications=True
    ) as pilot:
        await settled(pilot)
        hangtui(pilot).action_export_as(form)
        await pilot.pause()
        assert end in screen(pilot)

    (path,) = exported(tmp_path)
    assert path.suffix == end
    text = path.read_text(encoding="utf-8")
    assert "launcher" in ("".join(ET.fromstring(text).itertext()) if form == "svg" else text)


async def test_m_copies_the_waits_as_a_drawing(tmp_path: Path) -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("3", "m")
        await pilot.pause()

    clip = tmp_path / "cache" / "hangtui" / "clip.txt"
    assert clip.read_text(encoding="utf-8").startswith("flowchart TD")


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_one_key_makes_the_paragraph_for_others(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with app_over(recorded("story_a_rwlock_gil")).run_test(
        size=size, notifications=True
    ) as pilot:
        await settled(pilot)
        await pilot.press("C")
        await pilot.pause()

        path = tmp_path / "cache" / "hangtui" / "clip.txt"
        text = path.read_text(encoding="utf-8")
        assert hangtui(pilot).clipboard == text
        said = "".join(screen(pilot).split())
        assert "alsoto" in said
        assert "clip.txt" in said

    first, chain, *rest = text.splitlines()
    assert first.startswith("[X certain] Deadlock: MainThread and launcher wait for each other")
    assert chain.startswith("MainThread rwlock_gil.py:24 → rwlock context_lock → launcher")
    assert any(line.startswith("Known by: ") for line in rest)
    assert any("CPython 3.11.7" in line for line in rest)
    assert "without stopping it" in rest[-1]
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_paragraph_of_a_healthy_process_claims_nothing() -> None:
    text = paragraph(CaptureView.of(recorded("healthy_http")), None)
    assert text.startswith("No rule found anything.")
    assert "[" not in text
