"""Results to standard output, messages to standard error, whatever has become of the two."""

import os
import shutil
import sys
from typing import TextIO

from hangtui.cli.help_texts import SUMMARIES
from hangtui.model import HangtuiError, InputError, UsageError, clean

EXIT_PIPE = 141
"""As the shell reports a program that SIGPIPE ended."""

_PIECE = 2**15
_NARROWEST, _WIDEST = 40, 120
_NEXT = {
    UsageError: "hangtui --help",
    InputError: "hangtui open --help   (which files can be read)",
}
_ELSE = "hangtui doctor   (what works here, and why the rest does not)"
"""What to type where an error does not say it itself."""


class OutputClosedError(Exception):
    """Whoever read standard output is gone: nothing is left to do, and nobody to tell."""


def write(text: str) -> None:
    """Write a result to standard output.

    Raises:
        OutputClosedError: its reader is gone.
        UsageError: it is closed, or full.
    """
    if sys.stdout is None:
        raise UsageError("standard output is closed", "-o FILE writes into a file")
    try:
        # What the output's encoding lacks is shown as an escape instead of ending the program.
        encoding = sys.stdout.encoding or "utf-8"
        shown = text.encode(encoding, "backslashreplace").decode(encoding)
        # In pieces: an unbuffered stream does not report that a long write ended in the middle.
        for start in range(0, len(shown), _PIECE):
            sys.stdout.write(shown[start : start + _PIECE])
        sys.stdout.flush()
    except OSError as error:
        raise _lost(error) from error


def say(message: str) -> None:
    """Write a message to standard error, if there is one."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{clean(message)}\n")
        sys.stderr.flush()
    except OSError:
        _discard(sys.stderr)


def counted(count: int, one: str, many: str) -> str:
    """``1 process``, ``2 processes``."""
    return f"{count} {one if count == 1 else many}"


def complain(error: HangtuiError) -> None:
    """Say what went wrong and what to do about it."""
    say(f"hangtui: {error.message}")
    fix = error.fix or _NEXT.get(type(error), _ELSE)
    if fix == _NEXT[UsageError] and sys.argv[1:2] and sys.argv[1] in SUMMARIES:
        fix = f"hangtui {sys.argv[1]} --help"
    say(f"  fix: {fix}")


def finish(code: int) -> int:
    """The exit code, after all is written: the interpreter would complain of a broken pipe."""
    if sys.stdout is None:
        return code
    try:
        sys.stdout.flush()
    except OSError as error:
        lost = _lost(error)
        if isinstance(lost, OutputClosedError):
            return EXIT_PIPE
        complain(lost)
        return 2
    return code


def columns() -> int | None:
    """How wide the terminal is that standard output goes to; None: it goes elsewhere."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    return max(_NARROWEST, min(shutil.get_terminal_size().columns, _WIDEST))


def unicode_output() -> bool:
    """Whether standard output can show more than ASCII."""
    return (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"


def _lost(error: OSError) -> OutputClosedError | UsageError:
    _discard(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return OutputClosedError()
    return UsageError(f"cannot write the result: {error.strerror or error}")


def _discard(stream: TextIO) -> None:
    """Send what *stream* still holds nowhere, so that no later flush fails on it."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
