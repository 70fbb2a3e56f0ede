"""The keys, made from the key table, and what the letters mean."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from hangtui.analysis.state_words import STATE_WORDS
from hangtui.tui.bindings import keys_of
from hangtui.tui.cells import cut, pad
from hangtui.tui.keys import KEYS, STOPS, Key, Scope
from hangtui.tui.theme import HEADING, KEY, NOT_COUNTED, RAN, STATE_STYLES, STOOD
from hangtui.tui.widgets.textpane import TextPane

SIGNS = (
    ("▶", "innermost Python frame"),
    ("┆", "same C frame as the Python frame it was called from"),
    ("◀──", "a C frame that runs Python frames"),
    ("·", "no Python frame here"),
    ("┃ ┇", "cycle: certain, inferred"),
    ("◀╴", "waits behind"),
    ("■", "a resource"),
    ("≥12s", "it has not run for at least that long: stuck, or at rest"),
    ("~12s", "same stack in every capture for that long, but it ran, or may have"),
    ("97%", "its CPU use over the last captures: it works, or spins"),
    (
        f"{RAN}{STOOD}{NOT_COUNTED}",
        "ran, did not run, not known: between the last captures, newest right",
    ),
    ("moved", "its stack was different in the previous capture"),
    ("?", "inferred, not read from memory"),
)


class Dialog(ModalScreen[None]):
    """A pane over the screen that any of the closing keys takes away."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,h,question_mark,exclamation_mark", "dismiss", show=False)
    ]
    TITLE_TEXT: ClassVar[str]

    def compose(self) -> ComposeResult:
        """One pane."""
        yield TextPane(id="dialog")

    def on_mount(self) -> None:
        """Fill it."""
        pane = self.query_one("#dialog", TextPane)
        pane.set_titles(self.TITLE_TEXT, "Esc closes")
        pane.show(self.lines)
        pane.focus()

    def lines(self, width: int) -> list[Text]:
        """The text."""
        raise NotImplementedError


class HelpDialog(Dialog):
    """Keys of the present screen first, then the ones that work everywhere."""

    TITLE_TEXT = "Keys"

    def __init__(self, scope: Scope | None, table: Sequence[Key] = KEYS) -> None:
        super().__init__()
        self._scope = scope
        self._table = table

    def lines(self, width: int) -> list[Text]:
        """Keys, states, signs."""
        return list(self._lines(width))

    def _lines(self, width: int) -> Iterator[Text]:
        order = [*([self._scope] if self._scope else []), Scope.LIST, Scope.PANE, Scope.GLOBAL]
        order += [scope for scope in Scope if scope not in order]
        for scope in order:
            keys = [key for key in keys_of(scope, table=self._table) if key.shown or key.group]
            if keys:
                yield Text(scope.value, HEADING)
            for key in keys:
                shown = key.shown or ": …"
                yield Text.assemble("  ", (pad(shown, 10), KEY), cut(key.words, width - 12))
                if key.stop:
                    said = cut(f"{STOPS} stops the process {key.stop}", width - 12)
                    yield Text.assemble("  ", pad("", 10), (said, KEY))
            if keys:
                yield Text()
        yield Text("States", HEADING)
        for state, words in STATE_WORDS.items():
            label = (pad(words.word, 9), STATE_STYLES[state])
            yield Text.assemble(f"{state.letter} ", label, " ", cut(words.meaning, width - 12))
        yield Text()
        yield Text("Signs", HEADING)
        for sign, meaning in SIGNS:
            yield Text.assemble("  ", pad(sign, 9), " ", cut(meaning, width - 12))
