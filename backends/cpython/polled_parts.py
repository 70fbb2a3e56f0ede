"""What the condition of a loop is spelled from, and which parts of it tell nothing."""

from collections.abc import Iterator, Sequence

from hangtui.backends.cpython.code import Code
from hangtui.backends.cpython.wakers.mentions import Mention

_CLOCKS = frozenset({"time", "monotonic", "perf_counter", "now", "utcnow"})
"""Who looks at the clock gives up some time: that is not what it waits for."""
_TYPES = frozenset({"isinstance", "issubclass", "callable"})
"""What is asked of an object there tells nothing of what changes."""


def asks_type(mention: Mention) -> bool:
    """Whether it is what asks for the type of an object."""
    root = mention.receiver
    return root is not None and not mention.name and root.name in _TYPES


def is_clock(mention: Mention) -> bool:
    """Whether it is what tells the time."""
    root = mention.receiver
    return mention.name in _CLOCKS or (root is not None and not mention.name
                                       and root.name in _CLOCKS)  # fmt: skip


def texts(mentions: Sequence[Mention], code: Code) -> Iterator[tuple[str, Mention | None]]:
    """``job.done``, with what that is; ``self.is_ready()``, without what such a call is given."""
    called: set[int] = set()
    for one in mentions:
        if one.called >= one.until:
            yield one.text(code), one
        elif one.called not in called:
            called.add(one.called)
            yield f"{one.text(code)}()", None
