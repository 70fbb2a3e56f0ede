"""The others are read in time and as fully beside hostile processes of different kinds."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[1] / "endurance" / "hundred.py"
CHEAP = ("--kinds", "debug-link", "package-list", "sections", "argument", "userfaultfd", "churn")
"""Without those that keep the reader busy until a budget is spent: they have tests of their own."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ordinary", "kinds"),
    [
        pytest.param(4, CHEAP, id="some"),
        pytest.param(10, (), id="all", marks=pytest.mark.thorough),
    ],
)
def test_hostile_processes_cost_others_little(ordinary: int, kinds: tuple[str, ...]) -> None:
    """In small, and with time for a machine that does something else as well."""
    needed = [name for name in ("gcc", "objcopy", "unshare") if shutil.which(name) is None]
    if os.geteuid() or needed or not Path("/dev/fuse").exists():
        pytest.skip(f"needs root, /dev/fuse and {needed or 'nothing else'}")
    command = [sys.executable, str(PROGRAM), "--ordinary", str(ordinary), "--seconds", "5", *kinds]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
