"""A pane of prose: wrapped to its width, scrollable, without a cursor."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual.binding import BindingType

from hangtui.tui.bindings import bindings
from hangtui.tui.keys import Scope
from hangtui.tui.widgets.lines import Lines

LineMaker = Callable[[int], Sequence[Text]]


class TextPane(Lines):
    """Lines that a function makes for a width."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Scope.PANE)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._make: LineMaker = lambda _width: ()
        self._cache: tuple[int, Sequence[Text]] | None = None
        self._key: object = None

    @property
    def plain(self) -> str:
        """The whole text, for copying."""
        return "\n".join(line.plain.rstrip() for line in self._lines(self.text_width or 80))

    def show(self, make: LineMaker, key: object = None) -> None:
        """Show the lines that *make* returns; go to the top if *key* is another one than before."""
        self._make, self._cache = make, None
        if key != self._key or key is None:
            self._key = key
            self.scroll_to(y=0, animate=False, immediate=True)
        self.repaint_changed()

    def line_count(self) -> int:
        """How many lines the text has at the present width."""
        return len(self._lines(self.text_width))

    def line(self, index: int, width: int) -> tuple[Text, Style]:
        """One line."""
        return self._lines(width)[index], Style.null()

    def action_half(self, direction: int) -> None:
        """Scroll half a page."""
        self.scroll_relative(y=direction * max(self.page // 2, 1), animate=False)

    def action_line(self, direction: int) -> None:
        """Scroll one line."""
        self.scroll_relative(y=direction, animate=False)

    def action_page(self, direction: int) -> None:
        """Scroll one page."""
        self.scroll_relative(y=direction * max(self.page - 1, 1), animate=False)

    def action_edge(self, direction: int) -> None:
        """Go to the first or the last line."""
        self.scroll_to(y=0 if direction < 0 else self.line_count(), animate=False)

    def _lines(self, width: int) -> Sequence[Text]:
        if self._cache is None or self._cache[0] != width:
            self._cache = (width, tuple(self._make(width)) if width > 0 else ())
        return self._cache[1]
