"""The application: wires keys, captures and screens together."""

import os
from collections.abc import Callable, Iterator
from typing import ClassVar

from rich.console import RenderableType
from rich.segment import Segments
from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.command import Provider
from textual.dom import DOMNode
from textual.widgets import ContentSwitcher

from hangtui.provider import CaptureProvider, CaptureRequest, NativeMode
from hangtui.tui import delivery
from hangtui.tui import status as lines
from hangtui.tui.commands import Commands
from hangtui.tui.control import TakeControl
from hangtui.tui.dialogs.confirm import GDB_QUESTION, ConfirmDialog
from hangtui.tui.dialogs.help import HelpDialog
from hangtui.tui.dialogs.notices import NoticesDialog
from hangtui.tui.faults import last_words
from hangtui.tui.keys import KEYS, SCOPE_OF_VIEW, Key, Scope, ViewName, bindings, keys_of
from hangtui.tui.session import Session
from hangtui.tui.taking import CaptureArrived, TakeEnded, take
from hangtui.tui.theme import ON_DARK, ON_LIGHT, choose_colours, to_ascii
from hangtui.tui.views.base import NoteChanged, ProcessPicked, ThreadPicked, View, ViewWanted
from hangtui.tui.views.findings import FindingsView
from hangtui.tui.views.overview import OverviewView
from hangtui.tui.views.thread import ThreadView
from hangtui.tui.views.waits import WaitsView
from hangtui.tui.widgets.bar import Bar
from hangtui.tui.widgets.filterprompt import FilterPrompt
from hangtui.tui.widgets.rowlist import RowList

AUTO_S = 2.0
"""Seconds between captures while they are taken automatically."""


