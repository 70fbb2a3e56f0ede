"""What can be typed: the arguments of ``hangtui`` and of its commands."""

import argparse
from typing import NoReturn

from hangtui.cli import arguments, help_texts
from hangtui.cli.common_arguments import add_capture_options, add_screen_options
from hangtui.model import UsageError
from hangtui.provider import NativeMode

COMMANDS = tuple(help_texts.SUMMARIES)


class Parser(argparse.ArgumentParser):
    """Reports what is wrong with the arguments as a `UsageError`."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing and exiting."""
        raise UsageError(message, f"{self.prog} --help")


def main_parser() -> Parser:
    """The arguments of ``hangtui`` without a command."""
    parser = _parser("hangtui", help_texts.MAIN, help_texts.MAIN_EXAMPLES)
    parser.usage = (
        f"hangtui [--children] [--native {'|'.join(NativeMode)}] [--ascii] [--theme NAME]\n"
        "               [--no-mouse] [--allow-console] [PID ...]\n"
        f"       hangtui {'|'.join(COMMANDS)} ..."
    )
    parser.add_argument("targets", metavar="PID", nargs="*", help="a process (default: all Python)")
    parser.add_argument("--version", action="store_true", help="say which hangtui this is")
    parser.add_argument("--json", action="store_true", help="say it as JSON: with --version")
    add_capture_options(parser)
    add_screen_options(parser)
    return parser


def command_parser(name: str) -> Parser:
    """The arguments of one of `COMMANDS`."""
    parser = _parser(f"hangtui {name}", *help_texts.COMMANDS[name])
    arguments.ARGUMENTS[name](parser)
    return parser


def _parser(prog: str, description: str, epilog: str) -> Parser:
    return Parser(
        prog=prog,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
