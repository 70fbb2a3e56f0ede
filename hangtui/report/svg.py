"""The text report as a picture, for places that take no text."""

import os
import re

from hangtui.diagnosis import Diagnosis
from hangtui.report.text_report import to_text

_FONT_FACES = re.compile(r"@font-face \{[^}@]*+\}")
"""Whoever looks at the picture need not fetch a font for it."""
LINES = 2000
"""A longer report is cut: browsers refuse to draw it."""


def to_svg(diagnosis: Diagnosis, width: int = 110) -> str:
    """The report in a frame, *width* characters wide."""
    # A part of Textual's own installation; only who asks for a picture pays for it.
    from rich.console import Console
    from rich.text import Text

    lines = to_text(diagnosis, width).splitlines()
    if len(lines) > LINES:
        lines = [*lines[:LINES], f"... {len(lines) - LINES} more lines"]
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123
        console = Console(record=True, width=width, file=nowhere, color_system=None)
        for line in lines:
            # Plain text: what a target is called is no markup.
            console.print(Text(line), no_wrap=True, overflow="crop", highlight=False)
        return _FONT_FACES.sub("", console.export_svg(title="hangtui"))
