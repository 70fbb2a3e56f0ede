"""Whose waits were others from look to look, although they stood on the same line: the next answer
of an actor, the next batch of a loader."""

from collections.abc import Iterator, Sequence

from hangtui.model import Capture, NodeId


def threads_that_took_turns(captures: Sequence[Capture]) -> set[NodeId]:
    """Those of the last of *captures* whose waits are known to have ended in between, since others
    followed them."""
    turns: dict[NodeId, set[frozenset[int]]] = {}
    for capture in captures:
        for waiter, known in _turns(capture):
            turns.setdefault(waiter, set()).add(known)
    return {thread.id for thread in captures[-1].threads() if len(turns.get(thread.id, ())) > 1}


def _turns(capture: Capture) -> Iterator[tuple[NodeId, frozenset[int]]]:
    found: dict[NodeId, set[int]] = {}
    for wait in capture.waits:
        if wait.turn is not None:
            found.setdefault(wait.waiter, set()).add(wait.turn)
    for waiter, known in found.items():
        yield waiter, frozenset(known)
