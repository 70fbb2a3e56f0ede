"""The line that asks for a filter or a search, and narrows a list while it is typed."""

from textual import on
from textual.widgets import Input
from textual.widgets.input import Selection

from hangtui.tui.views.base import NoteChanged
from hangtui.tui.widgets.rowlist import RowList


class FilterPrompt(Input):
    """Shown only while it is used."""

    def __init__(self) -> None:
        # What is selected when the focus arrives might have been typed by then.
        placeholder = "words, !word: not, re:pattern"
        super().__init__(id="filter", placeholder=placeholder, compact=True, select_on_focus=False)
        self._rows: RowList | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is on the screen."""
        return self.has_class("-shown")

    def open(self, rows: RowList) -> None:
        """Ask for a filter of *rows*."""
        self._rows = rows
        with self.prevent(Input.Changed):
            self.value = rows.query_words
        self.selection = Selection(0, len(self.value))
        self.add_class("-shown")
        self.screen.set_focus(self)  # not later: the next key is for it

    def put(self, text: str) -> None:
        """Put *text* in place of the selection, or at the cursor."""
        self.replace(text, *self.selection)

    def close(self, rows: RowList, *, clear: bool) -> None:
        """Give the focus back; with *clear* show all rows again."""
        rows = self._rows or rows
        self._rows = None
        if clear:
            rows.set_query("")
        self.remove_class("-shown")
        self.screen.set_focus(rows)
        self.post_message(NoteChanged())

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._rows is not None:
            self._rows.set_query(event.value)
            self.post_message(NoteChanged())

    async def action_submit(self) -> None:
        """Keep the filter and go back to the list."""
        if self._rows is not None:
            self._rows.set_query(self.value)
            self.close(self._rows, clear=False)