class HangtuiApp(App[int]):
    """The full-screen debugger over one provider of captures."""

    CSS_PATH = "app.tcss"
    TITLE = "hangtui"
    BINDINGS: ClassVar[list[BindingType]] = bindings(Scope.GLOBAL)
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {Commands}
    HORIZONTAL_BREAKPOINTS: list[tuple[int, str]] = [  # noqa: RUF012  as Textual declares it
        (0, "-tiny-w"),
        (60, "-narrow"),
        (lines.WIDE, "-wide"),
    ]
    VERTICAL_BREAKPOINTS: list[tuple[int, str]] = [  # noqa: RUF012
        (0, "-tiny-h"),
        (16, "-short"),
        (34, "-tall"),
    ]
    ALLOW_SELECT = False

    def __init__(
        self,
        provider: CaptureProvider,
        request: CaptureRequest,
        *,
        ascii: bool = False,  # noqa: A002
    ) -> None:
        colours = choose_colours(os.environ)
        super().__init__(ansi_color=colours.ansi)
        self.ansi_theme_dark, self.ansi_theme_light = ON_DARK, ON_LIGHT
        self.theme = colours.theme
        self.animation_level = "none"
        self.session = Session()
        self.control = TakeControl(provider, request)
        self.failed_without_capture = False
        self._active = ViewName.OVERVIEW
        self._trail: list[ViewName] = []
        if ascii:
            self.add_class("-ascii")

    def compose(self) -> ComposeResult:
        """Header and tabs above, footer below the screens."""
        yield Bar(id="header")
        yield Bar(id="tabs")
        yield Bar(id="failure")
        yield Bar(id="too-small")
        with ContentSwitcher(id="views", initial=ViewName.OVERVIEW.value):
            yield OverviewView()
            yield ThreadView()
            yield WaitsView()
            yield FindingsView()
        yield FilterPrompt()
        yield Bar(id="footer")

    def on_mount(self) -> None:
        """Paint; only then begin to read."""
        self.view.main.focus()
        self._present()
        self.set_interval(0.5, self._tick)
        self.call_after_refresh(self._take)

    @property
    def view(self) -> View:
        """The screen that is shown."""
        return self.query_one(f"#{self._active.value}", View)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Where keys work at the moment."""
        return SCOPE_OF_VIEW[self._active], Scope.LIST, Scope.PANE, Scope.GLOBAL

    def why_not(self, key_id: str) -> str | None:
        """Why a key does nothing at the moment; None if it does."""
        if key_id.startswith("capture.") and key_id not in ("capture.previous", "capture.next"):
            live = self.control.provider.live
            return None if live else "There is no process to read again: this is a file."
        if key_id in ("copy.item", "copy.pane", "export.all") and self.session.current is None:
            return "There is no capture yet."
        return None

    def say(self, text: str, *, bad: bool = False) -> None:
        """A toast, as plain text."""
        shown = to_ascii(text) if self.has_class("-ascii") else text
        self.notify(shown, severity="error" if bad else "information", markup=False)

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

    # Captures

    def _take(self, native: NativeMode | None = None) -> None:
        request = self.control.start(native)
        work = take(self.control.provider, request, self.control.number, self.post_message)
        self.run_worker(work, group="take", exclusive=True, exit_on_error=False)
        self._present()

    @on(CaptureArrived)
    def _capture_arrived(self, message: CaptureArrived) -> None:
        self.session = self.control.arrived(self.session, message)
        self._present()

    @on(TakeEnded)
    def _take_ended(self, message: TakeEnded) -> None:
        if message.number != self.control.number:
            return
        self.session = self.control.ended(self.session, message)
        self.failed_without_capture = message.failure is not None and not self.session.views
        if message.failure is not None:
            self.say(message.failure.message, bad=True)
        self._present()
        if self.control.auto:
            self.set_timer(AUTO_S, self._auto_take)

    def _auto_take(self) -> None:
        if self.control.auto and not self.control.taking:
            self._take()

    def _tick(self) -> None:
        if self.control.stopping:
            self._present_bars()

    # Showing

    def _present(self) -> None:
        with self.batch_update():
            self._present_bars()
            self.view.present(self.session, self.control.status)

    def _present_bars(self) -> None:
        session, status = self.session, self.control.status
        note = self.view.note
        bar = self._bar
        bar("header").show(lambda width: lines.header(session, status, width))
        bar("tabs").show(lambda width: lines.tabs(self._active, session, status, note, width))
        failure = status.failure
        bar("failure").set_class(failure is not None, "-shown")
        if failure is not None:
            bar("failure").show(lambda width: lines.failure_line(failure, width))
        bar("too-small").show(lambda _width: Text("hangtui needs 60x16", "reverse"))
        keys = list(self._footer_keys())
        bar("footer").show(lambda width: lines.footer(keys, width))

    def _bar(self, name: str) -> Bar:
        return self.query_one(f"#{name}", Bar)

    def _footer_keys(self) -> Iterator[tuple[Key, bool]]:
        for key in keys_of(*self.scopes):
            if key.rank is not None:
                yield key, self.why_not(key.id) is None

    @on(NoteChanged)
    def _note_changed(self) -> None:
        self._present_bars()

    @on(ThreadPicked)
    def _thread_picked(self, message: ThreadPicked) -> None:
        if message.thread != self.session.thread:
            self.session = self.session.with_thread(message.thread)
            self._present()

    @on(ProcessPicked)
    def _process_picked(self, message: ProcessPicked) -> None:
        self.session = self.session.with_process(message.pid)
        self._present()

    @on(ViewWanted)
    def _view_wanted(self, message: ViewWanted) -> None:
        self._drill(message.name)

    def _drill(self, name: ViewName) -> None:
        """Open a screen so that Esc comes back."""
        if name is not self._active:
            self._trail.append(self._active)
        self._open(name)

    def _open(self, name: ViewName) -> None:
        self._active = name
        self.query_one("#views", ContentSwitcher).current = name.value
        self._present()
        self.view.main.focus()

    # Actions

    def action_view(self, name: str) -> None:
        """Open a screen."""
        wanted = ViewName(name)
        if reason := lines.unavailable(wanted):
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
        if prompt.is_open or rows.query_words:
            prompt.close(rows, clear=True)
        elif self._trail:
            self._open(self._trail.pop())
        elif self._active is not ViewName.OVERVIEW:
            self._open(ViewName.OVERVIEW)

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
        """Select the previous or next thread."""
        ids = [thread.id for thread in self.session.threads_shown()]
        if not ids:
            return
        at = ids.index(self.session.thread) if self.session.thread in ids else 0
        index = min(max(at + distance, 0), len(ids) - 1)
        self.session = self.session.with_thread(ids[index])
        self._present()

    def action_history(self, distance: int) -> None:
        """Go to an earlier or a later capture."""
        self.session = self.session.step(distance)
        self._present()

    def action_capture(self) -> None:
        """Take a new capture."""
        if not self._refused("capture.new"):
            self._take()

    def action_auto(self) -> None:
        """Take captures all the time, or stop that."""
        if self._refused("capture.auto"):
            return
        self.control.auto = not self.control.auto
        self._present_bars()
        self._auto_take()

    def action_native(self) -> None:
        """Ask, then take a capture with native stacks by gdb."""
        if not self._refused("capture.native"):
            self.push_screen(ConfirmDialog(*GDB_QUESTION), self._native_confirmed)

    def _native_confirmed(self, confirmed: bool | None) -> None:
        if confirmed:
            self._take(NativeMode.GDB)

    def action_copy(self, what: str) -> None:
        """Copy the item under the cursor or the whole pane."""
        if not self._refused("copy.item"):
            text = self.view.copied(whole=what == "pane")
            self.copy_to_clipboard(text)
            self.say(delivery.clip(text))

    def action_export(self) -> None:
        """Write the present capture to files."""
        view = self.session.current
        if not self._refused("export.all") and view is not None:
            self.say(delivery.export(view.capture))

    def action_notices(self) -> None:
        """Show what is missing."""
        view = self.session.current
        self.push_screen(NoticesDialog(view.capture.notices if view else ()))

    def action_help(self) -> None:
        """Show the keys."""
        self.push_screen(HelpDialog(SCOPE_OF_VIEW[self._active]))

    def action_redraw(self) -> None:
        """Paint everything again."""
        self.refresh(layout=True)

    def action_press_key(self, key_id: str) -> None:
        """Do what the key with this id does."""
        self.press(next(key for key in KEYS if key.id == key_id))

    def _refused(self, key_id: str) -> bool:
        if reason := self.why_not(key_id):
            self.say(reason)
        return reason is not None

    def _fatal_error(self) -> None:
        self.bell()
        self._exit_renderables.append(self._rendered(last_words()))
        self._close_messages_no_wait()

    def _rendered(self, words: RenderableType) -> Segments:
        return Segments(self.console.render(words, self.console.options))


def run_app(
    provider: CaptureProvider,
    request: CaptureRequest,
    *,
    ascii: bool = False,  # noqa: A002
    mouse: bool = True,
) -> int:
    """Show the screens until the user quits; the exit status."""
    from hangtui.tui.running import run

    return run(HangtuiApp(provider, request, ascii=ascii), mouse=mouse)
