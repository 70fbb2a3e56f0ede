"""A list of rows with a cursor that follows its item, a filter and a search."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from itertools import accumulate
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.message import Message

from hangtui.tui.bindings import bindings
from hangtui.tui.filters import matcher
from hangtui.tui.keys import Scope
from hangtui.tui.rows.row import Row
from hangtui.tui.theme import CURSOR
from hangtui.tui.widgets.lines import Lines


class Narrowing(Enum):
    """What ``/`` does in a list."""

    FILTER = "filter"
    """Only rows that match stay."""
    SEARCH = "search"
    """The cursor goes to rows that match; order and neighbours of a stack mean something."""


class RowList(Lines):
    """Rows of one or more lines, painted when they are seen."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.PANE), *bindings(Scope.LIST)]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"rowlist--cursor", "rowlist--cursor-blurred"}

    class Highlighted(Message):
        """The cursor went to another item."""

        def __init__(self, rows: "RowList", key: str) -> None:
            super().__init__()
            self.rows = rows
            self.key = key

        @property
        def control(self) -> "RowList":
            """The list."""
            return self.rows

    class Chosen(Highlighted):
        """Enter or a double click on an item."""

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
        narrowing: Narrowing = Narrowing.FILTER,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.narrowing = narrowing
        self.query_words = ""
        self._all: Sequence[Row] = ()
        self._every: Sequence[Row] = ()
        self._standing_for: Mapping[str, str] = {}
        self._rows: Sequence[Row] = ()
        self._starts: list[int] = [0]
        self._cursor = 0
        self._heading: Callable[[int], Text] | None = None
        self._empty = ""
        self._cache: dict[tuple[int, int], Sequence[Text]] = {}
        self._named: tuple[int, list[Text]] | None = None
        self._places: dict[str, int] = {}
        self._choices: list[int] = []
        """The rows that can be selected, in order."""

    @property
    def cursor_key(self) -> str | None:
        """The item under the cursor."""
        return self._rows[self._cursor].key if self._rows else None

    @property
    def shown(self) -> tuple[int, int]:
        """How many items are shown, and of how many."""
        return (
            sum(row.selectable for row in self._rows),
            sum(row.selectable for row in self._every),
        )

    @property
    def cursor_text(self) -> str:
        """The item under the cursor as plain text."""
        if not self._rows:
            return ""
        return "\n".join(line.plain.strip() for line in self._rows[self._cursor].paint(200))

    @property
    def plain(self) -> str:
        """All shown items as plain text."""
        lines = [line for row in self._rows for line in row.paint(200)]
        return "\n".join(line.plain.rstrip() for line in lines)

    def set_rows(
        self,
        rows: Sequence[Row],
        *,
        heading: Callable[[int], Text] | None = None,
        empty: str = "",
        cursor: str | None = None,
        every: Sequence[Row] | None = None,
        standing_for: Mapping[str, str] | None = None,
    ) -> None:
        """Show *rows*; the cursor stays on its item, or goes to *cursor*. *every*: what a filter
        looks at, where some of *rows* stand for several; *standing_for*: the keys of those rows by
        the keys of these items."""
        self._standing_for = standing_for or {}
        self._every = rows if every is None else every
        self._all, self._heading, self._empty, self._named = rows, heading, empty, None
        self._narrow(cursor)

    def set_query(self, query: str) -> None:
        """Narrow the list to the rows that *query* describes, or search for it."""
        self.query_words = query
        if self.narrowing is Narrowing.FILTER:
            before = self.cursor_key
            self._narrow(None)
            key = self.cursor_key
            if key is not None and key not in (before, self._standing_for.get(before or "")):
                self.post_message(self.Highlighted(self, key))
        elif query:
            self.find(1, include_current=True)

    def find(self, direction: int, *, include_current: bool = False) -> bool:
        """Put the cursor on the next row that matches the search."""
        matches = matcher(self.query_words)
        count = len(self._rows)
        for step in range(0 if include_current else 1, count + 1 if count else 0):
            index = (self._cursor + direction * step) % count
            if self._rows[index].selectable and matches(self._rows[index].words):
                self._go(index)
                return True
        return False

    def select(self, key: str) -> bool:
        """Put the cursor on an item without telling anybody."""
        index = self._place_of(key)
        if index is None:
            return False
        if index != self._cursor:
            self._place(index)
        return True

    def line_count(self) -> int:
        """How many lines the rows have together."""
        return self._starts[-1] if self._rows else 1

    def heading(self, width: int) -> list[Text]:
        """The names of the columns."""
        if not (self._heading and self._rows):
            return []
        if self._named is None or self._named[0] != width:
            self._named = (width, [Text(" ") + self._heading(width - 1)])
        return self._named[1]

    def line(self, index: int, width: int) -> tuple[Text, Style]:
        """One line of a row behind the mark of the cursor."""
        if not self._rows:
            empty = f"no match for {self.query_words!r}" if self._all else self._empty
            return Text(f" {empty}", "dim"), Style.null()
        number = bisect_right(self._starts, index) - 1
        text = self._lines_of(number, width - 1)[index - self._starts[number]]
        if number != self._cursor or not self._rows[number].selectable:
            return Text(" ") + text, Style.null()
        name = "rowlist--cursor" if self.has_focus else "rowlist--cursor-blurred"
        style = self.get_component_rich_style(name, partial=True)
        # Colours of their own would make stripes on a reversed line.
        body = Text(text.plain) if style.reverse else text
        return Text.assemble((CURSOR, "bold"), body), style

    def on_resize(self) -> None:
        """Paint for the new width and keep the cursor in sight."""
        self._cache.clear()
        super().on_resize()
        self._reveal_cursor()

    def on_focus(self) -> None:
        """Show the cursor as the active one."""
        self.repaint_changed()

    def on_blur(self) -> None:
        """Show the cursor as a passive one."""
        self.repaint_changed()

    def on_click(self, event: events.Click) -> None:
        """Select the row under the mouse; a double click opens it."""
        offset = event.get_content_offset(self)
        line = -1 if offset is None else offset.y - len(self.heading(1)) + self.scroll_offset.y
        if not self._rows or not 0 <= line < self.line_count():
            return
        index = bisect_right(self._starts, line) - 1
        if self._rows[index].selectable:
            self._go(index)
            if event.chain == 2:
                self.action_choose()

    def action_line(self, direction: int) -> None:
        """Move by one row."""
        self._step(direction, 1)

    def action_page(self, direction: int) -> None:
        """Move by one page."""
        self._step(direction, max(self.page - 1, 1))

    def action_half(self, direction: int) -> None:
        """Move by half a page."""
        self._step(direction, max(self.page // 2, 1))

    def action_edge(self, direction: int) -> None:
        """Move to the first or the last row."""
        self._step(direction, len(self._rows))

    def action_choose(self) -> None:
        """Open the item under the cursor."""
        if (key := self.cursor_key) is not None:
            self.post_message(self.Chosen(self, key))

    def _narrow(self, cursor: str | None) -> None:
        wanted, before = cursor or self.cursor_key, self._cursor
        rows = self._all
        if self.query_words and self.narrowing is Narrowing.FILTER:
            matches = matcher(self.query_words)
            rows = [row for row in self._every if row.selectable and matches(row.words)]
        self._rows = rows
        self._starts = [0, *accumulate(row.height for row in rows)]
        self._cache.clear()
        self._places = {row.key: index for index, row in enumerate(rows)}
        self._choices = [index for index, row in enumerate(rows) if row.selectable]
        index = self._place_of(wanted or "")
        self._cursor = self._nearest(before) if index is None else index
        self.repaint_changed()
        self._reveal_cursor()

    def _place_of(self, key: str) -> int | None:
        """The row of an item, or the one that stands for it."""
        index = self._places.get(key)
        return self._places.get(self._standing_for.get(key, "")) if index is None else index

    def _nearest(self, index: int) -> int:
        """The selectable row closest to *index*, 0 if there is none."""
        return min(self._choices, key=lambda i: abs(i - index), default=0)

    def _step(self, direction: int, distance: int) -> None:
        choices = self._choices
        if not choices:
            return
        at = bisect_right(choices, self._cursor) - 1
        self._go(choices[min(max(at + direction * distance, 0), len(choices) - 1)])
        if direction < 0 and self._cursor == choices[0]:
            self.scroll_to(y=0, animate=False, immediate=True)

    def _go(self, index: int) -> None:
        """Put the cursor on a row and tell."""
        changed = index != self._cursor
        self._place(index)
        if changed:
            self.post_message(self.Highlighted(self, self._rows[index].key))

    def _place(self, index: int) -> None:
        before, self._cursor = self._cursor, index
        for number in {before, index}:
            if number < len(self._rows):
                self.repaint_lines(self._starts[number], self._starts[number + 1] - 1)
        self._reveal_cursor()

    def reveal_around_cursor(self, margin: int) -> None:
        """Scroll so that *margin* lines before and after the cursor's row are shown as well."""
        if self._rows:
            first, last = self._starts[self._cursor], self._starts[self._cursor + 1] - 1
            spare = max(self.page - 1 - (last - first), 0) // 2
            margin = min(margin, spare)
            self.reveal(max(first - margin, 0), min(last + margin, self.line_count() - 1))

    def _reveal_cursor(self) -> None:
        if self._rows:
            first, last = self._starts[self._cursor], self._starts[self._cursor + 1] - 1
            self.reveal(first, last)

    def _lines_of(self, number: int, width: int) -> Sequence[Text]:
        key = (number, width)
        if key not in self._cache:
            self._cache[key] = self._rows[number].paint(width)
        return self._cache[key]
