"""Command lines that are one text, taken apart as a shell does and put together again."""

import re
from collections.abc import Callable

_PIECE = re.compile(
    r"""(?P<space>\s++)|(?P<operator>[;|&()<>]++)"""
    r"""|(?:[^\s;|&()<>"'\\]++|\\.?+|"(?:[^"\\]|\\.)*+(?:"|\\?+\Z)|'[^']*+'?+)++""",
    re.DOTALL,
)
_PART = re.compile(
    r"""\\(?P<one>.)|"(?P<double>(?:[^"\\]|\\.)*+)"?+|'(?P<single>[^']*+)'?+""", re.DOTALL
)
_ESCAPED = re.compile(r"""\\(["\\$`])""")


def each_word(text: str, reader: Callable[[], Callable[[str], str]]) -> str:
    """*text* with each of its words as the reader of their command shows them.

    *reader* makes one for each command; a word that it does not change stays as it was written.
    """
    shown = reader()
    pieces = []
    for found in _PIECE.finditer(text):
        piece = found[0]
        if found["operator"]:
            shown = reader()
        elif not found["space"]:
            word = _unquoted(piece)
            masked = shown(word)
            piece = piece if masked == word else _quoted_like(piece, masked)
        pieces.append(piece)
    return "".join(pieces)


def _unquoted(piece: str) -> str:
    if {'"', "'", "\\"}.isdisjoint(piece):
        return piece
    return _PART.sub(_plain, piece)


def _plain(part: re.Match[str]) -> str:
    if part["double"] is not None:
        return _ESCAPED.sub(r"\1", part["double"])
    return part["single"] if part["single"] is not None else part["one"]


def _quoted_like(piece: str, masked: str) -> str:
    quote = piece[0]
    return f"{quote}{masked}{quote}" if quote in "\"'" and quote == piece[-1] else masked
