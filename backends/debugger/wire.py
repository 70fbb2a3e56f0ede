"""Questions and answers between the screens and the debugger's process, as JSON with a length."""

import struct
from typing import Any

import msgspec

from hangtui.powers import USUAL, Powers

LENGTH = struct.Struct(">I")
MAX_MESSAGE = 64 << 20
"""Bytes; a longer one is a mistake."""


class Question(msgspec.Struct):
    """A method of the sitting and its arguments; *number* 0: nobody waits for an answer."""

    number: int
    method: str
    arguments: list[Any] = []
    """As ``msgspec.to_builtins`` gives them."""


class Reply(msgspec.Struct):
    """The answer to a question, or news that nobody asked for (*number* 0)."""

    number: int
    value: msgspec.Raw = msgspec.Raw(b"null")
    error: str | None = None
    fix: str | None = None
    about: str = ""


class Opening(msgspec.Struct):
    """What the debugger's process is to look at."""

    pid: int
    core: str | None
    root: str
    """Where the files of a core's machine lie; empty: here."""
    names: dict[int, str]
    powers: Powers = USUAL


def pack(message: Question | Reply | Opening) -> bytes:
    """A message with its length before it."""
    body = msgspec.json.encode(message)
    return LENGTH.pack(len(body)) + body
