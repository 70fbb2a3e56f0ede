"""A process that stands still because of another one: who has what it waits for is said."""

import subprocess
import sys
from pathlib import Path

TARGET = Path(__file__).parents[1] / "targets" / "pool_under_lock.py"


def test_who_has_the_lock_that_workers_wait_for(any_python: Path) -> None:
    with subprocess.Popen([any_python, TARGET], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            words = [sys.executable, "-m", "hangtui", "check", "--children", str(process.pid)]
            told = subprocess.run([*words, "--seconds", "1.2"], capture_output=True, text=True)
        finally:
            subprocess.run(["pkill", "-KILL", "-P", str(process.pid)], check=False)
            process.kill()
    first = told.stdout.split("note:")[0]
    assert "(resize) for LOCK" in first
    assert f"MainThread of process {process.pid} holds LOCK, and waits at" in first
    assert "not known" not in first
