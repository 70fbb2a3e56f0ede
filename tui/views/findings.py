"""Findings: what is wrong, why we say so, what is unknown and what to try."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from hangtui.model import Finding, thread_id
from hangtui.tui.bindings import bindings
from hangtui.tui.keys import Scope, ViewName
from hangtui.tui.rows.findings import (
    finding_lines,
    finding_rows,
    item_of,
    notice_lines,
    quiet_lines,
)
from hangtui.tui.rows.labels import plural
from hangtui.tui.session import CaptureView, Session
from hangtui.tui.status import WIDE, Status
from hangtui.tui.views.base import ThreadPicked, View, ViewWanted, waiting_words
from hangtui.tui.widgets.rowlist import RowList
from hangtui.tui.widgets.textpane import TextPane


class FindingsView(View):
    """The diagnoses."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Scope.FINDINGS)
    NAME = ViewName.FINDINGS
    MAIN = "findings-list"

    def __init__(self) -> None:
        super().__init__(id=ViewName.FINDINGS.value)
        self._view: CaptureView | None = None
        self._cards: bool | None = None

    def compose(self) -> ComposeResult:
        """The list, and the chosen finding beside or below it."""
        yield RowList(id="findings-list")
        yield TextPane(id="finding")

    @property
    def note(self) -> str:
        """The filter, else the number of findings."""
        if (text := super().note) or self._view is None:
            return text
        return plural(len(self._view.findings), "finding")

    def present(self, session: Session, status: Status) -> None:
        """Show the findings of the present capture."""
        rows = self.query_one("#findings-list", RowList)
        view = session.current
        if view is None:
            rows.set_rows((), empty=waiting_words(session, status))
            return
        cards = self.app.size.width >= WIDE
        if view is not self._view or cards is not self._cards:
            self._view, self._cards = view, cards
            rows.set_rows(finding_rows(view, cards=cards), empty="no finding")
            rows.set_titles("Findings", "worst first")
            self.refresh_note()
        self._show_detail()

    def on_resize(self) -> None:
        """Change between cards and lines."""
        if self._view is not None:
            self.present(Session((self._view,), 0), Status())

    def explained(self) -> Finding | None:
        """The chosen one."""
        key = self.query_one("#findings-list", RowList).cursor_key or ""
        item = item_of(self._view, key) if self._view else None
        return item if isinstance(item, Finding) else None

    def copied(self, *, whole: bool) -> str:
        """A finding is copied in full, not as its row."""
        del whole
        return self.query_one("#finding", TextPane).plain

    def _show_detail(self) -> None:
        view = self._view
        if view is None:
            return
        key = self.query_one("#findings-list", RowList).cursor_key or ""
        item = item_of(view, key)
        pane = self.query_one("#finding", TextPane)
        pane.set_titles("" if item is None else item.id if isinstance(item, Finding) else "notice")

        def make(width: int) -> Sequence[Text]:
            if item is None:
                return quiet_lines(view, width)
            if isinstance(item, Finding):
                return finding_lines(item, width)
            return notice_lines(item, width)

        pane.show(make, key=(id(view), key))

    @on(RowList.Highlighted, "#findings-list")
    def _highlighted(self) -> None:
        self._show_detail()

    @on(RowList.Chosen, "#findings-list")
    def _chosen(self, event: RowList.Chosen) -> None:
        item = item_of(self._view, event.key) if self._view else None
        if isinstance(item, Finding) and (item.tasks or item.threads):
            threads = (thread_id(one.pid, one.tid) for one in item.threads)
            self.post_message(ThreadPicked(next(iter((*item.tasks, *threads)))))
            self.post_message(ViewWanted(ViewName.WAITS))
        else:
            self.query_one("#finding", TextPane).focus()
