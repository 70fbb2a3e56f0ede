"""What the function of a package that the program called says of itself: the first sentence of its
docstring and the one that says that it waits, as its code object has them.

It tells in the library's own words what the program waits for in there. Nothing of the program's
own is read so.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.packages.python import package_folder
from hangtui.model import PythonFrame, clean

_DEEP = 3
"""Functions of the package that are looked at: ``__enter__`` and the like only call another."""
_MOST, _LEAST = 140, 12
"""Characters of a sentence that is told, and of what is one."""
_MARKUP = re.compile(r"(?::[a-z:]{1,20}:)?`{1,2}~?([^`<]*)(?:<[^`]*)?`{1,2}_?")
"""Literals and references of reStructuredText and Markdown."""
_APART = re.compile(r"\n[ \t]*\n")
_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)[.!]\s+(?=[A-Z])")
_WAITS = re.compile(r"(?!See |NOTE|Note).*\b(?:blocks?|waits?|hangs?|until)\b", re.IGNORECASE)
_LISTS = re.compile(
    r"(?:Args|Arguments|Param(?:eter)?s|Returns?|Raises|Yields|Examples?|Notes?)\b ?[:-]"
)
"""How sections begin that are no prose (of Google's and numpy's style)."""


class Docs:
    """Documents the stacks of one interpreter."""

    def __init__(self, codes: CodeReader) -> None:
        self._codes = codes
        self._known: dict[int, str | None] = {}
        """By the address of the code."""

    def added(
        self, frames: Sequence[Frame], shown: tuple[PythonFrame, ...]
    ) -> tuple[PythonFrame, ...]:
        """*shown*, with the sentence in the frame of the function that was called, or of the first
        that this one called in the same package. *frames*: the same frames as they were read."""
        for index in _entered(frames):
            doc = self._doc(frames[index].code)
            if doc is not None:
                return (*shown[:index], replace(shown[index], doc=doc), *shown[index + 1 :])
        return shown

    def _doc(self, code: Code) -> str | None:
        if code.address not in self._known:
            text = self._codes.docstring(code)
            self._known[code.address] = in_short(text) if text else None
        return self._known[code.address]


def _entered(frames: Sequence[Frame]) -> list[int]:
    """Where the innermost of the program's own lines called a package, and what that called in
    itself, from there on inwards."""
    own = next((i for i, f in enumerate(frames) if not (f.in_library or f.installed)), 0)
    inside = [index for index in reversed(range(own)) if frames[index].installed]
    if not inside:
        return []
    package = package_folder(frames[inside[0]].code.filename)
    return [i for i in inside if package_folder(frames[i].code.filename) == package][:_DEEP]


def in_short(text: str) -> str | None:
    """The first sentence of a docstring, and the first one that says that it waits, without markup;
    None: it does not begin with words."""
    paragraphs = _APART.split(text.strip())
    found = _sentences(paragraphs[0])
    if not found:
        return None
    later = [one for paragraph in paragraphs[1:] for one in _sentences(paragraph)]
    waits = next((one for one in (*found, *later) if _WAITS.match(one)), found[0])
    told = [found[0]] if waits == found[0] else [found[0], waits]
    return " ... ".join(map(_cut, told))


def _sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph; none: it is no prose, but a list of parameters, an example."""
    plain = " ".join(_MARKUP.sub(r"\1", clean(paragraph)).split())
    if len(plain) < _LEAST or not plain[0].isalpha() or _LISTS.match(plain):
        return []
    return [one.rstrip(".: ") for one in _END.split(plain)]


def _cut(sentence: str) -> str:
    if len(sentence) <= _MOST:
        return sentence
    return f"{sentence[:_MOST].rpartition(' ')[0]} ..."
