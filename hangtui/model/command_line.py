"""What a process was started to run, as its command line tells it."""

import re
from collections.abc import Sequence

_INTERPRETER = re.compile(r"(python|pypy)[\d.]*[a-z]*")
_VALUED = {"-W", "-X", "--check-hash-based-pycs"}
"""Options of an interpreter whose value is the next word."""


def script_of(words: Sequence[str]) -> str | None:
    """The script or module that an interpreter was told to run, without its folder; None: it is
    none, or runs code of its command line, or a terminal's."""
    if not words or not _INTERPRETER.fullmatch(program_of(words[0])):
        return None
    rest = iter(words[1:])
    for word in rest:
        if word in _VALUED:
            next(rest, None)
        elif word == "-m":
            return next(rest, None)
        elif word == "-c" or not word:
            return None
        elif not word.startswith("-"):
            return word.rpartition("/")[2] or None
    return None


def program_of(word: str) -> str:
    """What the first word of a command line names: ``python3.11``."""
    return word.split(" ", maxsplit=1)[0].rstrip(":").rpartition("/")[2]
