"""Arguments that several commands have in common."""

import argparse

from hangtui.provider import NativeMode

THEMES = ("terminal", "dark", "light", "high-contrast")
"""As the screens have them."""


def add_choice(parser: argparse._ActionsContainer) -> None:
    """Which findings count."""
    for name, text in (("allow", "does not count"), ("only", "alone counts")):
        parser.add_argument(
            f"--{name}",
            metavar="ID",
            action="append",
            default=[],
            help=f"a finding with this id {text}; may be repeated",
        )


def add_parent(parser: argparse.ArgumentParser) -> None:
    """The process that started us."""
    parser.add_argument(
        "--parent", action="store_true", help="the Python process that started this command"
    )


def add_children(parser: argparse.ArgumentParser) -> None:
    """Descendants too."""
    parser.add_argument(
        "--children", action="store_true", help="also all processes that they started"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """For programs."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_sysroot(parser: argparse.ArgumentParser) -> None:
    """Of a core file."""
    parser.add_argument(
        "--sysroot",
        metavar="DIR",
        help="where the files of the core's machine are (default: here)",
    )


def add_screen_options(parser: argparse.ArgumentParser) -> None:
    """How the screens look, and what may be done from them."""
    parser.add_argument("--ascii", action="store_true", help="draw with plain characters only")
    parser.add_argument(
        "--theme",
        choices=THEMES,
        help="colours (default: $HANGTUI_THEME, else the terminal's own)",
    )
    parser.add_argument(
        "--no-mouse", action="store_true", help="leave the mouse to the terminal, for its selection"
    )
    add_console(parser)
    for name in ("--served", "--allow-stop"):  # what `hangtui serve` says to those that it starts
        parser.add_argument(name, action="store_true", help=argparse.SUPPRESS)


def add_console(parser: argparse.ArgumentParser) -> None:
    """What gdb's console may do."""
    parser.add_argument(
        "--allow-console",
        action="store_true",
        help="let gdb's console (P) do anything: a shell as you, which can change the process, and"
        " not only look",
    )


def add_capture_options(parser: argparse.ArgumentParser) -> None:
    """How processes are read."""
    add_children(parser)
    add_native(parser)


def add_native(parser: argparse.ArgumentParser) -> None:
    """How native stacks are read."""
    parser.add_argument(
        "--native",
        choices=[mode.value for mode in NativeMode],
        default=NativeMode.AUTO.value,
        help="native stacks: auto reads them from memory and stops nothing; stop holds threads "
        "that run for about a millisecond; gdb copies all threads, which stops them for some "
        "milliseconds, and adds source lines and inlined functions; none",
    )
