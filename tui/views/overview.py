"""Overview: which process, which thread, what it is in and who holds it up."""

from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.events import DescendantBlur, DescendantFocus

from hangtui.analysis.states import ThreadState
from hangtui.model import Finding, clean
from hangtui.tui.bindings import bindings
from hangtui.tui.keys import Scope, ViewName
from hangtui.tui.rows.evidence import wait_line
from hangtui.tui.rows.labels import clock_time, labelled, plural, state_label, unit_state
from hangtui.tui.rows.process_facts import facts
from hangtui.tui.rows.processes import ALL, process_rows
from hangtui.tui.rows.stacks import StackMode, fix_of
from hangtui.tui.rows.threads import Sort, TableMode, thread_table
from hangtui.tui.rows.verdict import partner_of, problem_lines, verdict_lines
from hangtui.tui.session import CaptureView, Session
from hangtui.tui.status import WIDE, Status
from hangtui.tui.units import Outsider, Unit
from hangtui.tui.views.base import ProcessPicked, ThreadPicked, View, ViewWanted, waiting_words
from hangtui.tui.widgets.rowlist import RowList
from hangtui.tui.widgets.stacklist import StackList
from hangtui.tui.widgets.textpane import TextPane

TALL = 34
BESIDE = 160
"""From this width on two stacks stand side by side."""
SHORT_TOP = 12
"""Lines beside the summary where two stacks below want the rest."""
LEAST_TOP = 20
"""Lines that the summary beside the threads wants."""
PROCESS_LINES = 6
"""Lines of the processes in a narrow terminal while they have the focus, as in app.tcss."""


