"""What loops that sleep look at in between, in words, and who would change that."""

from collections.abc import Sequence

from hangtui.findings.english import joined
from hangtui.findings.lookup import Lookup
from hangtui.model import NodeId, Polled


def polled_by(node: NodeId, words: Lookup) -> Polled | None:
    """What a thread or task looks at; None: it does not, or that is not known."""
    return next((one for one in words.capture.polled if one.waiter == node), None)


def looked_at(polled: Polled) -> str:
    """``job.done and self.closed``."""
    return joined(polled.looks_at)


def told_changers(polled: Polled, names: Sequence[str]) -> str:
    """`` Of what it looks at, the program changes some in Job.run (jobs.py:8), which nobody
    runs.``; *names*: of those whose code comes to it. Empty: nobody is known, and no code."""
    if names:
        places = joined(list(dict.fromkeys(one.place for one in polled.changers)))
        come = "comes" if len(names) == 1 else "come"
        return f" The program changes that in {places}, to which {joined(names)} {come}."
    if polled.written:
        return f" The program changes that in {joined(polled.written)}, which nobody runs."
    return ""


def ring(node: NodeId, words: Lookup) -> list[NodeId]:
    """Those that look, in turn for each other, at what only others of them come to change, the one
    *node* first; empty: somebody else may change it, or that is not known."""
    members = [node]
    for one in members:
        polled = polled_by(one, words)
        if polled is None or polled.written or not polled.changers:
            return []
        members += [c.actor for c in polled.changers if c.actor not in members]
    return members
