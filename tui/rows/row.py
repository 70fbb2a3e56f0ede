"""One item of a list: what it is, how it is painted, what a filter looks at."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.text import Text

from hangtui.tui.cells import cut


class Row(NamedTuple):
    """One item of a list; a named tuple, because lists of thousands are made for each capture."""

    key: str
    """What it is, across captures: the cursor stays on it."""
    paint: Callable[[int], Sequence[Text]]
    """Its lines for a width, as many as *height* says."""
    search: str | Callable[[], str] = ""
    """What a filter looks at; a function where that costs something to make."""
    height: int = 1
    selectable: bool = True

    @property
    def words(self) -> str:
        """What a filter looks at."""
        return self.search if isinstance(self.search, str) else self.search()


def text_row(key: str, text: str, style: str) -> Row:
    """A line that cannot be chosen: a heading, a remark."""
    return Row(key, lambda width: [Text(cut(text, width), style)], selectable=False)
