"""Signs and columns of the text reports: Unicode, or ASCII where the output cannot show it."""

import textwrap
import unicodedata

from hangtui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs that drawings are made of."""

    ring_start: str = "┏▶ "
    ring: str = "┃  "
    ring_inferred: str = "┇  "
    ring_end: str = "┗━━┛"
    behind: str = "└◀╴"
    thread: str = "●"
    resource: str = "■"
    down: str = "▼"
    up: str = "▲"
    column: str = "│"
    shared: str = "┆"
    more: str = "…"
    rule: str = "─"


UNICODE = Signs()
ASCII = Signs(
    ring_start="+> ",
    ring="|  ",
    ring_inferred=":  ",
    ring_end="+--+",
    behind="`<-",
    thread="*",
    resource="#",
    down="v",
    up="^",
    column="|",
    shared=":",
    more="...",
    rule="-",
)


def cells(text: str) -> int:
    """How many columns of a terminal *text* takes."""
    if text.isascii():
        return len(text)
    return sum(_cells(char) for char in text)


def cut(text: str, width: int, more: str = "…") -> str:
    """*text* in at most *width* columns."""
    if cells(text) <= width:
        return text
    room = width - cells(more)
    kept = ""
    for char in text:
        room -= _cells(char)
        if room < 0:
            break
        kept += char
    return kept + more


def pad(text: str, width: int, more: str = "…") -> str:
    """*text* in exactly *width* columns."""
    short = cut(text, width, more)
    return short + " " * (width - cells(short))


def wrapped(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    """*text* as lines of at most *width* columns, behind *first* and then *rest*."""
    rest = " " * len(first) if rest is None else rest
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    ) or [first.rstrip()]


def _cells(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
