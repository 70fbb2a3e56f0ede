"""The line that asks for a filter or a search, and narrows a list while it is typed."""

from textual import on
from textual.widgets import Input

from hangtui.tui.views.base import NoteChanged
from hangtui.tui.widgets.rowlist import RowList


class FilterPrompt(Input):
    """Shown only while it is used."""

    def __init__(self) -> None:
        super().__init__(id="filter", placeholder="words, !word: not, re:pattern", compact=True)
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
        self.add_class("-shown")
        self.focus()

    def close(self, rows: RowList, *, clear: bool) -> None:
        """Give the focus back; with *clear* show all rows again."""
        rows = self._rows or rows
        self._rows = None
        if clear:
            rows.set_query("")
        self.remove_class("-shown")
        rows.focus()
        self.post_message(NoteChanged())

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._rows is not None:
            self._rows.set_query(event.value)
            self.post_message(NoteChanged())

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._rows is not None:
            self.close(self._rows, clear=False)
