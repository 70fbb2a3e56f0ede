"""``hangtui watch`` beside a process of a test."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.waiting import until


@contextmanager
def watching(pid: int, folder: Path, *options: str) -> Iterator["subprocess.Popen[str]"]:
    """It, once it traces the process; *options* may be more PIDs."""
    words = [sys.executable, "-m", "hangtui", "watch", str(pid), "-d", str(folder), *options]
    watcher = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        assert watcher.stderr is not None
        said = iter(watcher.stderr.readline, "")
        assert any(line.startswith("hangtui: watching process") for line in said), "it has ended"
        yield watcher
    finally:
        watcher.kill()
        watcher.communicate()


def captures(folder: Path, kind: str) -> list[Path]:
    """The files that it has written of this kind, once there is one."""
    return until(lambda: sorted(folder.glob(f"hangtui-*-{kind}.hang")), lambda: os.listdir(folder))
