"""A scrolling widget that paints one line at a time, and repaints only lines that changed."""

from abc import abstractmethod
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from hangtui.tui.cells import changed_span, strip_of
from hangtui.tui.cells import title as safe_title


class Lines(ScrollView, can_focus=True):
    """Lines of text below a heading that stays in place.

    A widget of 2,000 rows costs what its visible rows cost, and one changed row costs one line.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"lines--heading"}

    _painted: dict[int, Strip]

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._painted = {}
        self._titles = ("", "")
        self._shown_titles = ("", "")

    @property
    def text_width(self) -> int:
        """Cells for text, beside the place of the scroll bar."""
        return max(self.scrollable_content_region.width, 0)

    @property
    def page(self) -> int:
        """How many lines are visible below the heading."""
        return max(self.size.height - len(self.heading(self.text_width)), 0)

    @abstractmethod
    def line_count(self) -> int:
        """How many lines there are, without the heading."""

    @abstractmethod
    def line(self, index: int, width: int) -> tuple[Text, Style]:
        """The line with this index, and the style under it."""

    def heading(self, width: int) -> list[Text]:  # noqa: ARG002
        """Lines that do not scroll."""
        return []

    def set_titles(self, upper: str, lower: str = "") -> None:
        """Name the box."""
        self._titles = (upper, lower)
        # On a box Textual leaves a space beside a title, on a rule it does not.
        space = "" if self.styles.border_left[0] else " "
        titles = tuple(f"{space}{text}{space}" if text else "" for text in self._titles)
        # Textual repaints the whole widget for a title, also for the same one.
        if titles != self._shown_titles:
            self._shown_titles = upper, lower = (titles[0], titles[1])
            self.border_title = safe_title(upper) if upper else None
            self.border_subtitle = safe_title(lower) if lower else None

    def render_line(self, y: int) -> Strip:
        """Paint line *y* of the visible part."""
        strip = self._build(y, self.rich_style)
        self._painted[y] = strip
        return strip

    def on_resize(self) -> None:
        """Lay the lines out for the new width."""
        self.set_titles(*self._titles)
        self.virtual_size = Size(
            self.text_width, self.line_count() + len(self.heading(self.text_width))
        )
        self.refresh()

    def repaint_changed(self) -> None:
        """Repaint the visible lines whose content is not what was painted last."""
        total = self.line_count() + len(self.heading(self.text_width))
        if self.virtual_size.height != total:
            self.virtual_size = Size(self.text_width, total)
        base = self.rich_style  # Textual puts it together anew each time
        for y in range(self.size.height):
            if (known := self._painted.get(y)) is None:
                self.refresh(Region(0, y, self.size.width, 1))
            elif span := changed_span(known, self._build(y, base)):
                self.refresh(Region(span[0], y, span[1] - span[0], 1))

    def repaint_lines(self, first: int, last: int) -> None:
        """Repaint the lines *first* to *last*, as far as they are visible."""
        offset = len(self.heading(self.text_width)) - self.scroll_offset.y
        for index in range(first, last + 1):
            if 0 <= (y := index + offset) < self.size.height:
                self.refresh(Region(0, y, self.size.width, 1))

    def reveal(self, first: int, last: int) -> None:
        """Scroll as little as needed to show the lines *first* to *last*."""
        top, page = self.scroll_offset.y, self.page
        if page <= 0:
            return
        if last - top >= page:
            top = last - page + 1
        top = min(top, first)
        if top != self.scroll_offset.y:
            # Forced: the scroll bar may not be there yet.
            self.scroll_to(y=top, animate=False, immediate=True, force=True)

    def notify_style_update(self) -> None:
        """Forget what was painted: the colours changed."""
        super().notify_style_update()
        self._painted.clear()

    def _build(self, y: int, base: Style) -> Strip:
        width = self.text_width
        heading = self.heading(width)
        if y < len(heading):
            style = self.get_component_rich_style("lines--heading", partial=True)
            return self._strip(heading[y], width, base + style)
        index = y - len(heading) + self.scroll_offset.y
        if index >= self.line_count():
            return Strip.blank(width, base)
        text, style = self.line(index, width)
        return self._strip(text, width, base + style)

    def _strip(self, text: Text, width: int, base: Style) -> Strip:
        return strip_of(text, width, self.app.console, base)
