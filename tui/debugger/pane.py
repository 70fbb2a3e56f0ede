"""Where the drawers open: code to the left, data to the right, or the gdb console."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.message import Message
from textual.widgets import Input

from hangtui.tui.debugger.console import Console
from hangtui.tui.debugger.contents import Content
from hangtui.tui.debugger.prompt import AskPrompt
from hangtui.tui.debugger.questions import Drawer, Query, Slot
from hangtui.tui.widgets.rowlist import Narrowing, RowList

_AROUND = 3
"""Lines that are shown on both sides of the current one, if there is room."""


class Panel(Container):
    """Shows nothing, one drawer or two, or the console; where it is narrow, the newest of them."""

    CONSOLE: ClassVar[str] = "-console"

    class Changed(Message):
        """Something was opened or closed."""

    def __init__(self) -> None:
        super().__init__(id="debugger")
        self.queries: dict[Slot, Query] = {}
        """What the open drawers show, the newest last."""
        self._contents: dict[Slot, Content] = {}
        self._cursors: dict[str, str] = {}
        """The row that was last under the cursor, by the title of the list."""

    def compose(self) -> ComposeResult:
        """Everything, hidden until it is opened."""
        with Horizontal(id="slots"):
            for slot in Slot:
                yield RowList(id=slot.value, narrowing=Narrowing.SEARCH)
        yield Console()
        yield AskPrompt()

    @property
    def console(self) -> Console:
        """The gdb console."""
        return self.query_one(Console)

    @property
    def prompt(self) -> AskPrompt:
        """The line that asks."""
        return self.query_one(AskPrompt)

    @property
    def console_is_open(self) -> bool:
        """Whether the console has the place of the drawers."""
        return self.has_class(self.CONSOLE)

    def rows(self, slot: Slot) -> RowList:
        """The list of a slot."""
        return self.query_one(f"#{slot.value}", RowList)

    def content(self, slot: Slot) -> Content | None:
        """What a slot shows."""
        return self._contents.get(slot)

    def open(self, query: Query) -> None:
        """Make room for the answer to *query*; a drawer that stays open keeps its rank."""
        slot = query.drawer.slot
        if self.drawer_of(slot) is not query.drawer:
            self.queries.pop(slot, None)
        self.queries[slot] = query
        self._lay_out()

    def show(self, query: Query, content: Content) -> None:
        """Show an answer, if it is still wanted."""
        slot = query.drawer.slot
        if self.queries.get(slot) != query:
            return
        rows = self.rows(slot)
        if rows.cursor_key is not None and slot in self._contents:
            self._cursors[self._contents[slot].title] = rows.cursor_key
        self._contents[slot] = content
        rows.set_titles(content.title, content.note)
        # A register stays under the cursor from frame to frame; a line of code would be elsewhere.
        before = None if content.cursor_leads else self._cursors.get(content.title)
        rows.set_rows(
            content.rows,
            heading=content.heading,
            empty=content.empty,
            cursor=before or content.cursor,
        )
        if content.cursor_leads and content.cursor is not None:
            self.call_after_refresh(_show_around, rows, content.cursor)

    def close(self, slot: Slot) -> None:
        """Close a drawer."""
        self.queries.pop(slot, None)
        self._contents.pop(slot, None)
        self._lay_out()

    def ask(self, question: str, then: Callable[[str], None], value: str = "") -> None:
        """Ask for a line of text, whether a drawer is open or not."""
        self.prompt.open(question, then, value)
        self._lay_out()

    def stop_asking(self) -> None:
        """Ask no more."""
        self.prompt.close()
        self._lay_out()

    @on(Input.Submitted, "#ask")
    def _asked(self) -> None:
        self._lay_out()

    def toggle_console(self, *, shown: bool) -> None:
        """Put the console where the drawers are, or take it away."""
        self.set_class(shown, self.CONSOLE)
        self._lay_out()

    def drawer_of(self, slot: Slot) -> Drawer | None:
        """Which drawer is open in a slot."""
        query = self.queries.get(slot)
        return query.drawer if query else None

    def _lay_out(self) -> None:
        newest = next(reversed(self.queries), None)
        for slot in Slot:
            self.set_class(slot in self.queries, f"-{slot.value}")
            self.set_class(slot is newest, f"-newest-{slot.value}")
        opened = bool(self.queries) or self.console_is_open
        self.set_class(opened, "-opened")
        self.set_class(opened or self.prompt.is_open, "-shown")
        self.post_message(self.Changed())


def _show_around(rows: RowList, cursor: str) -> None:
    """Show the row of the cursor with some of its neighbours."""
    if rows.select(cursor):
        rows.reveal_around_cursor(_AROUND)
