"""The man page: up to date, without errors, and holding what ``--help`` says."""

import shutil
import subprocess
from pathlib import Path

import pytest

from hangtui.cli.man_page import to_troff
from hangtui.cli.parsers import COMMANDS

PAGE = Path(__file__).parents[2] / "docs" / "hangtui.1"


def test_the_page_is_made_from_the_parsers() -> None:
    """`script/man-page` writes it."""
    assert PAGE.read_text(encoding="utf-8") == to_troff()


def test_no_line_is_a_command_by_accident() -> None:
    known = {".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".br", ".EX", ".EE"}
    lines = PAGE.read_text(encoding="utf-8").splitlines()

    assert {line.split()[0] for line in lines if line.startswith((".", "'"))} == known


@pytest.mark.processes
def test_man_shows_it() -> None:
    if shutil.which("man") is None:
        pytest.skip("man is missing: script/packages shells")
    done = subprocess.run(
        ["man", "--warnings", "--local-file", PAGE],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "MANWIDTH": "100", "LC_ALL": "C.UTF-8"},
    )

    assert (done.returncode, done.stderr) == (0, "")
    shown = done.stdout
    assert all(f"   hangtui {command}" in shown for command in COMMANDS)
    assert "hangtui dump 4711 --children --json > stuck.json" in shown
    assert "exit status: 0 something was captured; 2 nothing." in shown
