"""A question before something that the target would feel."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from hangtui.tui.cells import wrap
from hangtui.tui.widgets.textpane import TextPane

GDB_QUESTION = (
    "Stop the target for its native stacks?",
    (
        "gdb attaches, and the target stands still while gdb reads its stacks: mostly for a second"
        " or two, longer with many threads and libraries. Then it runs on, also if hangtui is"
        " killed meanwhile. Nothing in it is changed."
    ),
)

QUIT_QUESTION = (
    "Quit and let the target run?",
    "A process stands still because you stopped it. It runs on when hangtui ends.",
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
