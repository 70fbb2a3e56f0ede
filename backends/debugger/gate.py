"""What a sitting passes on to gdb and does to its target, by the powers it was given."""

from collections.abc import Callable
from pathlib import Path

from hangtui.backends.debugger import commands
from hangtui.backends.debugger.arguments import RefusedError
from hangtui.backends.debugger.expressions import flaw
from hangtui.model import TargetError, clean
from hangtui.powers import NO_CONSOLE, NO_STOP, Console, Powers


class Gate:
    """Raises TargetError with the reason for whatever is not to be."""

    def __init__(self, powers: Powers) -> None:
        self._powers = powers

    def line(self, typed: str, *, live: bool) -> str:
        """What gdb gets of a line of the console; *live*: the process stands still for it."""
        if self._powers.console is Console.NOTHING:
            raise TargetError(NO_CONSOLE)
        try:
            if self._powers.console is Console.ANYTHING:
                return commands.unchecked(typed)
            return commands.checked(typed, live=live)
        except RefusedError as error:
            raise TargetError(str(error)) from None

    def expression(self, typed: str) -> str:
        """An expression for a pane: one that only reads, whatever the console takes."""
        text = typed.strip(" ")
        if (reason := flaw(text)) is not None:
            raise TargetError(clean(reason, 200))
        return text

    def completions(self, text: str, ask: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
        """How a line goes on, by *ask*, which asks gdb."""
        if self._powers.console is Console.ANYTHING:
            return ask(text)
        if self._powers.console is Console.NOTHING or not commands.completable(text):
            return ()
        return commands.completed(text, ask(text))

    def require_stop(self, *, live: bool) -> None:
        """A live target is about to be stopped, be it for a copy."""
        if live and not self._powers.stop:
            raise TargetError(NO_STOP)

    def place(self, path: str) -> Path:
        """Where a file may be written that somebody named."""
        place, folder = Path(path).absolute(), self._powers.folder
        if folder and place.parent != Path(folder):
            raise TargetError(f"files are written into {clean(folder)} alone")
        return place
