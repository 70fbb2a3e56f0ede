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
    while that one does neither."""
    away = {thread.id for thread in missing if exchange(thread) is None}
    ranks = {place.rank: thread.id for thread in missing
             if (place := places_of(capture).get(thread.pid))}  # fmt: skip
    found = [
        (thread, operation)
        for thread in missing
        if (operation := exchange(thread)) and (thread.blocked or polls(thread))
        and ranks.get(_number(thread, capture)) in away
    ]  # fmt: skip
    return [one for one in found if one[1] == found[0][1]]


def crosses_messages(inside: Iterable[Inside], capture: Capture) -> bool:
    """Whether some of these ranks are in collective operations, and each of the others sends to one
    of those, or receives from it: who is in such an operation takes part in no message."""
    places, talking, joint = places_of(capture), list[Thread](), set[int]()
    for thread, _ in inside:
        place = places.get(thread.pid)
        if exchange(thread) is not None:
            talking.append(thread)
        elif place is not None:
            joint.add(place.rank)
    return bool(talking) and all(_number(thread, capture) in joint for thread in talking)


def _number(thread: Thread, capture: Capture) -> int:
    peer = peer_of(thread, capture)
    return -1 if peer is None else peer
