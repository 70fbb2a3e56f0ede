"""What is copied and exported, and what a toast says of it."""

import base64
from collections.abc import Callable, Mapping
from pathlib import Path

from hangtui.diagnosis import Diagnosis
from hangtui.model import clean
from hangtui.tui import user_files
from hangtui.tui.rows.labels import plural

CLIPBOARD = 75_000
"""Characters; terminals and tmux drop a longer sequence as a whole."""


def clip(text: str) -> str:
    """Keep *text* in a file too: a terminal can ignore the clipboard sequence without a word."""
    copied = plural(len(text.splitlines()), "line")
    try:
        path = user_files.write_clip(text)
    except OSError as error:
        return f"Copied {copied}, but not to a file: {error.strerror}"
    if len(text) > CLIPBOARD:
        return f"Too long for the terminal's clipboard: {copied} in {clean(str(path))}"
    return f"Copied {copied}, also to {clean(str(path))}"


def export(diagnosis: Diagnosis) -> str:
    """Write the capture as files."""
    return _said(lambda: user_files.export(diagnosis))


def export_as(diagnosis: Diagnosis, form: str, screen: Callable[[], str]) -> str:
    """Write one file: the picture of the *screen*, or the wait-for graph in another language."""
    if form == "svg":
        return _said(lambda: user_files.export_text(diagnosis.capture, ".svg", screen()))
    text = graph_text(diagnosis, form)
    return _said(
        lambda: user_files.export_text(
            diagnosis.capture, {"mermaid": ".mmd"}.get(form, ".dot"), text
        )
    )


def graph_text(diagnosis: Diagnosis, form: str) -> str:
    """The wait-for graph in Mermaid's or Graphviz's language."""
    if form == "mermaid":
        from hangtui.report.mermaid import to_mermaid

        return to_mermaid(diagnosis)
    from hangtui.report.dot import to_dot

    return to_dot(diagnosis)


def clipboard_sequence(text: str, environ: Mapping[str, str]) -> str:
    """OSC 52, which asks the terminal to take *text* into its clipboard.

    tmux takes it itself, and with ``allow-passthrough`` also hands it on to the terminal outside;
    screen only hands it on, in pieces that it can hold.
    """
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode()
    plain = f"\x1b]52;c;{encoded}\a"
    if environ.get("TMUX"):
        escaped = plain.replace("\x1b", "\x1b\x1b")
        return f"{plain}\x1bPtmux;{escaped}\x1b\\"
    if environ.get("STY"):
        pieces = (plain[start : start + 700] for start in range(0, len(plain), 700))
        return "".join(f"\x1bP{piece}\x1b\\" for piece in pieces)
    return plain


def _said(write: Callable[[], list[Path]]) -> str:
    try:
        paths = write()
    except OSError as error:
        return f"Not exported: {error.strerror or error}"
    names = ", ".join(path.name for path in paths)
    return f"Wrote {clean(names)} in {clean(str(paths[0].parent))}"
