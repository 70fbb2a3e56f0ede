"""Which connections a thread watches at once, in words."""

from collections.abc import Mapping, Sequence

from hangtui.analysis.latest import of_latest
from hangtui.findings.english import counted, either
from hangtui.findings.words import Words
from hangtui.model import Capture, NodeId

_TOLD = 2


def watching(thread: NodeId, words: Words) -> str:
    """`` for what comes over the TCP connection to 10.0.0.1:80``, of one that waits for any of
    several; empty: it watches none that is known."""
    names = _by_thread(words.capture).get(thread, ())
    if not names:
        return ""
    more = len(names) - _TOLD
    told = [*names[:_TOLD], *([f"{counted(more, 'other one')}"] if more > 0 else [])]
    return f" for what comes over {either(told)}"


@of_latest
def _by_thread(capture: Capture) -> Mapping[NodeId, Sequence[str]]:
    found: dict[NodeId, list[str]] = {}
    for one in capture.watched:
        names = found.setdefault(one.thread, [])
        if (name := f"the {one.name}") not in names:
            names.append(name)
    return found
