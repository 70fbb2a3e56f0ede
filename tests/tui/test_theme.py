import pytest

from hangtui.analysis.state_words import STATE_WORDS
from hangtui.analysis.states import ThreadState
from hangtui.cli import common_arguments
from hangtui.model import Certainty, Severity, UsageError
from hangtui.tui import theme
from tests.tui import samples
from tests.tui.driving import WIDE, app_over, settled


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, ("ansi-dark", None, False)),
        ({"HANGTUI_THEME": "high-contrast"}, ("high-contrast", None, False)),
        ({"HANGTUI_THEME": "light"}, ("textual-light", None, False)),
        ({"TMUX": "/tmp/tmux-0/default,1,0"}, ("ansi-dark", None, True)),
        ({"SSH_TTY": "/dev/pts/1"}, ("ansi-dark", None, True)),
        ({"NO_COLOR": "1"}, ("ansi-dark", True, False)),
        ({"TEXTUAL_THEME": "nord", "TMUX": "x"}, ("nord", None, True)),
    ],
)
def test_colours_follow_the_environment(
    environ: dict[str, str], expected: tuple[str, bool | None, bool]
) -> None:
    colours = theme.choose_colours(environ)

    assert (colours.theme, colours.ansi, colours.still) == expected


def test_the_command_line_goes_before_the_environment() -> None:
    colours = theme.choose_colours({"NO_COLOR": "1", "HANGTUI_THEME": "light"}, "dark")
    assert (colours.theme, colours.ansi) == ("textual-dark", None)
    assert tuple(theme.NAMES) == common_arguments.THEMES


def test_colours_that_do_not_exist_are_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("HANGTUI_THEME", "mauve")
    with pytest.raises(UsageError, match="no colours called mauve") as caught:
        app_over(samples.deadlock())
    assert caught.value.fix == "--theme terminal|dark|light|high-contrast"


async def test_no_color_leaves_attributes_and_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        styles = [
            segment.style
            for strip in pilot.app.screen._compositor.render_strips()
            for segment in strip
            if segment.style is not None
        ]

    colours = {style.color for style in styles} | {style.bgcolor for style in styles}
    assert all(colour is None or colour.is_default for colour in colours)
    assert any(style.reverse for style in styles)
    assert any(style.bold for style in styles)


def test_every_state_certainty_and_severity_has_a_look_and_a_meaning() -> None:
    assert set(ThreadState) == set(theme.STATE_STYLES) == set(STATE_WORDS)
    assert set(Certainty) == set(theme.CERTAINTY_STYLES)
    assert set(Severity) == set(theme.SEVERITY_STYLES) == set(theme.SEVERITY_SIGNS)


@pytest.mark.parametrize("text", ["┏▶ ● ■ ◀╴ ◀── ▲ ▼ ┇ …", "数据", "é", "plain"])
def test_ascii_is_as_wide_as_what_it_replaces(text: str) -> None:
    from rich.cells import cell_len

    assert theme.to_ascii(text).isascii()
    assert cell_len(theme.to_ascii(text)) == cell_len(text)


def test_signs_of_ours_have_an_ascii_sign_that_is_not_a_question_mark() -> None:
    ours = [
        theme.CURSOR, theme.CURRENT, theme.SHARES, theme.ABSENT, theme.RESOURCE, theme.BEHIND,
        theme.EVAL, theme.DOWN, theme.UP, theme.DIVIDER, *"┏┃┇┗━┛└├…≥×↺╭╮╰╯▁▔▅",
    ]  # fmt: skip
    signs = "".join(ours)

    assert "?" not in theme.to_ascii(signs)
