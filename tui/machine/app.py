"""The list of all Python processes, worst first, which stays open and looks again by itself."""

import asyncio
import time
from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType

from hangtui.diagnosis import diagnose
from hangtui.machine import Machine
from hangtui.model import Capture, HangtuiError, clean
from hangtui.provider import CaptureProvider, CaptureRequest, MachineProvider
from hangtui.tui import status
from hangtui.tui.appearance import PlainApp
from hangtui.tui.bindings import bindings_of, keys_of
from hangtui.tui.cells import spread
from hangtui.tui.dialogs.help import HelpDialog
from hangtui.tui.keys import KEYS, Key, Scope
from hangtui.tui.machine.rows import Told, counts, heading, machine_rows, told
from hangtui.tui.taking import close
from hangtui.tui.views.base import NoteChanged
from hangtui.tui.widgets.bar import Bar
from hangtui.tui.widgets.filterprompt import FilterPrompt
from hangtui.tui.widgets.rowlist import RowList

_STALE_S = 8.0
"""Without a glance for so long the list is said to be old."""
_EVERYWHERE = frozenset("quit quit.at-once help.open filter.open back redraw suspend".split())
"""The keys of the other screens that work here as well."""
_AT_ONCE = 2
"""Looks at the same time, each in a process of its own."""
OPENED = 0


