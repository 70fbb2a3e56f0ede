"""Whose waits were others from look to look, although they stood on the same line: the next answer
of an actor, the next batch of a loader; and whose were surely the same."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from zlib import crc32

from hangtui.model import Capture, NodeId, NodeKind

_COMES_ONCE = frozenset({NodeKind.ACTOR, NodeKind.CALL})
"""What gives an answer once: who waits for the same one has waited on. A loader's batches begin
anew in each epoch."""


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


def looks_in_one_turn(captures: Sequence[Capture]) -> Mapping[NodeId, int]:
    """In how many of *captures* threads waited for one and the same answer, in each from its first
    reading to its last; or to join one and the same group."""
    found: Counter[tuple[NodeId, frozenset[int]]] = Counter()
    for capture in captures:
        lasting = {wait.waiter for wait in capture.waits
                   if wait.lasting and wait.target.kind in _COMES_ONCE}  # fmt: skip
        found.update(turn for turn in _turns(capture) if turn[0] in lasting)
        found.update((one.thread, frozenset([crc32(f"{one.call} {one.store} {one.rank}".encode())]))
                     for one in capture.joinings if one.here and one.store)  # fmt: skip
    return {waiter: count for (waiter, _), count in found.items()}
