"""What the condition of a loop is spelled from, and which parts of it tell nothing."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hangtui.backends.cpython.bytecode import Expression, Root
from hangtui.backends.cpython.code import Code
from hangtui.backends.cpython.wakers.mentions import Mention

_CLOCKS = frozenset({"time", "monotonic", "perf_counter", "now", "utcnow"})
"""Who looks at the clock gives up some time: that is not what it waits for."""
_COUNTS, _ITERTOOLS = frozenset({"count", "cycle", "range", "repeat"}), "itertools"
"""What a ``for`` goes over whose turns nobody else brings."""
_TYPES = frozenset({"isinstance", "issubclass", "callable"})
"""What is asked of an object there tells nothing of what changes."""


_CONVERTS = frozenset("int float bool str len abs round min max sum any all".split())
"""What is called with what is looked at, to compare that."""


_SPELLS = frozenset({"join", "format", "fspath", "abspath", "expanduser", "encode", "decode"})
"""What only makes a name of what it is given, for the function that is called with that."""


class Change(NamedTuple):
    """Code that changes something that a loop looks at."""

    code: int
    start: int
    """Of the instruction."""
    place: str


def asks_type(mention: Mention) -> bool:
    """Whether it is what asks for the type of an object."""
    root = mention.receiver
    return root is not None and not mention.name and root.name in _TYPES


def is_clock(mention: Mention) -> bool:
    """Whether it is what tells the time."""
    root = mention.receiver
    return mention.name in _CLOCKS or (root is not None and not mention.name
                                       and root.name in _CLOCKS)  # fmt: skip


def counts_turns(mention: Mention) -> bool:
    """Whether it is what only counts the turns of the loop: ``itertools.count()``."""
    root = mention.receiver
    if root is None or root.root is not Root.GLOBAL or root.attributes:
        return False
    return root.name == _ITERTOOLS or (not mention.name and root.name in _COUNTS)


def texts(mentions: Sequence[Mention], code: Code) -> Iterator[tuple[str, Mention | None]]:
    """``job.done``, with what that is; ``self.is_ready()``, without what such a call is given;
    ``version`` for ``int(version[0])``."""
    called: dict[int, Mention] = {}
    for one in mentions:
        if one.called >= one.until or _converts(called.get(one.called)):
            yield one.text(code), one
        elif one.called not in called:
            called[one.called] = one
            if not _converts(one) and not _spells(one, mentions):
                yield f"{one.text(code)}()", None


def _converts(mention: Mention | None) -> bool:
    """Whether it is a builtin function that is called with what is looked at."""
    root = mention.receiver if mention is not None and not mention.name else None
    return root is not None and root.root is Root.GLOBAL and root.name in _CONVERTS


def variable_of(mention: Mention) -> Expression | None:
    """The local variable that is mentioned, and nothing of it."""
    root = mention.receiver
    plain = root is not None and root.root is Root.LOCAL and not root.attributes
    return root if plain and not mention.name else None


def _spells(one: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether it makes a name of something, as an argument of another call."""
    return one.name in _SPELLS and any(
        other.start < one.start and one.called < other.called < other.until for other in mentions
    )
