"""Signs, colours and attributes: everything that says how a fact looks."""

from collections.abc import Mapping

from rich.cells import cell_len
from rich.segment import Segment
from rich.terminal_theme import TerminalTheme
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

from hangtui.analysis.states import ThreadState
from hangtui.analysis.strips import Sight
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, Severity

CURSOR = "▌"
CURRENT = "▶"
SHARES = "┆"
ABSENT = "·"
RESOURCE = "■"
THREAD = "●"
BEHIND = "◀╴"
EVAL = "◀──"
DOWN = "▼"
UP = "▲"
DIVIDER = "│"
OPEN = "▾"
FOLDED = "▸"
SHARE = "█"
ARROW = "→"
STOOD, RAN, NOT_COUNTED = "▁", "█", "·"
"""What a thread did between two captures."""
LEVELS = "▁▂▃▄▅▆▇█"
"""The bars of a sparkline."""

_ASCII = str.maketrans(
    {
        "▌": "|", "▶": ">", "┆": ":", "┇": ":", "·": ".", "■": "#", "●": "o",
        "◀": "<", "╴": "-", "─": "-", "━": "-", "│": "|", "┃": "|", "▼": "v", "▲": "^",
        "┏": "+", "┗": "+", "┛": "+", "┓": "+", "└": "`", "├": "|", "┬": "+", "┴": "+",
        "┼": "+", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "…": "~", "≥": ">", "×": "x",
        "▸": ">", "▾": "v", "↺": "@", "–": "-", "—": "-", "’": "'", "\ufffd": "?",
        "→": ">", "←": "<", "½": "/", "▁": "_", "▔": "-", "▂": "#", "▃": "#", "▄": "#",
        "▅": "#", "▆": "#", "▇": "#", "█": "#", "▊": "|", "▎": "|", "▏": "|", "▕": "|", "▐": "|",
    }
)  # fmt: skip
"""Each sign and the ASCII character in its place; all are one cell wide."""


def to_ascii(text: str) -> str:
    """*text* in ASCII, as wide as before."""
    if text.isascii():
        return text
    swapped = text.translate(_ASCII)
    return "".join(char if char.isascii() else "?" * cell_len(char) for char in swapped)


class AsciiFilter(LineFilter):
    """Lets nothing but ASCII out, whichever widget made it: also frames, scroll bars, toasts."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        """The segments in ASCII."""
        return [Segment(to_ascii(text), style, control) for text, style, control in segments]


NOT_READ = " ? NOT READ "
"""What stands where otherwise it would be said how things are."""
SIGHT_SIGNS: Mapping[Sight, str] = {
    Sight.STOOD: STOOD, Sight.RAN: RAN, Sight.UNKNOWN: NOT_COUNTED
}  # fmt: skip
STATE_STYLES: Mapping[ThreadState, str] = {
    ThreadState.CRASH: "bold reverse red",
    ThreadState.DEADLOCK: "bold reverse red",
    ThreadState.LOCK: "bold red",
    ThreadState.GIL: "bold magenta",
    ThreadState.WAIT: "yellow",
    ThreadState.DISK: "bold cyan",
    ThreadState.IO: "blue",
    ThreadState.NATIVE: "green",
    ThreadState.GC: "green",
    ThreadState.RUN: "bold green",
    ThreadState.STOPPED: "reverse yellow",
    ThreadState.SLEEP: "dim",
    ThreadState.ZOMBIE: "dim",
    ThreadState.UNKNOWN: "italic yellow",
}

CERTAINTY_STYLES: Mapping[Certainty, str] = {
    Certainty.CERTAIN: "bold",
    Certainty.PROVEN: "bold",
    Certainty.INFERRED: "italic yellow",
    Certainty.UNKNOWN: "dim",
}

SEVERITY_SIGNS: Mapping[Severity, str] = {
    Severity.ERROR: "X",
    Severity.WARNING: "!",
    Severity.NOTE: "i",
}

SEVERITY_STYLES: Mapping[Severity, str] = {
    Severity.ERROR: "bold reverse red",
    Severity.WARNING: "bold yellow",
    Severity.NOTE: "bold blue",
}

MUTED = "dim"
HEADING = "bold"
KEY = "bold"
STOPPED = "bold reverse red"
ACTIVE_TAB = "bold reverse"
CYCLE = "bold red"


# The sixteen colours where the theme wants true ones. Textual's own have one red for both red and
# magenta, which here are a lock and the GIL.
ON_DARK = TerminalTheme(
    (18, 18, 18),
    (222, 222, 222),
    [
        (60, 60, 60), (240, 98, 98), (126, 200, 120), (229, 192, 90),
        (112, 166, 245), (209, 136, 232), (86, 200, 209), (208, 208, 208),
    ],
)  # fmt: skip
ON_LIGHT = TerminalTheme(
    (250, 250, 250),
    (30, 30, 30),
    [
        (30, 30, 30), (190, 25, 35), (20, 120, 45), (140, 95, 0),
        (25, 85, 190), (135, 45, 165), (0, 115, 130), (110, 110, 110),
    ],
)  # fmt: skip


HIGH_CONTRAST = Theme(
    name="high-contrast",
    primary="#ffff00",
    secondary="#00ffff",
    warning="#ffff00",
    error="#ff6060",
    success="#00ff00",
    accent="#00ffff",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#000000",
    dark=True,
    variables={"border": "#ffffff", "border-blurred": "#ffffff", "primary-muted": "#404000"},
)
NAMES = {
    "terminal": "ansi-dark",
    "dark": "textual-dark",
    "light": "textual-light",
    "high-contrast": HIGH_CONTRAST.name,
}
"""What the command line calls the themes, and what Textual does."""
THEMES = tuple(NAMES.values())


@dataclass(frozen=True, slots=True)
class Colours:
    """How this terminal is to be coloured."""

    theme: str
    ansi: bool | None
    """True: the terminal's own sixteen colours, also where the theme would want others."""
    still: bool
    """Without animation and smooth scrolling: each frame travels over a slow line."""


def choose_colours(environ: Mapping[str, str], wanted: str | None = None) -> Colours:
    """What the command line or else the environment asks for.

    To be called before `App.__init__`, which hides NO_COLOR.
    """
    remote = any(environ.get(name) for name in ("SSH_TTY", "SSH_CONNECTION", "TMUX", "STY"))
    if wanted:
        return Colours(NAMES.get(wanted, wanted), ansi=None, still=remote)
    if "NO_COLOR" in environ:
        # Only with native colours does Textual leave all colour sequences out.
        return Colours("ansi-dark", ansi=True, still=remote)
    if theme := environ.get("HANGTUI_THEME") or environ.get("TEXTUAL_THEME"):
        return Colours(NAMES.get(theme, theme), ansi=None, still=remote)
    # The terminal's own colours: right on a light background too, and half the bytes.
    return Colours(THEMES[0], ansi=None, still=remote)
