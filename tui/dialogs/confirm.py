"""A question before something that the target would feel."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from hangtui.tui.cells import wrap
from hangtui.tui.widgets.textpane import TextPane

GDB_QUESTION = (
    "Copy the target for its native stacks?",
    (
        "Running threads stand still for about a millisecond while they are copied; sleeping ones"
        " are copied asleep. The target runs on, even if hangtui is killed, and nothing in it is"
        " changed. Then gdb reads the copy: source lines and inlined functions take it some"
        " seconds."
    ),
)

QUIT_QUESTION = (
    "Quit and let the target run?",
    "You have stopped a process. It runs on when hangtui ends.",
)


class ConfirmDialog(ModalScreen[bool]):
    """Only ``y`` is a yes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", show=False),
        Binding("n,escape,q,enter", "dismiss(False)", show=False),
    ]

    def __init__(self, question: str, text: str) -> None:
        super().__init__()
        self._question = question
        self._text = text

    def compose(self) -> ComposeResult:
        """One pane."""
        yield TextPane(id="confirm")

    def on_mount(self) -> None:
        """Fill it."""
        pane = self.query_one("#confirm", TextPane)
        pane.set_titles(self._question, "y yes · n no")
        pane.show(lambda width: [Text(line) for line in wrap(self._text, width)])
        pane.focus()
