"""Columns of a table: how wide each is, and how its cells are cut where there is no room."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from hangtui.dataclass import dataclass
from hangtui.model import clean
from hangtui.tui.cells import GAP, cut, cut_middle, pad


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    name: str
    least: int
    """Below this it says nothing any more."""
    fair: int
    """Before one that matters less is left out, this one shrinks to so much."""
    most: int
    matters: int
    """What matters less shrinks first, and is left out first."""
    optional: bool = False
    right: bool = False


def layout(columns: Sequence[Column], wanted: Sequence[int], total: int) -> list[int]:
    """Widths of *columns* in *total* cells; 0: left out. *wanted*: what their cells would take."""
    want = [min(width, column.most) for width, column in zip(wanted, columns, strict=True)]
    by_matter = sorted(range(len(columns)), key=lambda index: columns[index].matters)
    for left_out in [None, *(index for index in by_matter if columns[index].optional)]:
        if left_out is not None:
            want[left_out] = 0
        fair = [min(w, column.fair) for w, column in zip(want, columns, strict=True)]
        if _taken(fair) <= total:
            return _spread(_shrunk(want, fair, by_matter, total), want, total)
    least = [min(w, column.least) for w, column in zip(want, columns, strict=True)]
    return _shrunk(want, least, by_matter, total)


def _taken(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * max(sum(width > 0 for width in widths) - 1, 0)


def _shrunk(
    want: Sequence[int], least: Sequence[int], order: Sequence[int], total: int
) -> list[int]:
    widths = list(want)
    excess = _taken(widths) - total
    for index in order:
        taken = max(min(excess, widths[index] - least[index]), 0)
        widths[index] -= taken
        excess -= taken
    return widths


def _spread(widths: list[int], want: Sequence[int], total: int) -> list[int]:
    """With what is left over behind the columns of text, so that they stand apart, and the rest
    behind the last one."""
    spare = total - _taken(widths)
    shown = [index for index, width in enumerate(widths) if width]
    for index in shown[2:-1]:
        extra = min(max(spare, 0), 2) if want[index] > 8 else 0
        widths[index] += extra
        spare -= extra
    return widths


class Cell(NamedTuple):
    """The text of a cell."""

    text: str
    tail: str = ""
    """What stands behind *text* and is given up first: the function behind ``main.py:18``."""

    @property
    def whole(self) -> str:
        """All of it."""
        return f"{self.text} {self.tail}" if self.tail else self.text

    def fitted(self, width: int, *, right: bool = False) -> str:
        """As exactly *width* cells: first the tail is cut, then the middle of the text."""
        whole = clean(self.whole)
        room = width - cell_len(clean(self.text)) - 1
        if cell_len(whole) > width:
            tail = self.tail and room >= 3
            short = f"{clean(self.text)} {cut(self.tail, room)}"
            whole = short if tail else cut_middle(self.text, width)
        return pad(whole, width, right=right)


def wanted_by(names: Sequence[str], lines: Sequence[Sequence[Cell]]) -> list[int]:
    """The widths that the columns would like; none for one that is empty."""
    widest = [
        max((cell_len(clean(line[index].whole)) for line in lines), default=0)
        for index in range(len(names))
    ]
    return [
        max(width, cell_len(name)) if width else 0
        for width, name in zip(widest, names, strict=True)
    ]


def shared_prefix(names: Sequence[str]) -> str:
    """What all *names* begin with, up to the end of a word; empty where that says little."""
    if len(set(names)) < 2:
        return ""
    first, last = min(names), max(names)
    same = next(
        (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b),
        min(len(first), len(last)),
    )
    end = max((first.rfind(sign, 0, same) for sign in "-_. ("), default=-1) + 1
    return first[:end] if end >= 4 else ""


def without_prefix(name: str, prefix: str, room: int) -> str:
    """*name* without what the names of all begin with, where it is longer than *room*."""
    long = prefix and name.startswith(prefix) and len(name) > room
    return f"…{name[len(prefix) :]}" if long else name
