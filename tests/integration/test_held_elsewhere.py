"""A process that stands still because of another one: who has what it waits for is said."""

import subprocess
import sys
from pathlib import Path

from tests.integration.targets import running


def test_who_has_the_lock_that_workers_wait_for(any_python: Path) -> None:
    with running("pool_under_lock", any_python, asleep=False) as target:
        words = [sys.executable, "-m", "hangtui", "check", "--children", str(target.pid)]
        told = subprocess.run([*words, "--seconds", "1.2"], capture_output=True, text=True)
    first = told.stdout.split("note:")[0]
    assert "(resize) for LOCK" in first
    held = f"MainThread of process {target.pid} holds LOCK (taken at pool_under_lock.py:"
    assert held in first
    assert "not known" not in first
