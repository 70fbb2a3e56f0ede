"""One line of text across the screen: header, tabs, failure, footer."""

from collections.abc import Callable

from rich.text import Text
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from hangtui.tui.cells import changed_span, strip_of


class Bar(Widget):
    """A line that a function makes for a width."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._make: Callable[[int], Text] = lambda _width: Text()
        self._painted: Strip | None = None

    def show(self, make: Callable[[int], Text]) -> None:
        """Show what *make* returns; repaint only if it looks different."""
        self._make = make
        if self._painted is None:
            self.refresh()
        elif span := changed_span(self._painted, self._build()):
            self.refresh(Region(span[0], 0, span[1] - span[0], 1))

    def render_line(self, y: int) -> Strip:
        """The line; below it nothing."""
        if y:
            return Strip.blank(self.size.width, self.rich_style)
        self._painted = self._build()
        return self._painted

    def _build(self) -> Strip:
        width = self.size.width
        return strip_of(self._make(width), width, self.app.console, self.rich_style)
