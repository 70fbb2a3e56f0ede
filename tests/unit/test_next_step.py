"""Whatever goes wrong on the command line, the message ends with what to type next."""

import sys
from pathlib import Path

import pytest

from hangtui.cli.main import main

NOBODY = "4194303"
"""The last number of a process that Linux has."""


@pytest.mark.parametrize(
    ("words", "what", "fix"),
    [
        ("chek 4711", "no command", "hangtui check 4711"),
        ("check unheard-of-name", "no command", "hangtui   (lists the processes"),
        (f"check {NOBODY}", f"no process {NOBODY}", "hangtui   (without a PID"),
        (f"watch {NOBODY}", f"no process {NOBODY}", "hangtui   (without a PID"),
        (f"doctor {NOBODY}", f"no process {NOBODY}", "hangtui doctor"),
        ("check", "which process?", "hangtui   (lists them"),
        ("check --all 1", "--all looks at all", "hangtui check --all"),
        ("check --looks 0 1", "--looks is at least 1", "hangtui check --help"),
        ("check --fail-on never 1", "invalid choice", "hangtui check --help"),
        ("check 1 --allow deadlok", "no finding is called", "hangtui check --help"),
        ("record 1", "required: -o", "hangtui record --help"),
        ("record --all -o /unheard-of/x.hang --times 0", "--times is", "hangtui record --help"),
        ("open", "required: FILE", "hangtui open --help"),
        ("open /unheard-of.hang", "cannot read", "hangtui open --help"),
        ("dump /etc/passwd", "neither a capture", "hangtui open --help"),
        ("dump --within soon 1", "not a time", "30s, 5m, 1h"),
        ("run", "no command to run", "hangtui run -- python"),
        ("run --hang-after soon -- true", "not a time", "30s, 5m, 1h"),
        ("run --hang-abort -- true", "needs a time", "hangtui run --hang-after 5m"),
        ("run -o /unheard-of/x.hang -- true", "not a directory", "mkdir -p /unheard-of"),
        ("watch 1 -d /unheard-of", "not a directory", "mkdir -p /unheard-of"),
    ],
)
def test_the_message_says_what_to_type(
    words: str,
    what: str,
    fix: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["hangtui", *words.split()])

    assert main() == 2
    told = capsys.readouterr()
    assert told.out == ""
    first, last = told.err.splitlines()
    assert first.startswith("hangtui: ")
    assert what in first
    assert last.startswith(f"  fix: {fix}")


def test_a_folder_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The capture would be lost: so its place is named, and another one."""
    capture = Path(__file__).parents[2] / "snapshots" / "abba.hang"
    words = ["dump", str(capture), "-o", str(tmp_path / "none" / "x.txt")]
    monkeypatch.setattr(sys, "argv", ["hangtui", *words])

    assert main() == 2
    first, last = capsys.readouterr().err.splitlines()
    assert str(tmp_path / "none") in first
    assert last.startswith("  fix: ")
    assert "--help" not in last
