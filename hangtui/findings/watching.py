"""Which connections a thread watches at once, in words."""

from hangtui.findings.english import counted, either
from hangtui.findings.words import Words
from hangtui.model import NodeId

_TOLD = 2


def watching(thread: NodeId, words: Words) -> str:
    """`` for what comes over the TCP connection to 10.0.0.1:80``, of one that waits for any of
    several; empty: it watches none that is known."""
    seen = (f"the {one.name}" for one in words.capture.watched if one.thread == thread)
    names = list(dict.fromkeys(seen))
    if not names:
        return ""
    more = len(names) - _TOLD
    told = [*names[:_TOLD], *([f"{counted(more, 'other one')}"] if more > 0 else [])]
    return f" for what comes over {either(told)}"
