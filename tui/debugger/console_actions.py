"""gdb's console on the screen of a thread."""

from textual import on

from hangtui import powers
from hangtui.debugger import Output
from hangtui.model import HangtuiError, TargetError
from hangtui.tui.debugger.console import CommandLine, Console
from hangtui.tui.debugger.spot import Spot
from hangtui.tui.debugger.view import DebuggingView


class ConsoleView(DebuggingView):
    """Takes commands for gdb, and shows what it prints."""

    def action_console(self) -> None:
        """Open the gdb console."""
        spot = self._console_spot()
        if spot is None:
            return
        self.panel.toggle_console(shown=True)
        console = self.panel.console
        self._describe(spot.pid)
        console.line.focus()

    def action_print(self) -> None:
        """The value of an expression that is asked for."""
        if self._console_spot() is not None:
            self.panel.ask("print: $pc, *(int *)$sp, variable", self._print)

    def _print(self, expression: str) -> None:
        self.action_console()
        self._command(f"print {expression}")

    def _describe(self, pid: int) -> None:
        about = self.desk.about(pid) or "starts with the first command"
        anything = self.desk.powers.console is powers.Console.ANYTHING
        self.panel.console.describe(about, anything=anything)

    @on(Console.Entered)
    def _entered(self, message: Console.Entered) -> None:
        message.stop()
        self._command(message.command)

    def _command(self, command: str) -> None:
        self.panel.console.asked(command)
        self.run_worker(
            self._console_answer(command), group="console", exclusive=True, exit_on_error=False
        )

    async def _console_answer(self, command: str) -> None:
        spot, console = self.spot, self.panel.console
        if spot is None:
            return
        try:
            output = await (await self._debugger(spot.pid)).console(spot.at, command)
        except HangtuiError as error:
            output = Output(error.message, ok=False)
        console.answered(output)
        self._describe(spot.pid)

    @on(CommandLine.CompletionWanted)
    def _completion_wanted(self, message: CommandLine.CompletionWanted) -> None:
        message.stop()
        self.run_worker(
            self._completed(message.text), group="completion", exclusive=True, exit_on_error=False
        )

    async def _completed(self, text: str) -> None:
        spot, console = self.spot, self.panel.console
        if spot is None:
            return
        try:
            matches = await (await self._debugger(spot.pid)).complete(text)
        except TargetError:
            return
        if not console.line.complete(matches) and len(matches) > 1:
            console.offered(matches)

    def _console_spot(self) -> Spot | None:
        """What is under the cursor, if there is a console for it; else the reason is said."""
        spot = self._asked_spot()
        reason = None if spot is None else self.desk.console_refusal(spot.pid)
        if reason is not None:
            self._hangtui.say(reason)
            return None
        return spot
