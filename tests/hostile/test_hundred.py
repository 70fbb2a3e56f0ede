"""The others are read in time and as fully beside ten hostile processes, one of each kind."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[1] / "endurance" / "hundred.py"


@pytest.mark.slow
def test_ten_hostile_processes_cost_ten_others_little() -> None:
    """In small, and with time for a machine that does something else as well."""
    needed = [name for name in ("gcc", "objcopy", "unshare") if shutil.which(name) is None]
    if os.geteuid() or needed or not Path("/dev/fuse").exists():
        pytest.skip(f"needs root, /dev/fuse and {needed or 'nothing else'}")
    command = [sys.executable, str(PROGRAM), "--ordinary", "10", "--seconds", "5"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
