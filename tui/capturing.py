"""Captures within the application: taking them, keeping them, giving them away."""

import gc
from abc import abstractmethod

from textual import on

from hangtui.provider import CaptureProvider, CaptureRequest, NativeMode
from hangtui.tui import delivery
from hangtui.tui.appearance import PlainApp
from hangtui.tui.control import TakeControl
from hangtui.tui.dialogs.changes import ChangesDialog
from hangtui.tui.dialogs.confirm import GDB_QUESTION, ConfirmDialog
from hangtui.tui.session import Session
from hangtui.tui.share import paragraph
from hangtui.tui.taking import CaptureArrived, TakeEnded, take

ALWAYS = ("capture.previous", "capture.next", "capture.changes")
"""What can be done with captures also where no new one can be taken."""


class CapturingApp(PlainApp):
    """Knows captures, but not what is on the screen."""

    def __init__(
        self,
        provider: CaptureProvider,
        request: CaptureRequest,
        *,
        ascii: bool,  # noqa: A002
        colours: str | None = None,
    ) -> None:
        super().__init__(ascii=ascii, colours=colours)
        self.session = Session()
        self.control = TakeControl(provider, request)
        self.failed_without_capture = False
        self.spare_collector = False
        """Keep the captures from the garbage collector, for the rest of the process."""

    @abstractmethod
    def present(self) -> None:
        """Show the session."""

    @abstractmethod
    def present_bars(self) -> None:
        """Show what the lines around the screens say."""

    @abstractmethod
    def first_shown(self) -> None:
        """The first capture is on the screen."""

    @property
    def holds_target(self) -> bool:
        """Whether a target stands still for the user."""
        return False

    @abstractmethod
    def copied(self, *, whole: bool) -> str:
        """The item under the cursor, or the whole pane."""

    def why_not(self, key_id: str) -> str | None:
        """Why a key does nothing at the moment; None if it does."""
        if key_id.startswith("capture.") and key_id not in ALWAYS:
            if not self.control.provider.live:
                return "There is no process to read again: this is a file."
            if key_id == "capture.family" and not self.session.leaves_children_out:
                return "There is no child process that was not looked at."
        if key_id in ("copy.item", "copy.pane", "export.all") and self.session.current is None:
            return "There is no capture yet."
        return None

    def take(self, native: NativeMode | None = None) -> None:
        """Begin another take; one that is running is superseded."""
        request = self.control.start(native)
        work = take(self.control.provider, request, self.control.number, self.post_message)
        self.run_worker(work, group="take", exclusive=True, exit_on_error=False)
        self.present()

    @on(CaptureArrived)
    def _capture_arrived(self, message: CaptureArrived) -> None:
        if self.spare_collector and message.capture.complete:
            # Captures are large, and hold no cycles: the collector would walk through all of them
            # again and again, for a tenth of a second, to find nothing.
            gc.freeze()
        first = not self.session.views
        self.session = self.control.arrived(self.session, message)
        self.present()
        if first and self.session.views:
            self.first_shown()

    @on(TakeEnded)
    def _take_ended(self, message: TakeEnded) -> None:
        if message.number != self.control.number:
            return
        self.session = self.control.ended(self.session, message)
        self.failed_without_capture = message.failure is not None and not self.session.views
        if message.failure is not None:
            self.control.auto = False  # it would only fail again and again
            self.say(message.failure.message, bad=True)
        self.present()
        if self.control.auto:
            self.set_timer(self.control.interval_s, self._auto_take)

    def _auto_take(self) -> None:
        if self.control.auto and not self.control.taking:
            self.take()

    def tick(self) -> None:
        """Count the seconds that a capture takes, or that a target stands still."""
        if self.control.taking or self.holds_target:
            self.present_bars()

    def action_capture(self) -> None:
        """Take a new capture."""
        if not self._refused("capture.new"):
            self.take()

    def action_family(self) -> None:
        """Take a new capture, with the processes that those captured started."""
        if not self._refused("capture.family"):
            self.control.widen()
            self.take()

    def action_auto(self) -> None:
        """Take captures all the time, or stop that."""
        if self._refused("capture.auto"):
            return
        self.control.auto = not self.control.auto
        self.present_bars()
        self._auto_take()

    def action_interval(self, step: int) -> None:
        """Take captures less or more often."""
        if self._refused("capture.auto"):
            return
        self.control.change_interval(step)
        idle = "" if self.control.auto else " once Space is pressed"
        self.say(f"a capture every {self.control.interval_s:g} s{idle}")
        self.present_bars()

    def action_cancel(self) -> None:
        """Give up the running take."""
        if not self.control.taking:
            self.say("No capture is being taken.")
            return
        self.workers.cancel_group(self, "take")
        self.control.cancelled()
        self.present()

    def action_changes(self) -> None:
        """Show what moved since the previous capture."""
        self.push_screen(ChangesDialog(self.session))

    def action_native(self) -> None:
        """Ask, then take a capture with native stacks by gdb."""
        if not self._refused("capture.native"):
            self.push_screen(ConfirmDialog(*GDB_QUESTION), self._native_confirmed)

    def _native_confirmed(self, confirmed: bool | None) -> None:
        if confirmed:
            self.take(NativeMode.GDB)

    def action_copy(self, what: str) -> None:
        """Copy the item under the cursor or the whole pane."""
        if not self._refused("copy.item"):
            self._copy(self.copied(whole=what == "pane"))

    def action_export(self) -> None:
        """Write the present capture to files."""
        view = self.session.current
        if not self._refused("export.all") and view is not None:
            self.say(delivery.export(view.diagnosis))

    def action_export_as(self, form: str) -> None:
        """Write one file of another kind."""
        view = self.session.current
        if not self._refused("export.all") and view is not None:
            self.say(delivery.export_as(view.diagnosis, form, self.export_screenshot))

    def action_copy_graph(self, form: str) -> None:
        """Copy the wait-for graph in another language."""
        view = self.session.current
        if not self._refused("copy.item") and view is not None:
            self._copy(delivery.graph_text(view.diagnosis, form))

    def action_share(self) -> None:
        """Copy the paragraph for those who were not there."""
        view = self.session.current
        if not self._refused("copy.item") and view is not None:
            self._copy(paragraph(view, self.session.process))

    def _copy(self, text: str) -> None:
        """Give *text* to the terminal's clipboard and to a file."""
        self.copy_to_clipboard(text)
        self.say(delivery.clip(text))

    def _refused(self, key_id: str) -> bool:
        if reason := self.why_not(key_id):
            self.say(reason)
        return reason is not None
