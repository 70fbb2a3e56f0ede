"""Which other rank a rank waits for that sends or receives, by what its call was given."""

from collections.abc import Iterable, Sequence

from hangtui.findings.collectives import exchange, polls
from hangtui.findings.jobs import Inside
from hangtui.findings.roles import places_of
from hangtui.model import Capture, Thread

_SENDS = "send"


def peer_of(thread: Thread, capture: Capture) -> int | None:
    """The number of the rank that the message is for, or that it comes from; None: not known."""
    return next((one.peer for one in capture.exchanges if one.thread == thread.id), None)


def awaited(thread: Thread, capture: Capture) -> str:
    """``until rank 1 receives it``, ``for a message of rank 1``, of who sends or receives."""
    peer = peer_of(thread, capture)
    if peer is None:
        return "until another rank takes part"
    sends = _SENDS in (exchange(thread) or "").lower()
    return f"until rank {peer} receives it" if sends else f"for a message of rank {peer}"


def waits_alone(missing: Sequence[Thread], capture: Capture) -> list[Inside]:
    """Those of *missing*, all in one operation, that send to one of the others, or receive from it,
    while that one does neither. Whoever that is, if it is not known: all others of the job."""
    away = [thread for thread in missing if exchange(thread) is None]
    found = [
        (thread, operation)
        for thread in missing
        if (operation := exchange(thread)) and (thread.blocked or polls(thread))
        and _is_one_of(away, thread, capture)
    ]  # fmt: skip
    return [one for one in found if one[1] == found[0][1]]


def crosses_messages(inside: Iterable[Inside], capture: Capture) -> bool:
    """Whether some of these ranks are in collective operations, and each of the others sends to one
    of those, or receives from it: who is in such an operation takes part in no message."""
    talking, joint = list[Thread](), list[Thread]()
    for thread, _ in inside:
        (talking if exchange(thread) is not None else joint).append(thread)
    return bool(talking) and all(_is_one_of(joint, thread, capture) for thread in talking)


def _is_one_of(others: Sequence[Thread], thread: Thread, capture: Capture) -> bool:
    """Whether the rank that a message is for, or comes from, is among *others*."""
    places = places_of(capture)
    ranks = {place.rank for one in others if (place := places.get(one.pid))}
    peer, own = peer_of(thread, capture), places.get(thread.pid)
    if peer is not None:
        return peer in ranks
    return own is not None and own.size == len(ranks) + 1 and own.rank not in ranks
