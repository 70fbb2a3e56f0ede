"""The application's look: colours, ASCII, sizes, and what is left when it fails."""

import os
from collections.abc import Sequence

from rich.segment import Segments
from textual.filter import LineFilter
from textual.reactive import Reactive

from hangtui.model import UsageError, clean
from hangtui.tui.delivery import CLIPBOARD, clipboard_sequence
from hangtui.tui.faults import last_words
from hangtui.tui.keyboard import InOrderApp
from hangtui.tui.status import WIDE
from hangtui.tui.theme import (
    HIGH_CONTRAST,
    NAMES,
    ON_DARK,
    ON_LIGHT,
    THEMES,
    AsciiFilter,
    choose_colours,
)


class PlainApp(InOrderApp):
    """An application that writes what this terminal can show, and no markup."""

    HORIZONTAL_BREAKPOINTS: list[tuple[int, str]] = [  # noqa: RUF012  as Textual declares it
        (0, "-tiny-w"),
        (60, "-narrow"),
        (WIDE, "-wide"),
    ]
    VERTICAL_BREAKPOINTS: list[tuple[int, str]] = [  # noqa: RUF012
        (0, "-tiny-h"),
        (16, "-short"),
        (34, "-tall"),
    ]
    ALLOW_SELECT = False
    # As defaults: setting them later would style all screens once more.
    ansi_theme_dark = Reactive(ON_DARK, init=False)
    ansi_theme_light = Reactive(ON_LIGHT, init=False)

    def __init__(self, *, ascii: bool, colours: str | None = None) -> None:  # noqa: A002
        """*colours*: one of `NAMES`, or what Textual calls a theme.

        Raises:
            UsageError: there is no such theme.
        """
        chosen = choose_colours(os.environ, colours)
        super().__init__(ansi_color=chosen.ansi)
        self.register_theme(HIGH_CONTRAST)
        if chosen.theme not in self.available_themes:
            text = f"there are no colours called {clean(chosen.theme)}"
            raise UsageError(text, f"--theme {'|'.join(NAMES)}")
        self.theme = chosen.theme
        # Nothing here moves for beauty, and over a slow line each frame would cost.
        self.animation_level = "none"
        self._ascii = AsciiFilter(enabled=ascii)

    def say(self, text: str, *, bad: bool = False) -> None:
        """A toast, as plain text."""
        self.notify(text, severity="error" if bad else "information", markup=False)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own, and ours for terminals that know only ASCII."""
        own = [self._ascii] if self._ascii.enabled else []
        return [*super().get_line_filters(), *own]

    def action_redraw(self) -> None:
        """Paint everything again."""
        self.refresh(layout=True)

    def copy_to_clipboard(self, text: str) -> None:
        """Through the terminal, also from inside tmux and screen."""
        self._clipboard = text
        if self._driver is not None and len(text) <= CLIPBOARD:
            self._driver.write(clipboard_sequence(text, os.environ))

    def action_next_theme(self) -> None:
        """The terminal's colours, dark, light, high contrast, and so on."""
        at = THEMES.index(self.theme) if self.theme in THEMES else -1
        self.theme = THEMES[(at + 1) % len(THEMES)]
        self.say(f"colours: {self.theme}")

    def _fatal_error(self) -> None:
        """End after a mistake of our own; Textual would print the values of all variables."""
        self.bell()
        segments = self.console.render(last_words(), self.console.options)
        self._exit_renderables.append(Segments(segments))
        self._close_messages_no_wait()