class MachineApp(PlainApp):
    """Glances at all processes, looks into those that are due, and says what came of it."""

    CSS_PATH: ClassVar = ["../app.tcss"]
    TITLE = "hangtui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        [*keys_of(Scope.MACHINE), *(key for key in KEYS if key.id in _EVERYWHERE)]
    )

    def __init__(
        self,
        machine: Machine,
        provider: CaptureProvider,
        glances: MachineProvider,
        *,
        ascii: bool = False,  # noqa: A002
        colours: str | None = None,
        cursor: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(ascii=ascii, colours=colours)
        self.machine = machine
        self.chosen: tuple[int, ...] | None = None
        """Whom to go into; empty: all of them at once; None: nobody."""
        self._provider, self._glances, self._clock = provider, glances, clock
        self._began = clock()
        self.cursor = cursor
        """The row that the user went to; None: the first, whichever that is."""
        self._shown: tuple[list[Told], str] = ([], "")
        self._looks: list[tuple[int, ...]] = []
        self._problem: HangtuiError | None = None

    def compose(self) -> ComposeResult:
        """A header, the list, the keys."""
        yield Bar(id="header")
        yield RowList(id="machine")
        yield FilterPrompt()
        yield Bar(id="footer")

    def on_mount(self) -> None:
        """Paint, then look."""
        self.query_one("#machine").focus()
        self.present()
        self.set_interval(_STALE_S, self.present)
        self._glance_on()

    async def on_unmount(self) -> None:
        """Leave nobody looking behind."""
        workers = list(self.workers)
        self.workers.cancel_all()
        await asyncio.gather(*(one.wait() for one in workers), return_exceptions=True)

    @work(group="glances", exclusive=True, exit_on_error=False)
    async def _glance_on(self) -> None:
        stream = self._glances.glances()
        try:
            async for sightings in stream:
                self.machine.glance(sightings, self._clock())
                self.present()
                self._look_if_due()
        except HangtuiError as error:
            self._problem = error
            self.present()
        finally:
            await close(stream)

    def _look_if_due(self) -> None:
        while len(self._looks) < _AT_ONCE:
            pids = self.machine.due(self._clock(), self._looking())
            if not pids:
                return
            self._looks.append(pids)
            self._look(pids)

    def _looking(self) -> set[int]:
        """Who is being looked into."""
        return {pid for pids in self._looks for pid in pids}

    @work(group="looks", exit_on_error=False)
    async def _look(self, pids: tuple[int, ...]) -> None:
        """Look into some processes; what they wait for is looked into with them."""
        began, problem = self._clock(), ""
        capture: Capture | None = None
        stream = self._provider.take(CaptureRequest(pids, follow=True))
        try:
            async for grown in stream:
                capture = grown
        except HangtuiError as error:
            problem = f"{error.message}   {error.fix}" if error.fix else error.message
        finally:
            await close(stream)
        diagnosis = await asyncio.to_thread(diagnose, capture) if capture else None
        self.machine.looked(pids, diagnosis, began, self._clock(), problem)
        self._looks.remove(pids)
        self.present()
        self._look_if_due()

    def present(self) -> None:
        """Show what is known now."""
        if not self.is_running:
            return
        now = self._clock()
        processes = [told(one, now, self._began) for one in self.machine.entries()]
        rows = self.query_one("#machine", RowList)
        at = self.machine.glanced_at
        empty = "no Python process can be seen here" if at is not None else "looking …"
        with self.batch_update():
            if self._shown != (processes, empty):
                self._shown = processes, empty
                first = processes[0].key if processes else None
                rows.set_rows(
                    machine_rows(processes),
                    heading=heading,
                    empty=empty,
                    cursor=self.cursor or first,
                )
            rows.set_titles("All Python processes of this machine", self._filter_words(rows))
            self.query_one("#header", Bar).show(lambda width: self._header(width, now))
            keys = [(k, True) for k in self._keys() if k.rank is not None and k.id != "back"]
            self.query_one("#footer", Bar).show(lambda width: status.footer(keys, width))

    def _keys(self) -> list[Key]:
        found = keys_of(Scope.MACHINE, Scope.LIST)
        return [*found, *(key for key in KEYS if key.id in _EVERYWHERE)]

    def _filter_words(self, rows: RowList) -> str:
        shown, every = rows.shown
        return f"filter: {rows.query_words} · {shown} of {every}" if rows.query_words else ""

    def _header(self, width: int, now: float) -> Text:
        left = Text.assemble(("hangtui", "bold"), f"  {counts(self.machine.entries())}")
        at = self.machine.glanced_at
        if self._problem is not None:
            right = Text(f" {clean(self._problem.message)} ", "reverse")
        elif at is not None and now - at > _STALE_S:
            right = Text(f" the list is {now - at:.0f} s old ", "reverse")
        elif looking := self._looking():
            right = Text(f"looking into {len(looking)} …")
        else:
            right = Text()
        return spread(left, right, width)

    @on(NoteChanged)
    def _note_changed(self) -> None:
        self.present()

    @on(RowList.Highlighted, "#machine")
    def _process_highlighted(self, event: RowList.Highlighted) -> None:
        self.cursor = event.key

    @on(RowList.Chosen, "#machine")
    def _process_chosen(self, event: RowList.Chosen) -> None:
        pid = int(event.key.partition(":")[0])
        gone = {one.sighting.pid for one in self.machine.entries() if one.gone_at is not None}
        if pid in gone:
            self.say(f"process {pid} has ended")
            return
        self.chosen = (pid,)
        self.exit(OPENED)

    def action_all(self) -> None:
        """Go into all of them at once."""
        self.chosen = ()
        self.exit(OPENED)

    def action_again(self) -> None:
        """Look into the process under the cursor now."""
        key = self.query_one("#machine", RowList).cursor_key
        if key is not None and not self._looks:
            self._looks.append((int(key.partition(":")[0]),))
            self._look(self._looks[0])
            self.present()

    def action_filter(self) -> None:
        """Ask for a filter."""
        self.query_one(FilterPrompt).open(self.query_one("#machine", RowList))

    def action_peel(self) -> None:
        """Close the prompt, or show all rows again."""
        self.query_one(FilterPrompt).close(self.query_one("#machine", RowList), clear=True)

    def action_help(self) -> None:
        """Show the keys."""
        self.push_screen(HelpDialog(Scope.MACHINE))

    async def action_press_key(self, key_id: str) -> None:
        """Do what the key with this id does; the footer's words can be clicked."""
        key = next(key for key in self._keys() if key.id == key_id)
        on_list = key.scope is Scope.LIST
        await self.run_action(key.action, self.query_one("#machine") if on_list else self)
