"""The gdb console: what was asked and answered, and a line to ask the next thing."""

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.widgets import Input

from hangtui.debugger import Output
from hangtui.model import clean
from hangtui.powers import user_name
from hangtui.tui.cells import cut
from hangtui.tui.theme import MUTED
from hangtui.tui.widgets.textpane import TextPane

PROMPT = "(gdb) "
_KEPT = 5000
"""Lines of output that can be scrolled back to."""
_SHOWN_MATCHES = 40

Completer = Callable[[str], Awaitable[tuple[str, ...]]]


class Console(Container):
    """Output above, the line below."""

    class Entered(Message):
        """A command was typed."""

        def __init__(self, command: str) -> None:
            super().__init__()
            self.command = command

    def __init__(self) -> None:
        super().__init__(id="console")
        self._lines: list[tuple[str, str]] = []

    def compose(self) -> ComposeResult:
        """The two of them."""
        yield TextPane(id="console-output")
        yield CommandLine()

    @property
    def line(self) -> "CommandLine":
        """Where commands are typed."""
        return self.query_one(CommandLine)

    def describe(self, about: str, *, anything: bool = False) -> None:
        """Say what gdb has before it; *anything*: it does whatever is typed."""
        subtitle = "Tab completes · ↑ ↓ history · Esc closes"
        title = f"gdb · {clean(about)}"
        if anything:
            title = f"{title} · a shell as {user_name()}"
            self.line.placeholder = f"any command of gdb: this is a shell as {user_name()}"
        self.query_one("#console-output", TextPane).set_titles(title, subtitle)

    def asked(self, command: str) -> None:
        """Show a command whose answer is yet to come."""
        self._append([f"{PROMPT}{command}"], "bold")

    def answered(self, output: Output) -> None:
        """Show an answer."""
        self._append(output.text.splitlines(), "" if output.ok else "yellow")

    def offered(self, matches: tuple[str, ...]) -> None:
        """Show how a command could go on."""
        more = len(matches) - _SHOWN_MATCHES
        tail = f"  … {more} more" if more > 0 else ""
        self._append(["  ".join(matches[:_SHOWN_MATCHES]) + tail], MUTED)

    def _append(self, lines: Sequence[str], style: str) -> None:
        self._lines += [(clean(line, 4000), style) for line in lines[-_KEPT:]]
        del self._lines[:-_KEPT]
        pane = self.query_one("#console-output", TextPane)
        pane.show(self._painted, key=self)
        self.call_after_refresh(pane.action_edge, 1)

    def _painted(self, width: int) -> list[Text]:
        return [Text(part, style) for text, style in self._lines for part in _folded(text, width)]


def _folded(text: str, width: int) -> list[str]:
    """*text* in pieces of *width* cells: a table of gdb's must not lose its end."""
    pieces = []
    while len(text) > width > 0:
        pieces.append(cut(text[:width], width))
        text = text[width:]
    return [*pieces, text]


class CommandLine(Input):
    """One command, with history and completion."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "history(-1)", show=False),
        Binding("down", "history(1)", show=False),
        Binding("tab", "complete", show=False),
        Binding("pageup", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(1)", show=False),
    ]

    class CompletionWanted(Message):
        """Tab was pressed."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self) -> None:
        super().__init__(id="command", compact=True, placeholder="a command of gdb: info threads")
        self._history: list[str] = []
        self._at = 0

    def complete(self, matches: tuple[str, ...]) -> bool:
        """Go on with what all *matches* have in common; whether that was more than was there."""
        # What was typed since then, or sent, is not to be completed.
        if not any(match.startswith(self.value) for match in matches) or not self.value:
            return False
        common = _common(matches)
        if len(common) <= len(self.value):
            return False
        self.value = common
        self.cursor_position = len(common)
        return True

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        command = event.value.strip()
        self.value = ""
        # An empty line repeats the last command, as in gdb.
        command = command or (self._history[-1] if self._history else "")
        if not command:
            return
        if not self._history or self._history[-1] != command:
            self._history.append(command)
        self._at = len(self._history)
        self.post_message(Console.Entered(command))

    def action_history(self, direction: int) -> None:
        """An earlier or a later command."""
        if not self._history:
            return
        self._at = min(max(self._at + direction, 0), len(self._history))
        self.value = self._history[self._at] if self._at < len(self._history) else ""
        self.cursor_position = len(self.value)

    def action_complete(self) -> None:
        """Ask gdb how the command can go on."""
        self.post_message(self.CompletionWanted(self.value[: self.cursor_position]))

    def action_scroll(self, direction: int) -> None:
        """Scroll the output."""
        self.screen.query_one("#console-output", TextPane).action_page(direction)


def _common(words: tuple[str, ...]) -> str:
    """What all *words* begin with."""
    first, last = min(words, default=""), max(words, default="")
    count = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), None)
    return first[:count] if count is not None else first[: len(last)]
