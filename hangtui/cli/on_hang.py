"""Tells somebody of what ``hangtui watch`` has caught: starts the commands of its options.

A command gets the finding as JSON on its input, and what is needed to act in its environment:
names and numbers alone, nothing that the process could have written.
"""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Hashable
from pathlib import Path

from hangtui.backends.monitor.session import Occasion
from hangtui.backends.tools import programs
from hangtui.cli import aside, output
from hangtui.cli.catching import Kept
from hangtui.dataclass import dataclass
from hangtui.report.json_finding import finding_to_dict

_WORDS = {
    Occasion.STILL: "hang",
    Occasion.CRASH: "crash",
    Occasion.KILLED: "killed",
    Occasion.MEMORY: "memory",
}
_FIRST_S, _LONGEST_S = 60.0, 3600.0
"""How long nothing is said of what comes again in the same process: first, doubled each time, at
most."""


@dataclass(slots=True)
class _Called:
    """When a command was last started for a process."""

    at: float
    pause_s: float


class OnHang:
    """The commands, and when they were started last."""

    def __init__(self, hang: str | None, crash: str | None, limit_s: float) -> None:
        """*limit_s*: how long a command may take, in seconds."""
        self._commands = {
            "hang": ("--on-hang", hang),
            "crash": ("--on-crash", crash),
            "killed": ("--on-crash", crash),
        }
        self._limit_s = limit_s
        self._called: dict[Hashable, _Called] = {}

    def tell(self, kept: Kept) -> None:
        """Start the command for what was kept, unless the same came a moment ago."""
        word = _WORDS[kept.caught.occasion]
        option, command = self._commands.get(word, ("", None))
        if not command:
            return
        left = self._left((kept.caught.pid, kept.finding.key if kept.finding else word))
        if left > 0:
            output.say(f"  {option} is not run for the same again within {left:.0f} s")
            return
        try:
            self._start(option, command, word, kept)
        except OSError as error:
            output.say(f"hangtui: {option} could not be run: {error.strerror or error}")

    def _left(self, key: Hashable) -> float:
        """Seconds until it may be told again; it counts as told where there are none."""
        now = time.monotonic()
        called = self._called.get(key)
        if called is None:
            self._called[key] = _Called(now, _FIRST_S)
            return 0.0
        if now < called.at + called.pause_s:
            return called.at + called.pause_s - now
        called.at, called.pause_s = now, min(2 * called.pause_s, _LONGEST_S)
        return 0.0

    def _start(self, option: str, command: str, word: str, kept: Kept) -> None:
        with tempfile.TemporaryFile() as told:
            told.write(json.dumps(_told(kept, word)).encode() + b"\n")
            told.seek(0)
            subprocess.Popen(
                programs.small_python(aside.STARTER, str(self._limit_s), option, command),
                stdin=told,
                env={**os.environ, **_variables(kept, word)},
                start_new_session=True,  # it may outlive us
            )


def _variables(kept: Kept, word: str) -> dict[str, str]:
    finding = kept.finding
    return {
        "HANGTUI_OCCASION": word,
        "HANGTUI_PID": str(kept.caught.pid),
        "HANGTUI_CAPTURE": str(Path(kept.path).absolute()),
        "HANGTUI_FINDING": finding.id if finding else "",
        "HANGTUI_CERTAINTY": finding.certainty.value if finding else "",
    }


def _told(kept: Kept, word: str) -> dict[str, object]:
    """What the command reads."""
    capture = kept.caught.capture
    return {
        "schema": "hangtui.caught/1",
        "taken_at": capture.taken_at,
        "host": capture.host,
        "occasion": word,
        "pid": kept.caught.pid,
        "capture": str(Path(kept.path).absolute()),
        "finding": finding_to_dict(kept.finding) if kept.finding else None,
    }
