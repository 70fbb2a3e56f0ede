import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import pytest_textual_snapshot  # type: ignore[import-untyped]
from syrupy.extensions.single_file import SingleFileSnapshotExtension
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.widgets import Input

ROOT = Path(__file__).parents[2]
OTHER_LOOKS = (
    "NO_COLOR",
    "HANGTUI_THEME",
    "TEXTUAL_THEME",
    "TMUX",
    "STY",
    "SSH_TTY",
    "SSH_CONNECTION",
    "TEXTUAL_COLOR_SYSTEM",
    "TEXTUAL_FILTERS",
)


class SvgUnderSnapshots(pytest_textual_snapshot.SVGImageExtension):  # type: ignore[misc]
    """Places the pictures of ``tests/tui/test_x.py`` in ``snapshots/tui/test_x/``."""

    file_extension = "svg"
    _file_extension = "svg"

    @classmethod
    def dirname(cls, *, test_location: object) -> str:
        """The folder for the pictures of one test module."""
        path = Path(str(test_location.filepath))  # type: ignore[attr-defined]
        return str(ROOT / "snapshots" / "tui" / path.stem)


assert issubclass(SvgUnderSnapshots, SingleFileSnapshotExtension)
pytest_textual_snapshot.SVGImageExtension = SvgUnderSnapshots


_parse_rules = Stylesheet._parse_rules
_parsed: dict[tuple[object, ...], list[RuleSet]] = {}


def _parse_once(sheet: Stylesheet, css: str, *where: object, **more: object) -> list[RuleSet]:
    """What each of some hundred applications would read again: a tenth of their time."""
    key = (css, *where, *sorted(more.items()), *sheet._variables.items())
    if key not in _parsed:
        _parsed[key] = _parse_rules(sheet, css, *where, **more)  # type: ignore[arg-type]
    return _parsed[key]


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The same look and the same clock on every machine, and no file outside *tmp_path*."""
    for name in OTHER_LOOKS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(Stylesheet, "_parse_rules", _parse_once)
    monkeypatch.setattr(Input, "_toggle_cursor", lambda _: None)  # in pictures it would blink
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    os.environ.pop("TZ", None)
    time.tzset()
