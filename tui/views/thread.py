"""Thread: the Python and the native stack of one thread, and what is known of its wait."""

from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from hangtui.model import Task, Thread
from hangtui.tui.bindings import bindings
from hangtui.tui.cells import cut
from hangtui.tui.debugger.pane import Panel
from hangtui.tui.debugger.spot import Spot, spot_of
from hangtui.tui.debugger.stop_actions import HoldingView
from hangtui.tui.filters import matcher
from hangtui.tui.keys import Scope, ViewName
from hangtui.tui.rows.evidence import node_lines, wait_line
from hangtui.tui.rows.frames import frame_lines
from hangtui.tui.rows.labels import labelled, since_phrase, unit_state
from hangtui.tui.rows.stacks import StackMode, fix_of, frame_texts
from hangtui.tui.session import CaptureView, Session
from hangtui.tui.status import Status
from hangtui.tui.theme import STATE_STYLES
from hangtui.tui.units import Outsider
from hangtui.tui.views.base import ThreadPicked, waiting_words
from hangtui.tui.widgets.bar import Bar
from hangtui.tui.widgets.rowlist import RowList
from hangtui.tui.widgets.stacklist import StackList
from hangtui.tui.widgets.textpane import TextPane


class ThreadView(HoldingView):
    """One thread."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Scope.THREAD)
    NAME = ViewName.THREAD
    MAIN = "stack"

    def __init__(self) -> None:
        super().__init__(id=ViewName.THREAD.value)
        self._mode = StackMode()
        self._session = Session()
        self._status = Status()
        self.native_stacks = {}
        self._of: CaptureView | None = None
        self._search: tuple[str, str] | None = None
        """A thread that shall be shown, and what shall be searched for in its stack."""

    def compose(self) -> ComposeResult:
        """A line on the thread, its stacks, and below them the frame and the wait."""
        yield Bar(id="subject")
        yield StackList(id="stack")
        with Horizontal(id="thread-details"):
            yield TextPane(id="frame")
            yield TextPane(id="thread-waits")
        yield Panel()

    @property
    def note(self) -> str:
        """The search, else which thread of how many."""
        stack = self.query_one("#stack", StackList)
        if stack.query_words:
            return f"search: {stack.query_words} (n N)"
        ids: list[str] = [unit.id for unit in self._session.units_shown()]
        if self._session.thread not in ids:
            return ""
        return f"{ids.index(self._session.thread) + 1} of {len(ids)}"

    @property
    def spot(self) -> Spot | None:
        """The row under the cursor."""
        thread, stack = self._session.selected, self.query_one("#stack", StackList)
        return spot_of(thread, stack.frames, stack.python_index) if thread else None

    @property
    def captured(self) -> CaptureView | None:
        """The capture on the screen."""
        return self._session.current

    def native_stack_missing(self) -> bool:
        """Whether the capture has no native stack of the thread."""
        thread = self._session.selected
        return thread is not None and thread.native_stack is None

    def represent(self) -> None:
        """Show the thread again."""
        self.present(self._session, self._status)

    def _with_stack(self, unit: Thread | Task) -> Thread | Task:
        """*unit* with the native stack that the debugger found."""
        found = self.native_stacks.get(unit.id)
        if found is None or isinstance(unit, Task):
            return unit
        return replace(unit, native_stack=found)

    def present(self, session: Session, status: Status) -> None:
        """Show the selected thread."""
        self._session, self._status = session, status
        view, unit = session.current, session.unit
        if view is not self._of:
            self._of, self.native_stacks = view, {}
        stack = self.query_one("#stack", StackList)
        if view is None or unit is None or isinstance(unit, Outsider):
            stack.clear(waiting_words(session, status) if view is None else "not looked into")
            self.query_one("#subject", Bar).show(lambda _width: Text())
            return
        pending = status.taking and not view.capture.complete
        stack.show(self._with_stack(unit), self._mode, pending=pending, fix=fix_of(view, unit))
        if self._search is not None and self._search[0] == unit.id:
            stack.set_query(self._search[1])
            self._search = None
        aligned = f"not aligned: {stack.reason}" if stack.reason else ""
        folded = f"{stack.folded} frames folded (z)" if stack.folded else ""
        stack.set_titles("Stacks", aligned or folded)
        stack.set_class(stack.reason is not None, "-unaligned")
        self.query_one("#subject", Bar).show(lambda width: self._subject(view, session, width))
        self._show_details(view)
        self.follow()
        self.refresh_note()

    def _subject(self, view: CaptureView, session: Session, width: int) -> Text:
        unit = session.unit
        if unit is None or isinstance(unit, Outsider):
            return Text()
        state = view.state_of(unit)
        same = since_phrase(view, unit) if isinstance(unit, Thread) else ""
        rest = f" {labelled(unit)} · {wait_line(view, unit)}{' · ' + same if same else ''}"
        badge = unit_state(view, unit)
        return Text.assemble(
            " ", (badge, STATE_STYLES[state]), cut(rest, max(width - len(badge) - 1, 0))
        )

    def _show_details(self, view: CaptureView) -> None:
        frame = self.query_one("#frame", TextPane)
        frames = self.query_one("#stack", StackList).frames
        frame.set_titles("Frame")
        frame.show(lambda width: frame_lines(frames, width), key=frames)
        waits = self.query_one("#thread-waits", TextPane)
        waits.set_titles("Wait and holds")
        thread = self._session.thread or ""
        waits.show(
            lambda width: node_lines(view, thread, width, stack=False)[1:], key=(view, thread)
        )

    @on(RowList.Highlighted, "#stack")
    def _frame_highlighted(self) -> None:
        if (view := self._session.current) is not None:
            self._show_details(view)
            self.follow()

    def action_search_all(self) -> None:
        """Ask for words, then go to the next thread with a frame that has them."""
        words = self.query_one("#stack", StackList).query_words
        self.panel.ask("search the stacks of all threads", self._search_all, words)

    def _search_all(self, query: str) -> None:
        stack = self.query_one("#stack", StackList)
        matches = matcher(query)
        units = [one for one in self._session.units_shown() if not isinstance(one, Outsider)]
        ids: list[str] = [unit.id for unit in units]
        at = ids.index(self._session.thread) if self._session.thread in ids else -1
        for unit in (*units[at + 1 :], *units[: at + 1]):
            if any(matches(text) for text in frame_texts(unit)):
                self._search = (unit.id, query)
                self.post_message(ThreadPicked(unit.id))
                self.represent()
                stack.focus()
                return
        self._hangtui.say(f"No stack has {query}.")

    def action_fold(self) -> None:
        """Fold or unfold interpreter frames."""
        self._change(replace(self._mode, fold=not self._mode.fold))

    def action_order(self) -> None:
        """Turn the stacks round."""
        self._change(replace(self._mode, outermost_first=not self._mode.outermost_first))

    def _change(self, mode: StackMode) -> None:
        self._mode = mode
        self.present(self._session, self._status)
