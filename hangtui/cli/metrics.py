"""What ``hangtui watch --metrics FILE`` tells Prometheus, by way of node_exporter's text files.

No text of a process is in it: names of findings, certainties and numbers alone.
"""

import contextlib
import os
import secrets
import time
from collections import Counter
from pathlib import Path

from hangtui import __version__
from hangtui.backends.monitor.session import Occasion
from hangtui.cli import output
from hangtui.cli.catching import Kept

_MODE = 0o644
"""The exporter runs as a user of its own."""
_NONE = "none"


class Metrics:
    """Counts what was caught, and writes the file anew at each change; None: there is no file."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._hangs: Counter[tuple[str, str]] = Counter()
        """By the id and the certainty of the finding."""
        self._others: Counter[Occasion] = Counter()
        self._last_s = 0.0
        self._started_s = time.time()
        self._watched = 0

    def watching(self, count: int) -> None:
        """So many processes were named and are watched; 0: they have ended."""
        self._watched = count
        self._write()

    def count(self, kept: Kept) -> None:
        """Something was caught and kept."""
        if kept.caught.occasion is Occasion.STILL:
            finding = kept.finding
            key = (finding.id, finding.certainty.value) if finding else (_NONE, _NONE)
            self._hangs[key] += 1
        else:
            self._others[kept.caught.occasion] += 1
        self._last_s = time.time()
        self._write()

    def text(self) -> str:
        """As Prometheus reads it."""
        ended = {Occasion.CRASH: "crash", Occasion.KILLED: "killed", Occasion.MEMORY: "memory"}
        lines = [
            *_metric("watch_info", "gauge", "Which hangtui watches."),
            f'hangtui_watch_info{{version="{__version__}"}} 1',
            *_metric("watch_started_seconds", "gauge", "When it began, in seconds of Unix."),
            f"hangtui_watch_started_seconds {self._started_s:.3f}",
            *_metric("watched_processes", "gauge", "Named processes that are watched."),
            f"hangtui_watched_processes {self._watched}",
            *_metric("hangs_total", "counter", "Hangs that were told, each once."),
            *(
                f'hangtui_hangs_total{{finding="{finding}",certainty="{certainty}"}} {count}'
                for (finding, certainty), count in sorted(self._hangs.items())
            ),
            *_metric("ends_total", "counter", "Processes that crashed or were killed."),
            *(
                f'hangtui_ends_total{{occasion="{word}"}} {self._others[occasion]}'
                for occasion, word in ended.items()
            ),
            *_metric("last_caught_seconds", "gauge", "When something was caught last; 0: never."),
            f"hangtui_last_caught_seconds {self._last_s:.3f}",
        ]
        return "\n".join(lines) + "\n"

    def _write(self) -> None:
        """Put it in place whole: an exporter may read at any moment."""
        if self._path is None:
            return
        fresh = self._path.with_name(f".{self._path.name}.{secrets.token_hex(8)}")
        try:
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(self.text())
            fresh.chmod(_MODE)
            fresh.replace(self._path)
        except OSError as error:
            with contextlib.suppress(OSError):
                fresh.unlink(missing_ok=True)
            output.say(f"hangtui: --metrics could not be written: {error.strerror or error}")


def _metric(name: str, kind: str, told: str) -> tuple[str, str]:
    return f"# HELP hangtui_{name} {told}", f"# TYPE hangtui_{name} {kind}"
