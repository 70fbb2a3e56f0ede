"""Waits: who waits for whom, and the evidence for it."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from hangtui.tui.bindings import bindings
from hangtui.tui.keys import Scope, ViewName
from hangtui.tui.rows.evidence import node_lines
from hangtui.tui.rows.labels import plural
from hangtui.tui.rows.waits import WaitRows, wait_rows
from hangtui.tui.session import CaptureView, Session
from hangtui.tui.status import Status
from hangtui.tui.views.base import ThreadPicked, View, ViewWanted, waiting_words
from hangtui.tui.widgets.rowlist import RowList
from hangtui.tui.widgets.textpane import TextPane


class WaitsView(View):
    """The wait-for graph."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Scope.WAITS)
    NAME = ViewName.WAITS
    MAIN = "graph"

    def __init__(self) -> None:
        super().__init__(id=ViewName.WAITS.value)
        self._view: CaptureView | None = None
        self._rows = WaitRows()
        self._resources = 0
        self._evidence: tuple[CaptureView, str] | None = None
        """What the pane beside the graph shows."""

    def compose(self) -> ComposeResult:
        """The graph, and the evidence beside or below it."""
        yield RowList(id="graph")
        yield TextPane(id="evidence")

    @property
    def note(self) -> str:
        """The filter, else the size of the graph."""
        if (text := super().note) or self._view is None:
            return text
        graph = self._view.graph
        cycles = plural(len(graph.cycles), "ring") if graph.cycles else "no ring"
        return f"{cycles} · {plural(self._resources, 'resource')}"

    def present(self, session: Session, status: Status) -> None:
        """Show the graph of the present capture."""
        view = session.current
        graph = self.query_one("#graph", RowList)
        if view is None:
            graph.set_rows((), empty=waiting_words(session, status))
            return
        fresh = self._view is None
        if view is not self._view:
            self._view = view
            self._rows = wait_rows(view)
            self._resources = sum(node.kind.is_resource for node in view.graph.nodes)
            start = self._rows.cycle_starts[0] if fresh and self._rows.cycle_starts else None
            graph.set_rows(self._rows.rows, empty="no threads", cursor=start)
            graph.set_titles("Who waits for whom", "every edge has its evidence (v)")
            self.refresh_note()
        if session.thread is not None and self._is_elsewhere(session.thread):
            graph.select(session.thread)
        self._show_evidence()

    def _is_elsewhere(self, thread: str) -> bool:
        """Whether the cursor is on another thread; on a resource it may stay."""
        cursor = self.query_one("#graph", RowList).cursor_key
        return cursor != thread and self._view is not None and cursor in self._view.units

    def _show_evidence(self) -> None:
        view = self._view
        key = self.query_one("#graph", RowList).cursor_key
        if view is None or key is None:
            return
        node = self._rows.nodes.get(key)
        pane = self.query_one("#evidence", TextPane)
        name = node.id if node else key
        if self._evidence == (view, name):
            return
        self._evidence = view, name
        pane.set_titles("Evidence")
        pane.show(lambda width: node_lines(view, name, width), key=(id(view), name))

    @on(RowList.Highlighted, "#graph")
    def _highlighted(self, event: RowList.Highlighted) -> None:
        self._show_evidence()
        if self._view is not None and event.key in self._view.units:
            self.post_message(ThreadPicked(event.key))

    @on(RowList.Chosen, "#graph")
    def _chosen(self, event: RowList.Chosen) -> None:
        if self._view is not None and event.key in self._view.units:
            self.post_message(ViewWanted(ViewName.THREAD))
        else:
            self.query_one("#evidence", TextPane).focus()

    def action_evidence(self) -> None:
        """Show or hide the evidence."""
        self.toggle_class("-no-evidence")

    def action_cycle(self) -> None:
        """Go to the next cycle."""
        starts = list(self._rows.cycle_starts)
        graph = self.query_one("#graph", RowList)
        if not starts:
            self.notify("There is no ring of waits in this capture.", markup=False)
            return
        at = starts.index(graph.cursor_key) if graph.cursor_key in starts else -1
        key = starts[(at + 1) % len(starts)]
        if graph.select(key):
            self.post_message(ThreadPicked(key))
            self._show_evidence()
