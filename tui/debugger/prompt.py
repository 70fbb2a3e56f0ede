"""A line that asks for an address, an expression, a signal or a file name."""

from collections.abc import Callable

from textual import on
from textual.widgets import Input


class AskPrompt(Input):
    """Shown only while it is used."""

    def __init__(self) -> None:
        super().__init__(id="ask", compact=True)
        self._then: Callable[[str], None] = lambda _text: None

    @property
    def is_open(self) -> bool:
        """Whether it is on the screen."""
        return self.has_class("-shown")

    def open(self, question: str, then: Callable[[str], None], value: str = "") -> None:
        """Ask; *then* gets what was typed."""
        self._then = then
        self.placeholder = question
        self.value = value
        self.add_class("-shown")
        self.focus()

    def close(self) -> None:
        """Ask no more."""
        self.remove_class("-shown")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        self.close()
        if text := event.value.strip():
            self._then(text)