class OverviewView(View):
    """Processes, threads, and the stacks of the selected thread."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Scope.OVERVIEW)
    NAME = ViewName.OVERVIEW
    MAIN = "threads"

    def __init__(self) -> None:
        super().__init__(id=ViewName.OVERVIEW.value)
        self._mode = TableMode()
        self._session = Session()
        self._status = Status()
        self._built: tuple[object, ...] = ()
        self._said: tuple[tuple[object, ...], list[Text]] = ((), [])
        """The verdict, and what it was made for."""
        self._hidden = 0

    def compose(self) -> ComposeResult:
        """Processes and facts left, threads right, stacks below."""
        yield TextPane(id="verdict")
        with Horizontal(id="overview-top"):
            with Vertical(id="side"):
                yield RowList(id="processes")
                yield TextPane(id="facts")
            yield RowList(id="threads")
        with Container(id="previews"):
            yield StackList(id="preview")
            yield StackList(id="partner")

    @property
    def note(self) -> str:
        """The filter, else the order."""
        if text := super().note:
            return text
        hidden = f"{self._hidden} idle hidden" if self._hidden else ""
        order = "inverted " if self._mode.inverted else ""
        sort = f"sort: {order}{self._mode.sort.name.lower()}"
        usual = self._mode.sort is Sort.INTEREST and not order
        return " · ".join(filter(None, ("" if usual else sort, hidden)))

    def present(self, session: Session, status: Status) -> None:
        """Show *session*; rows are only made anew for another capture, process or order."""
        self._session, self._status = session, status
        view = session.current
        if view is None:
            empty = "nothing was captured" if status.failure else waiting_words(session, status)
            self.query_one("#threads", RowList).set_rows((), empty=empty)
            self._show_verdict()
            self._share_height()
            return
        built = (view, session.process, self._mode, status.taking, status.failure)
        if built != self._built:
            self._built = built
            self._show_verdict()
            self._show_processes(view, session)
            self._show_threads(view, session, status)
        if session.thread is not None:
            self.query_one("#threads", RowList).select(session.thread)
        self._show_preview(view, session)

    def _show_verdict(self) -> None:
        """The worst finding above everything else, or why nothing could be read."""
        verdict = self.query_one("#verdict", TextPane)
        verdict.show(self._verdict, key=self._session.process)
        verdict.can_focus = False

    def _verdict(self, width: int) -> list[Text]:
        view, failure = self._session.current, self._status.failure
        if view is None:
            return list(problem_lines(failure.message, failure.fix, width)) if failure else []
        pid, room = self._session.process, self._verdict_room()
        if self._said[0] != (view, pid, width, room):
            self._said = ((view, pid, width, room), verdict_lines(view, pid, width, room))
        return self._said[1]

    def _share_verdict(self) -> int:
        """Give the verdict the lines that it needs, and tell how many."""
        verdict = self.query_one("#verdict", TextPane)
        said = len(self._verdict(self.size.width))
        verdict.styles.height = said
        verdict.set_class(said == 0, "-quiet")
        return said

    def explained(self) -> Finding | None:
        """The one that the verdict tells."""
        view = self._session.current
        found = view.findings_of(self._session.process) if view else ()
        return next(iter(found), None)

    def _verdict_room(self) -> int:
        """Lines for the verdict."""
        return 7 if self.app.size.height >= TALL else 4

    def _show_processes(self, view: CaptureView, session: Session) -> None:
        processes = self.query_one("#processes", RowList)
        cursor = ALL if session.process is None else str(session.process)
        found = process_rows(view, fold=not self._mode.unfolded)
        processes.set_rows(
            found.rows, cursor=cursor, every=found.every, standing_for=found.standing_for
        )
        processes.set_titles("Processes")
        self.set_class(len(view.capture.processes) > 1, "-several")
        pane = self.query_one("#facts", TextPane)
        pane.set_titles("Summary")
        history = session.views[: session.index % len(session.views) + 1]
        pid = session.process
        pane.show(lambda width: facts(view, pid, max(width, 1), history), key=pid)

    def _show_threads(self, view: CaptureView, session: Session, status: Status) -> None:
        groups = view.groups_of(session.process)
        waiting = "reading …" if view.capture.pending and status.taking else ""
        worst = self.explained()
        table = thread_table(
            view, groups, self._mode, worst=worst, waiting=waiting, remarks=self._remarks(view)
        )
        self._hidden = table.hidden
        rows = self.query_one("#threads", RowList)
        rows.set_rows(
            table.rows,
            heading=table.heading,
            empty="no threads",
            cursor=session.thread,
            every=table.every,
            standing_for=table.standing_for,
        )
        of = "all processes" if session.process is None else f"process {session.process}"
        if len(view.capture.processes) == 1:
            of = f"process {view.capture.processes[0].pid}"
        hidden = f" · {table.hidden} hidden" if table.hidden else ""
        rows_shown = sum(row.selectable for row in table.rows)
        fold = f" · {table.count} in {plural(rows_shown, 'row')} (m unfolds)"
        fold = fold if table.standing_for else ""
        doubt = " · ?: inferred" if view.infers else ""
        rows.set_titles(f"{self._what(view, of)}{fold}", f"{table.count} in all{hidden}{doubt}")
        self.refresh_note()
        self._share_height()

    def _remarks(self, view: CaptureView) -> list[str]:
        """What is not as it was: that a process could not be read again, and which are missing."""
        failure, time = self._status.failure, clock_time(view.capture.taken_at)
        told = [f"{failure.message}: these rows are of {time}"] if failure else []
        gone = self._session.vanished() if view.capture.complete else ()
        return told + [
            f"{clean(one.title)} · process {one.pid} was not found any more at {time} ({{: before)"
            for one in gone
        ]

    def _what(self, view: CaptureView, of: str) -> str:
        """``Threads of process 7``, ``Threads and tasks of process 7``."""
        tasks = f" and {view.loop_units}s" if view.capture.tasks else ""
        return f"Threads{tasks} of {of}"

    def on_resize(self) -> None:
        """Share the new height."""
        self._share_height()

    @on(DescendantFocus, "#processes")
    @on(DescendantBlur, "#processes")
    def _processes_grow_or_shrink(self) -> None:
        self._share_height()

    def _share_height(self) -> None:
        """Give the stacks what the list of threads does not need."""
        width, height = self.app.size
        tall, wide = height >= TALL, width >= WIDE
        said = self._share_verdict()
        rows = self.query_one("#threads", RowList).shown[1] + 4
        if self.has_class("-several") and not wide:
            rows += PROCESS_LINES if self.query_one("#processes").has_focus else 1
        if wide:
            self.query_one("#side").styles.width = max(34, min(width // 4, 78))
        beside = width >= BESIDE
        both = self.has_class("-partner") and (tall or beside)
        self.set_class(both, "-both")
        self.set_class(beside, "-beside")
        least = rows if not (tall and wide) else LEAST_TOP if not both or beside else SHORT_TOP
        spare = self.size.height - said - max(rows, least)
        wanted = (18 if both and not beside else 14) if tall else 9
        self.query_one("#previews").styles.height = max(
            min(wanted, self.size.height - said - 9), spare
        )

    def _show_preview(self, view: CaptureView, session: Session) -> None:
        """The stacks of what is selected, and of the one that it waits for."""
        unit = session.unit
        other = partner_of(view, unit.id) if unit else None
        if (other is not None) is not self.has_class("-partner"):
            self.set_class(other is not None, "-partner")
            self._share_height()
        self._show_stack("#preview", view, unit)
        if other is not None:
            self._show_stack("#partner", view, view.units[other])

    def _show_stack(self, selector: str, view: CaptureView, unit: Unit | None) -> None:
        preview = self.query_one(selector, StackList)
        if unit is None:
            preview.clear("select a thread")
            return
        if isinstance(unit, Outsider):
            preview.clear("not looked into: only processes of Python and those that they wait for")
            preview.set_titles(f"{clean(unit.name)} · process {unit.pid}")
            return
        pending = self._status.taking and not view.capture.complete
        preview.show(unit, StackMode(brief=True), pending=pending, fix=fix_of(view, unit))
        state = unit_state(view, unit)
        plain = view.graph.wait_of(unit.id) is not None and state == state_label(ThreadState.WAIT)
        says = wait_line(view, unit) if plain else f"{state} · {wait_line(view, unit)}"
        preview.set_titles(f"{labelled(unit)} · {says}", preview.reason or "Enter: whole stacks")

    @on(RowList.Highlighted, "#threads")
    def _thread_highlighted(self, event: RowList.Highlighted) -> None:
        self.post_message(ThreadPicked(event.key))

    @on(RowList.Chosen, "#threads")
    @on(RowList.Chosen, "#preview")
    def _thread_chosen(self) -> None:
        self.post_message(ViewWanted(ViewName.THREAD))

    @on(RowList.Chosen, "#partner")
    def _partner_chosen(self) -> None:
        view, thread = self._session.current, self._session.thread
        other = partner_of(view, thread) if view and thread else None
        if other is not None:
            self.post_message(ThreadPicked(other))
            self.post_message(ViewWanted(ViewName.THREAD))

    @on(RowList.Highlighted, "#processes")
    def _process_highlighted(self, event: RowList.Highlighted) -> None:
        self.post_message(ProcessPicked(None if event.key == ALL else int(event.key)))

    @on(RowList.Chosen, "#processes")
    def _process_chosen(self) -> None:
        self.query_one("#threads", RowList).focus()

    def action_sort(self) -> None:
        """Sort by the next column."""
        self._change(replace(self._mode, sort=self._mode.sort.next(), inverted=False))

    def action_invert(self) -> None:
        """Invert the order."""
        self._change(replace(self._mode, inverted=not self._mode.inverted))

    def action_idle(self) -> None:
        """Hide or show idle threads."""
        self._change(replace(self._mode, hide_idle=not self._mode.hide_idle))

    def action_merge(self) -> None:
        """One row for each, or one for all that are alike."""
        self._change(replace(self._mode, unfolded=not self._mode.unfolded))

    def _change(self, mode: TableMode) -> None:
        self._mode = mode
        self.present(self._session, self._status)
