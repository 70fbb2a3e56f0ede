"""The man page, from the parsers: what ``--help`` says of ``hangtui`` and of each command, as one.

argparse-manpage joins the lines of lists and leaves out examples and exit status; so this is ours.
"""

import argparse
import re
from collections.abc import Iterator

from hangtui import __version__
from hangtui.cli import help_texts, parsers

_SPECIAL = re.compile(r"^([.'])")
_TITLE = "shows why a Python process hangs or crashed"
_SEE_ALSO = "py-spy(1), gdb(1), strace(1), ps(1)"


def to_troff() -> str:
    """The page, in the macros of man(7)."""
    parser = parsers.main_parser()
    lines = [
        f'.TH HANGTUI 1 "" "hangtui {__version__}" "User Commands"',
        *(".SH NAME", f"hangtui \\- {_TITLE}"),
        ".SH SYNOPSIS",
        *_synopsis(),
        ".SH DESCRIPTION",
        *_text(parser.description or ""),
        ".SH OPTIONS",
        *_options(parser),
        ".SH COMMANDS",
    ]
    for name, (given, _) in help_texts.SUMMARIES.items():
        command = parsers.command_parser(name)
        lines += [f'.SS "hangtui {_plain(f"{name} {given}")}"']
        lines += [*_text(command.description or ""), *_options(command)]
        lines += _text(command.epilog or "")
    lines += [".SH EXAMPLES", *_text((parser.epilog or "").removeprefix("examples:\n"))]
    lines += [".SH SEE ALSO", _SEE_ALSO]
    return "\n".join(lines) + "\n"


def _synopsis() -> Iterator[str]:
    yield r".B hangtui"
    yield r"[\fIOPTION\fR...] [\fIPID\fR|\fINAME\fR...]"
    for name, (given, _) in help_texts.SUMMARIES.items():
        yield ".br"
        yield f".B hangtui {name}"
        yield _plain(given)


def _text(text: str) -> Iterator[str]:
    """Paragraphs; indented lines stay as they are."""
    verbatim = False
    for line in text.strip("\n").splitlines():
        indented = line.startswith(" ")
        if indented != verbatim:
            yield ".EX" if indented else ".EE"
            verbatim = indented
        if line.strip():
            # "exit status:" begins anew, whatever stands before it
            yield from ((".PP",) if line.startswith(("exit status", "examples")) else ())
            yield _plain(line)
        else:
            yield "" if verbatim else ".PP"
    if verbatim:
        yield ".EE"


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:  # noqa: SLF001  argparse has no other way to them
        if action.help == argparse.SUPPRESS or not (action.option_strings or action.help):
            continue
        value = "" if action.nargs == 0 else f" \\fI{_plain(_value(action))}\\fR"
        names = ", ".join(f"\\fB{_plain(word)}\\fR{value}" for word in action.option_strings)
        yield ".TP"
        yield names or value.strip()
        yield _plain((action.help or "").replace("%%", "%"))


def _value(action: argparse.Action) -> str:
    if action.metavar is None and action.choices is not None:
        return "|".join(map(str, action.choices))
    return str(action.metavar or action.dest.upper())


def _plain(text: str) -> str:
    """Text in which nothing is a command of troff, and hyphens can be copied."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return _SPECIAL.sub(r"\\&\1", escaped)
