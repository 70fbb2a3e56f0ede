"""Crash: the signal, the instruction, whose code it was, and the stacks of the thread."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from hangtui.model import Finding, Reason, clean
from hangtui.tui.bindings import bindings
from hangtui.tui.keys import Scope, ViewName
from hangtui.tui.rows import crash as rows
from hangtui.tui.rows.stacks import StackMode
from hangtui.tui.session import CaptureView, Session
from hangtui.tui.status import WIDE, Status
from hangtui.tui.views.base import ThreadPicked, View, ViewWanted, waiting_words
from hangtui.tui.widgets.rowlist import RowList
from hangtui.tui.widgets.stacklist import StackList
from hangtui.tui.widgets.textpane import TextPane

_DRAWERS: dict[str, tuple[str, rows.Lines]] = {
    "registers": ("Registers", rows.register_lines),
    "instructions": ("Instructions", rows.instruction_lines),
    "mappings": ("Mappings", rows.mapping_lines),
    "bytes": ("Bytes", rows.byte_lines),
}


class CrashView(View):
    """What ended the process."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Scope.CRASH)
    NAME = ViewName.CRASH
    MAIN = "crash-stack"

    def __init__(self) -> None:
        super().__init__(id=ViewName.CRASH.value)
        self._view: CaptureView | None = None
        self._left = "registers"
        self._right = "instructions"
        """The drawers; a narrow terminal shows the right one only."""

    def compose(self) -> ComposeResult:
        """What happened, the stacks, and two drawers."""
        yield TextPane(id="fault")
        yield StackList(id="crash-stack")
        with Horizontal(id="drawers"):
            yield TextPane(id="drawer-left")
            yield TextPane(id="drawer-right")

    @property
    def note(self) -> str:
        """The search, else which thread it was."""
        if self.main.query_words:
            return f"search: {self.main.query_words} (n N)"
        thread = rows.crashed_thread(self._view) if self._view else None
        return "" if thread is None else f"crashed thread: {clean(thread.name)} {thread.tid}"

    def present(self, session: Session, status: Status) -> None:
        """Show the crash of the present capture."""
        view = self._view = session.current
        crash = view.capture.crash if view else None
        stack = self.query_one("#crash-stack", StackList)
        if view is None or crash is None:
            stack.clear(waiting_words(session, status) if view is None else "nothing crashed")
            return
        fault = self.query_one("#fault", TextPane)
        fault.set_titles("What happened", "Tab: more")
        fault.show(lambda width: rows.crash_lines(view, crash, width), key=id(view))
        thread = rows.crashed_thread(view)
        if thread is None:
            stack.clear("which thread it was is not recorded")
        else:
            pending = status.taking and not view.capture.complete
            stack.show(thread, StackMode(brief=True), pending=pending)
            stack.set_titles(f"Stacks of {clean(thread.name)}", stack.reason or "Enter: whole")
        self._show_drawers()
        self.refresh_note()

    def explained(self) -> Finding | None:
        """What is said of the crash."""
        found = self._view.findings if self._view else ()
        return next((one for one in found if one.reason is Reason.CRASH), None)

    def _show_drawers(self) -> None:
        view = self._view
        crash = view.capture.crash if view else None
        if view is None or crash is None:
            return
        for side, name in (("left", self._left), ("right", self._right)):
            title, make = _DRAWERS[name]
            pane = self.query_one(f"#drawer-{side}", TextPane)
            pane.set_titles(title)
            pane.show(
                lambda width, make=make: make(view, crash, width),  # type: ignore[misc]
                key=(id(view), name),
            )

    @on(RowList.Chosen, "#crash-stack")
    def _chosen(self) -> None:
        thread = rows.crashed_thread(self._view) if self._view else None
        if thread is not None:
            self.post_message(ThreadPicked(thread.id))
            self.post_message(ViewWanted(ViewName.THREAD))

    def action_drawer(self, name: str) -> None:
        """Show a drawer: on a wide terminal beside the registers."""
        if name == "registers" and self.app.size.width >= WIDE:
            self._left = name
        else:
            self._right = name
        self._show_drawers()
