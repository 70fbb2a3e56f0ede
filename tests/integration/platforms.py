"""Outcomes of tests for docs/platforms.md.

With HANGTUI_PLATFORM_RESULTS they are appended to that file, one JSON object per line;
script/platform-table makes the table of them.
"""

import json
import os
from pathlib import Path

from hangtui.model import Capture, Certainty


def record(platform: str, capture: Capture, fact: str, known: Certainty | str) -> None:
    """How surely a fact was known of the captured process on a *platform*."""
    path = os.environ.get("HANGTUI_PLATFORM_RESULTS")
    python = capture.processes[0].python
    if path and python:
        certainty = known.value if isinstance(known, Certainty) else known
        row = {"platform": platform, "python": python.version, "fact": fact, "known": certainty}
        with Path(path).open("a") as stream:
            stream.write(json.dumps(row) + "\n")
