"""Stopping the live process, for a time, and what can be done with it then."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from hangtui.analysis.stops import ended_by_a_stop
from hangtui.debugger import STOP_S, Debugger
from hangtui.model import HangtuiError, clean
from hangtui.tui.debugger.console_actions import ConsoleView
from hangtui.tui.debugger.questions import Slot
from hangtui.tui.dialogs.confirm import ConfirmDialog

_QUESTION = "Stop process {pid}?"
_TEXT = (
    "gdb attaches to it, and it stands still until you let it run (R), for {seconds:.0f} s at "
    "most; T gives it {seconds:.0f} s more from then on. It runs on whatever happens to hangtui."
    " Nothing in it is changed; but calls like epoll_wait end early (EINTR), as after a signal:"
    " {calls}. {more}"
)
_FOR_SIGNAL = "Then it runs until it gets {signal}, and stands still there."
_FOR_CORE = "Then the core file is written, which takes longer the more memory it has."


class HoldingView(ConsoleView):
    """Lets the user stop the process of the thread."""

    def action_stop(self) -> None:
        """Ask, then stop the process."""
        self._confirmed(self._stop, "")

    def action_go(self) -> None:
        """Let it run."""
        for group in ("console", *(slot.value for slot in Slot)):
            self.workers.cancel_group(self, group)  # a long question would hold it up
        self._if_held(lambda debugger: debugger.go())

    def action_extend(self) -> None:
        """Let it stand still for longer."""
        self._if_held(lambda debugger: debugger.extend(STOP_S))

    def action_catch(self) -> None:
        """Ask for a signal, then wait for it."""
        if self._stoppable() is not None:
            self.panel.ask("wait for signal: SIGUSR1", self._catch)

    def _catch(self, signal: str) -> None:
        async def wait(debugger: Debugger) -> None:
            await debugger.stop()
            await debugger.catch(signal)

        self._confirmed(wait, _FOR_SIGNAL.format(signal=clean(signal, 20)))

    def action_core(self) -> None:
        """Ask for a file name, then write a core file."""
        if (pid := self._stoppable()) is not None:
            place = Path.cwd() / f"core.{pid}"
            self.panel.ask("write a core file to", self._core, str(place))

    def _core(self, name: str) -> None:
        place = Path(name).expanduser().absolute()
        folder = self.desk.powers.folder
        path = str(Path(folder) / place.name if folder else place)

        async def write(debugger: Debugger) -> None:
            was_held = debugger.live.stopped_s is not None
            await debugger.stop()
            try:
                output = await debugger.write_core(path)
            finally:
                if not was_held:
                    await debugger.go()
            self._hangtui.say(output.text.splitlines()[-1] if output.text else "written")

        self._confirmed(write, _FOR_CORE)

    @staticmethod
    async def _stop(debugger: Debugger) -> None:
        await debugger.stop()

    def _confirmed(self, action: Callable[[Debugger], Awaitable[None]], more: str) -> None:
        """Do something for which the process must be stopped: after a question, if it runs."""
        pid = self._stoppable()
        if pid is None:
            return
        if self.desk.live.stopped_s is not None:
            self._do(pid, action)
            return
        question = _QUESTION.format(pid=pid)
        text = _TEXT.format(seconds=STOP_S, calls=self._calls(pid), more=more)
        self.app.push_screen(
            ConfirmDialog(question, text), lambda yes: self._do(pid, action) if yes else None
        )

    def _calls(self, pid: int) -> str:
        """Which calls would end early."""
        process = self.captured.capture.process(pid) if self.captured else None
        found = ended_by_a_stop(process.threads if process else ())
        if not found:
            return "in this capture no thread is in one"
        names = ", ".join(f"{name} {count}" for name, count in found.most_common())
        return f"in this capture {clean(names, 200)}"

    def _stoppable(self) -> int | None:
        """The PID of the process, if it can be stopped; else the reason is said."""
        spot = self.spot
        reason = "No thread is selected." if spot is None else self.desk.stop_refusal(spot.pid)
        if reason is not None:
            self._hangtui.say(reason)
            return None
        return spot.pid if spot else None

    def _if_held(self, action: Callable[[Debugger], Awaitable[object]]) -> None:
        spot, live = self.spot, self.desk.live
        if spot is None or (live.stopped_s is None and not live.waiting_for):
            self._hangtui.say("The process is not stopped: A stops it.")
            return
        self._do(spot.pid, action)

    def _do(self, pid: int, action: Callable[[Debugger], Awaitable[object]]) -> None:
        async def work() -> None:
            try:
                await action(await self._debugger(pid))
            except HangtuiError as error:
                fix = f" · {error.fix}" if error.fix else ""
                self._hangtui.say(f"{error.message}{fix}", bad=True)
            self.refill()

        self.run_worker(work(), group="holding", exit_on_error=False)
