"""A screen over one thread whose frames can be looked into: its drawers.

What the keys of the debugger do is here; what the target is asked is in ``questions``.
"""

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from textual import on

from hangtui.debugger import Debugger, LockKind
from hangtui.model import HangtuiError, NativeFrame, thread_id
from hangtui.tui.debugger import contents
from hangtui.tui.debugger.pane import Panel
from hangtui.tui.debugger.questions import Drawer, Query, Slot, ask
from hangtui.tui.debugger.spot import Spot
from hangtui.tui.session import CaptureView
from hangtui.tui.views.base import ThreadPicked, View
from hangtui.tui.widgets.rowlist import RowList

if TYPE_CHECKING:
    from hangtui.tui.app import HangtuiApp
    from hangtui.tui.debugger.session_manager import Desk


class DebuggingView(View):
    """Opens drawers for the frame under the cursor of its main list."""

    native_stacks: dict[str, tuple[NativeFrame, ...]]
    """Stacks that gdb found and the capture has not, by the threads' node ids."""

    @property
    @abstractmethod
    def spot(self) -> Spot | None:
        """What is under the cursor; None: no thread."""

    @property
    @abstractmethod
    def captured(self) -> CaptureView | None:
        """The capture on the screen."""

    @abstractmethod
    def native_stack_missing(self) -> bool:
        """Whether the capture has no native stack of the thread."""

    @abstractmethod
    def represent(self) -> None:
        """Show the thread again."""

    @property
    def panel(self) -> Panel:
        """Where the drawers are."""
        return self.query_one(Panel)

    @property
    def desk(self) -> "Desk":
        """The debuggers that are open."""
        return self._hangtui.desk

    @property
    def _hangtui(self) -> "HangtuiApp":
        return cast("HangtuiApp", self.app)

    # -- drawers ----------------------------------------------------------------------------------

    def follow(self) -> None:
        """Another frame is under the cursor: ask anew what is about frames."""
        spot = self.spot
        for query in list(self.panel.queries.values()):
            if query.drawer.follows and spot is not None and query.spot != spot:
                self._fill(replace(query, spot=spot))

    def refill(self) -> None:
        """Ask anew: the target has been stopped, or has run."""
        for query in list(self.panel.queries.values()):
            self._fill(query)

    def peel(self) -> bool:
        """Close the innermost of what is open; whether there was anything."""
        panel = self.panel
        if panel.prompt.is_open:
            panel.stop_asking()
            self._focus_after()
        elif panel.console_is_open:
            panel.toggle_console(shown=False)
            self.workers.cancel_group(self, "console")
            self._focus_after()
        elif panel.queries:
            slot = self._focused_slot() or next(reversed(panel.queries))
            self.workers.cancel_group(self, slot.value)
            panel.close(slot)
            self._focus_after()
        else:
            return False
        return True

    def action_drawer(self, name: str) -> None:
        """Open a drawer, or close it if it is open."""
        drawer = Drawer(name)
        if self.panel.drawer_of(drawer.slot) is drawer and not self.panel.console_is_open:
            self.workers.cancel_group(self, drawer.slot.value)
            self.panel.close(drawer.slot)
            self._focus_after()
        elif (spot := self._asked_spot()) is not None:
            self.open_drawer(Query(drawer, spot))

    def action_full(self) -> None:
        """Show values as long as they are, or short again."""
        query = self.panel.queries.get(Slot.DATA)
        if query is not None and query.drawer is Drawer.VARIABLES:
            self._fill(replace(query, full=not query.full))
        elif (spot := self._asked_spot()) is not None:
            self.open_drawer(Query(Drawer.VARIABLES, spot, full=True))

    def action_bytes(self) -> None:
        """Memory at the address under the cursor, else at one that is asked for."""
        if self._asked_spot() is None:
            return
        address = self._address_under_cursor()
        if address is not None and self.panel.drawer_of(Slot.DATA) is not Drawer.MEMORY:
            self._open_at(Drawer.MEMORY, hex(address))
        else:
            self.panel.ask(
                "memory at: 0x7f…, $sp, &symbol", lambda text: self._open_at(Drawer.MEMORY, text)
            )

    def action_lock(self) -> None:
        """The lock at the register under the cursor, else the one that the thread waits for."""
        spot = self._asked_spot()
        if spot is None:
            return
        address = self._address_under_cursor()
        where = hex(address) if address is not None else ""
        self.open_drawer(Query(Drawer.LOCK, spot, where))

    def action_lock_as(self, kind: str) -> None:
        """Memory as one kind of lock, at an address that is asked for."""
        if self._asked_spot() is None:
            return
        address = self._address_under_cursor()
        self.panel.ask(
            f"print as {kind} at: 0x7f…, $ and a register's name, &symbol",
            lambda text: self._open_at(Drawer.LOCK, text, LockKind(kind)),
            hex(address) if address is not None else "",
        )

    def action_frame(self, direction: int) -> None:
        """The next frame outwards or inwards, from whatever pane."""
        self.main.action_line(direction)

    def open_drawer(self, query: Query) -> None:
        """Open a drawer and ask for its content."""
        self.panel.toggle_console(shown=False)
        self._fill(query)
        if query.drawer.takes_focus:
            self.panel.rows(query.drawer.slot).focus()

    def _open_at(self, drawer: Drawer, where: str, kind: LockKind | None = None) -> None:
        if (spot := self.spot) is not None:
            self.open_drawer(Query(drawer, spot, where, kind))

    def _fill(self, query: Query) -> None:
        self.panel.open(query)
        self.panel.show(query, contents.asking(query.drawer.value.capitalize()))
        slot = query.drawer.slot.value
        self.run_worker(self._answer(query), group=slot, exclusive=True, exit_on_error=False)

    async def _answer(self, query: Query) -> None:
        view = self.captured
        if view is None:
            return
        try:
            debugger = await self._debugger(query.spot.pid)
            content = await ask(query, debugger, view)
            if query.drawer in (Drawer.REGISTERS, Drawer.DISASSEMBLY):
                await self._complete_stack(debugger, query.spot)
        except HangtuiError as error:
            content = contents.failed(query.drawer.value.capitalize(), error)
        self.panel.show(query, content)

    async def _complete_stack(self, debugger: Debugger, spot: Spot) -> None:
        """gdb knows the stacks of threads that ran while the capture was taken."""
        thread = thread_id(spot.pid, spot.at.tid)
        if self.native_stack_missing() and thread not in self.native_stacks:
            self.native_stacks[thread] = (await debugger.stack(spot.at.tid)).frames
            self.represent()

    async def _debugger(self, pid: int) -> Debugger:
        view = self.captured
        threads = view.capture.threads() if view else ()
        names = {thread.tid: thread.name for thread in threads if thread.pid == pid}
        return await self.desk.debugger(pid, names)

    def _asked_spot(self) -> Spot | None:
        """What is under the cursor, if it can be asked about; else the reason is said."""
        spot = self.spot
        reason = "No thread is selected." if spot is None else self.desk.refusal(spot.pid)
        if reason is not None:
            self._hangtui.say(reason)
            return None
        return spot

    def _focused_slot(self) -> Slot | None:
        return next((slot for slot in self.panel.queries if self.panel.rows(slot).has_focus), None)

    def _focus_after(self) -> None:
        """Something was closed: the newest list of what is left has the focus."""
        newest = next(reversed(self.panel.queries.values()), None)
        taking = newest is not None and newest.drawer.takes_focus
        (self.panel.rows(newest.drawer.slot) if newest and taking else self.main).focus()

    def _address_under_cursor(self) -> int | None:
        """Of a register, variable or row of memory, if such a list has the focus."""
        rows, content = self.panel.rows(Slot.DATA), self.panel.content(Slot.DATA)
        if not rows.has_focus or content is None or content.addresses is None:
            return None
        return content.addresses.get(rows.cursor_key or "")

    @on(Panel.Changed)
    def _panel_changed(self, message: Panel.Changed) -> None:
        message.stop()
        self.set_class(self.panel.has_class("-opened"), "-debugging")
        if self.panel.prompt.has_focus and not self.panel.prompt.is_open:
            self._focus_after()

    @on(RowList.Chosen, "#data")
    def _data_chosen(self, message: RowList.Chosen) -> None:
        """Enter: the memory behind a value, or the thread that has a lock."""
        message.stop()
        content, spot = self.panel.content(Slot.DATA), self.spot
        if content is None or spot is None:
            return
        if content.thread is not None:
            self.post_message(ThreadPicked(thread_id(spot.pid, content.thread)))
        elif (address := (content.leads or content.addresses or {}).get(message.key)) is not None:
            self._open_at(Drawer.MEMORY, hex(address))

    @on(RowList.Highlighted, "#data, #code")
    def _drawer_highlighted(self, message: RowList.Highlighted) -> None:
        message.stop()
