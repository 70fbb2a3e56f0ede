"""Plain text to terminal cells: cutting, padding, wrapping, and what may reach the terminal."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.content import Content
from textual.strip import Strip

from hangtui.model import clean

GAP = 1
"""Cells between two columns."""


def cut(text: str, width: int) -> str:
    """*text* cleaned and shortened to at most *width* cells."""
    text = clean(text)
    if cell_len(text) <= width:
        return text
    if width <= 1:
        return "…"[: max(width, 0)]
    # A wide character that does not fit leaves a space behind, which the ellipsis need not follow.
    return set_cell_size(text, width - 1).rstrip() + "…"


def cut_left(text: str, width: int) -> str:
    """*text* cleaned and shortened at its beginning: the end of a path says most."""
    text = clean(text)
    if cell_len(text) <= width:
        return text
    if width <= 1:
        return "…"[: max(width, 0)]
    while cell_len(text) > width - 1:
        text = text[1:]
    return "…" + text


def cut_middle(text: str, width: int) -> str:
    """*text* cleaned and shortened in its middle: names of one kind differ at their ends."""
    text = clean(text)
    if cell_len(text) <= width:
        return text
    if width < 4:
        return cut(text, width)
    head = set_cell_size(text, (width - 1) // 2).rstrip()
    tail = text
    while cell_len(tail) > width - 1 - cell_len(head):
        tail = tail[1:]
    return f"{head}…{tail}"


def pad(text: str, width: int, *, right: bool = False) -> str:
    """*text* as exactly *width* cells."""
    text = cut(text, width)
    space = " " * (width - cell_len(text))
    return space + text if right else text + space


def wrap(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    """*text* in lines of at most *width* cells, the first one after *first*, others after *rest*.

    *rest* is as many spaces as *first* is wide unless it is given.
    """
    indent = " " * cell_len(first) if rest is None else rest
    lines: list[str] = []
    line, empty = first, True
    for word in _words(clean(text), max(width - cell_len(indent), 1)):
        glue = "" if empty else " "
        if cell_len(line) + len(glue) + cell_len(word) > width and line != indent:
            lines.append(line)
            line, glue = indent, ""
        line, empty = line + glue + word, False
    return [*lines, line]


def _words(text: str, width: int) -> Iterable[str]:
    """The words of *text*; one that is wider than *width* in pieces."""
    for word in text.split():
        rest = word
        while cell_len(rest) > width:
            piece = rest[:1] + set_cell_size(rest, width).rstrip()[1:]
            yield piece
            rest = rest[len(piece) :]
        if rest:
            yield rest


def allot(wanted: Sequence[int], least: Sequence[int], total: int) -> list[int]:
    """Widths for columns that want *wanted* and can live with *least*, in *total* cells.

    What is missing is taken from the widest column first, so that short columns stay whole.
    """
    widths = list(wanted)
    excess = sum(widths) + GAP * (len(widths) - 1) - total
    while excess > 0:
        room = [width - low for width, low in zip(widths, least, strict=True)]
        shrinkable = [index for index, spare in enumerate(room) if spare > 0]
        if not shrinkable:
            break
        widest = max(shrinkable, key=lambda index: widths[index])
        widths[widest] -= 1
        excess -= 1
    return widths


def spread(left: Text, right: Text, width: int) -> Text:
    """One line with *left* and *right* at its ends; *left* is cut where they meet."""
    room = max(width - right.cell_len - (1 if right.cell_len else 0), 0)
    line = left.copy()
    line.truncate(room, overflow="ellipsis", pad=True)
    if right.cell_len:
        line.append(" " * (width - room - right.cell_len))
        line.append_text(right)
    line.truncate(width)
    return line


def strip_of(text: Text, width: int, console: Console, base: Style) -> Strip:
    """*text* as one line of exactly *width* cells.

    This is the last step before the terminal: whatever the callers did, no control character
    passes it.
    """
    segments = [
        Segment(_safe(segment.text), segment.style)
        for segment in text.render(console)
        if segment.text and segment.text != "\n"
    ]
    # A text without spans renders without its own style.
    style = base + console.get_style(text.style)
    return Strip(segments).adjust_cell_length(width).apply_style(style)


def changed_span(before: Strip, after: Strip) -> tuple[int, int] | None:
    """The cells in which two lines differ, from the first to behind the last; None: in none.

    Over a slow line a few cells cost a few bytes, and a line some hundred.
    """
    if before == after:
        return None
    if before.cell_length != after.cell_length:
        return 0, max(before.cell_length, after.cell_length)
    left = _alike(list(before), list(after))
    right = _alike(list(before)[::-1], list(after)[::-1])
    end = after.cell_length - right
    return (left, end) if left < end else (0, after.cell_length)


def _alike(before: Sequence[Segment], after: Sequence[Segment]) -> int:
    """How many cells the equal segments at the beginning take."""
    cells = 0
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        cells += other.cell_length
    return cells


def title(text: str) -> Content:
    """*text* as a box title: no markup, no control characters."""
    return Content(_safe(text))


def _safe(text: str) -> str:
    return text if text.isprintable() else clean(text, len(text))
