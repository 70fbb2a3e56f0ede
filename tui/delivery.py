"""What a toast says after something was copied or exported."""

from hangtui.model import Capture, clean
from hangtui.tui import places
from hangtui.tui.rows.words import plural


def clip(text: str) -> str:
    """Keep *text* in a file too: a terminal can ignore the clipboard sequence without a word."""
    copied = plural(len(text.splitlines()), "line")
    try:
        path = places.write_clip(text)
    except OSError as error:
        return f"Copied {copied}, but not to a file: {error.strerror}"
    return f"Copied {copied}, also to {clean(str(path))}"


def export(capture: Capture) -> str:
    """Write the capture as files."""
    try:
        paths = places.export(capture)
    except OSError as error:
        return f"Not exported: {error.strerror or error}"
    names = ", ".join(path.name for path in paths)
    return f"Wrote {clean(names)} in {clean(str(paths[0].parent))}"
