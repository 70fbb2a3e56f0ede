"""Runs gdb once over a file, without a process: a batch of commands, and what it printed."""

import subprocess
from collections.abc import Sequence

from hangtui.backends import programs

_ALONE = ("-nx", "-q", "-batch", "-iex", "set debuginfod enabled off", "-iex", "set auto-load off")
"""It executes nothing of the user's or the target's, and fetches nothing."""


def available() -> bool:
    """Whether there is a gdb."""
    return programs.find("gdb") is not None


def ask(path: str, commands: Sequence[str], limit_s: float) -> str:
    """What gdb says of *path*; nothing without gdb, or if it takes longer than *limit_s*."""
    program = programs.find("gdb")
    if program is None:
        return ""
    words = [word for command in commands for word in ("-ex", command)]
    try:
        done = subprocess.run(
            [program, *_ALONE, *words, path],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=limit_s,
            check=False,
            text=True,
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout
