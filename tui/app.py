"""The application: wires keys, captures and screens together."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.command import Provider
from textual.dom import DOMNode
from textual.widgets import ContentSwitcher
from textual.worker import WorkType

from hangtui.debugger import DebuggerFactory, LiveState
from hangtui.powers import NO_STOP
from hangtui.provider import CaptureProvider, CaptureRequest, NativeMode
from hangtui.tui import bars
from hangtui.tui.bindings import bindings, keys_of
from hangtui.tui.capturing import CapturingApp
from hangtui.tui.commands import Commands
from hangtui.tui.debugger.session_manager import Desk
from hangtui.tui.dialogs.confirm import QUIT_QUESTION, ConfirmDialog
from hangtui.tui.dialogs.help import HelpDialog
from hangtui.tui.dialogs.notices import NoticesDialog
from hangtui.tui.keymap import remapped
from hangtui.tui.keys import (
    DEBUGGER_KEYS,
    KEYS,
    SCOPE_OF_VIEW,
    Key,
    Scope,
    ViewName,
)
from hangtui.tui.lesson import Lesson
from hangtui.tui.status import unavailable
from hangtui.tui.views.base import NoteChanged, ProcessPicked, ThreadPicked, View, ViewWanted
from hangtui.tui.views.crash import CrashView
from hangtui.tui.views.findings import FindingsView
from hangtui.tui.views.merged import MergedView
from hangtui.tui.views.overview import OverviewView
from hangtui.tui.views.thread import ThreadView
from hangtui.tui.views.waits import WaitsView
from hangtui.tui.widgets.filterprompt import FilterPrompt
from hangtui.tui.widgets.rowlist import RowList

BACK = -1
"""What is returned where Esc left the screens for the list of processes."""


class HangtuiApp(CapturingApp):
    """The full-screen debugger over one provider of captures."""

    CSS_PATH: ClassVar = ["app.tcss", "debugger/debugger.tcss"]
    TITLE = "hangtui"
    BINDINGS: ClassVar[list[BindingType]] = bindings(Scope.GLOBAL)
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {Commands}

    def __init__(
        self,
        provider: CaptureProvider,
        request: CaptureRequest,
        *,
        ascii: bool = False,  # noqa: A002
        colours: str | None = None,
        debuggers: DebuggerFactory | None = None,
        keymap: Mapping[str, str] | None = None,
        listed: bool = False,
    ) -> None:
        """*listed*: a list of processes is behind these screens, to which Esc leads back."""
        super().__init__(provider, request, ascii=ascii, colours=colours)
        self.table = remapped(keymap or {})
        self.set_keymap(keymap or {})
        self.desk = Desk(debuggers, self._held_changed)
        self._active = ViewName.OVERVIEW
        self._trail: list[ViewName] = []
        self._listed = listed
        self.lesson = Lesson()

    def compose(self) -> ComposeResult:
        """Header and tabs above, footer below the screens."""
        yield from bars.above()
        with ContentSwitcher(id="views", initial=ViewName.OVERVIEW.value):
            yield OverviewView()
            yield ThreadView()
            yield WaitsView()
            yield FindingsView()
            yield CrashView()
            yield MergedView()
        yield FilterPrompt()
        yield from bars.below()

    def on_mount(self) -> None:
        """Paint; only then begin to read."""
        self.app_resume_signal.subscribe(self, lambda _app: self.action_redraw())
        self.view.main.focus()
        self.present()
        self.set_interval(0.5, self.tick)
        self.call_after_refresh(self.take)

    @property
    def view(self) -> View:
        """The screen that is shown."""
        return self.query_one(f"#{self._active.value}", View)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Where keys work at the moment."""
        return SCOPE_OF_VIEW[self._active], Scope.LIST, Scope.PANE, Scope.GLOBAL

    def copied(self, *, whole: bool) -> str:
        """What the active screen has to copy."""
        return self.view.copied(whole=whole)

    def press(self, key: Key) -> None:
        """Do what a key does, from the palette or the footer."""
        namespace: DOMNode = self if key.scope is Scope.GLOBAL else self.view
        if key.scope is Scope.LIST:
            namespace = self.view.pane
        self.call_later(self.run_action, key.action, namespace)

    def open_thread(self, thread: str) -> None:
        """Show one thread."""
        self.session = self.session.with_thread(thread)
        self._drill(ViewName.THREAD)

    def present(self) -> None:
        """Show the session on the active screen."""
        if not self.is_running:
            return  # at the end its widgets are gone before the last timers and messages
        with self.batch_update():
            self.present_bars()
            self.view.present(self.session, self.control.status)

    def present_bars(self) -> None:
        """Show header, tabs, failure and footer."""
        if not self.is_running:
            return
        status = replace(self.control.status, held=self.desk.live)
        keys = list(self._footer_keys())
        shown, hint = (self._active, self.view.note), self.lesson.line(self.table)
        bars.show_bars(self, self.session, status, shown, keys, hint)

    def _footer_keys(self) -> Iterator[tuple[Key, bool]]:
        for key in keys_of(*self.scopes, table=self.table):
            if key.rank is not None:
                yield key, self.why_not(key.id) is None

    @on(NoteChanged)
    def _note_changed(self) -> None:
        self.present_bars()

    @on(ThreadPicked)
    def _thread_picked(self, message: ThreadPicked) -> None:
        if message.thread != self.session.thread:
            self.session = self.session.with_thread(message.thread)
            self.present()

    @on(ProcessPicked)
    def _process_picked(self, message: ProcessPicked) -> None:
        self.session = self.session.with_process(message.pid)
        self.present()

    @on(ViewWanted)
    def _view_wanted(self, message: ViewWanted) -> None:
        self._drill(message.name)

    def first_shown(self) -> None:
        """Begin with the crash where there is one: nothing matters more."""
        view = self.session.current
        if view and view.capture.crash and self._active is ViewName.OVERVIEW and not self._trail:
            self._open(ViewName.CRASH)

    def _drill(self, name: ViewName) -> None:
        """Open a screen so that Esc comes back."""
        if name is not self._active:
            self._trail.append(self._active)
        self._open(name)

    def _open(self, name: ViewName) -> None:
        self._active = name
        self.lesson.reached(name)
        self.query_one("#views", ContentSwitcher).current = name.value
        self.present()
        main = self.view.main
        main.screen.set_focus(main)  # at once: the next key is for this screen already

    def action_view(self, name: str) -> None:
        """Open a screen."""
        wanted = ViewName(name)
        if reason := unavailable(wanted, self.session):
            self.say(reason)
            return
        self._trail.clear()
        self._open(wanted)

    def action_waits(self) -> None:
        """Show the selected thread among the waits."""
        self._drill(ViewName.WAITS)

    def action_peel(self) -> None:
        """Peel one layer: the prompt, the filter, the screen."""
        prompt, rows = self.query_one(FilterPrompt), self.view.main
        if not prompt.is_open and self.view.peel():
            return
        if prompt.is_open or rows.query_words:
            prompt.close(rows, clear=True)
        elif self._trail:
            self._open(self._trail.pop())
        elif self._active is not ViewName.OVERVIEW:
            self._open(ViewName.OVERVIEW)
        elif self._listed and not self.holds_target:
            self.exit(return_code=BACK)

    def action_filter(self) -> None:
        """Ask for a filter of the focused list."""
        pane = self.view.pane
        self.query_one(FilterPrompt).open(pane if isinstance(pane, RowList) else self.view.main)

    def action_find(self, direction: int) -> None:
        """Go to the next match of the search."""
        pane = self.view.pane
        rows = pane if isinstance(pane, RowList) else self.view.main
        if rows.query_words and not rows.find(direction):
            self.say(f"no match for {rows.query_words}")

    def action_thread(self, distance: int) -> None:
        """Select the previous or next thread, or what the screen has instead."""
        if self.view.step(distance):
            return
        ids: list[str] = [unit.id for unit in self.session.units_shown()]
        if not ids:
            return
        at = ids.index(self.session.thread) if self.session.thread in ids else 0
        index = min(max(at + distance, 0), len(ids) - 1)
        self.session = self.session.with_thread(ids[index])
        self.present()

    def action_history(self, distance: int) -> None:
        """Go to an earlier or a later capture."""
        self.session = self.session.step(distance)
        self.present()

    def take(self, native: NativeMode | None = None) -> None:
        """Begin another take, after which copies of the moment before it have had their time."""
        renew: WorkType[None] = self.desk.renew  # as a function: none is left over at the end
        self.run_worker(renew, group="desk", exit_on_error=False)
        super().take(native)

    def why_not(self, key_id: str) -> str | None:
        """Why a key does nothing at the moment; None if it does."""
        thread, unit = self.session.selected, self.session.unit
        if key_id == "capture.native" and not self.desk.powers.stop:
            return NO_STOP
        if key_id in DEBUGGER_KEYS and thread is None and unit is not None:
            return "This asks about a thread: choose the one that runs it."
        if key_id in DEBUGGER_KEYS and thread is not None:
            return self.desk.key_refusal(key_id, thread.pid)
        return super().why_not(key_id)

    @property
    def holds_target(self) -> bool:
        """Whether a target stands still for the user."""
        return self.desk.live.stopped_s is not None

    def _held_changed(self, state: LiveState) -> None:
        """A target was stopped or let go."""
        if self.is_running:
            self.present_bars()
            if state.note:
                self.say(state.note)

    async def on_unmount(self) -> None:
        """Let every target go."""
        await self.desk.close()

    async def action_quit(self) -> None:
        """Quit; ask first if a target stands still because of us."""
        live = self.desk.live
        if live.stopped_s is None or isinstance(self.screen, ConfirmDialog):
            self.exit()
            return
        self.push_screen(ConfirmDialog(*QUIT_QUESTION), lambda yes: self.exit() if yes else None)

    def action_notices(self) -> None:
        """Show what is missing."""
        view = self.session.current
        self.push_screen(NoticesDialog(view.notices if view else ()))

    def action_help(self) -> None:
        """Show the keys."""
        self.push_screen(HelpDialog(SCOPE_OF_VIEW[self._active], self.table))

    def action_press_key(self, key_id: str) -> None:
        """Do what the key with this id does."""
        self.press(next(key for key in KEYS if key.id == key_id))
