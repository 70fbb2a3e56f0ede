"""What tells a ring of could-wake edges that is a deadlock from one in which a program may rest."""

from collections.abc import Mapping

from hangtui.analysis.wakers import WakerRing
from hangtui.model import Complement, Nearness, NodeId, NodeKind


def is_hard(ring: WakerRing, methods: Mapping[NodeId, str | None]) -> bool:
    """Whether it is more than a rest: somebody in it has a lock that another one of them wants, or
    waits for room or for the others to arrive, or all of them want locks and semaphores, as nobody
    does who rests. *methods*: by actor, how it waits."""
    turns = (NodeKind.LOCK, NodeKind.SEMAPHORE)
    if len(ring.actors) > 1 and all(wait.target.kind in turns for wait in ring.waits):
        return True
    return bool(ring.holds) or any(
        wait.target.kind is NodeKind.BARRIER
        or (wait.target.kind is NodeKind.QUEUE and methods.get(wait.source) in ("put", "join"))
        or (wait.target.kind is NodeKind.SOCKET and methods.get(wait.source) == "send")
        for wait in ring.waits
    )


def waits_for_itself(ring: WakerRing) -> bool:
    """Whether a thread waits for an event that it sets itself, further out on its stack."""
    return len(ring.actors) == 1 and any(one.complement is Complement.SET for one in ring.wakers)


def waits_for_its_result(ring: WakerRing) -> bool:
    """Whether it waits for the result of a future that it is to set itself, afterwards; or for the
    answer in a channel of its own into which it is to put that."""
    answers = (Complement.SET_RESULT, Complement.PUT)
    return len(ring.actors) == 1 and any(one.complement in answers for one in ring.wakers)


def is_rest(ring: WakerRing, methods: Mapping[NodeId, str | None]) -> bool:
    """Whether all of them wait for work, or for the end of one who does: a program may rest so."""
    return all(
        wait.target.kind is NodeKind.THREAD
        or (wait.target.kind is NodeKind.QUEUE and methods.get(wait.source) == "get")
        for wait in ring.waits
    )


def over_streams(ring: WakerRing) -> bool:
    """Whether somebody in it waits at a connection that they have both ends of."""
    return any(wait.target.kind is NodeKind.SOCKET for wait in ring.waits)


def joins_first(ring: WakerRing) -> bool:
    """Whether somebody waits for the end of a thread that itself waits, not for work, for what the
    first one is to do afterwards."""
    joined = {wait.target for wait in ring.waits if wait.target.kind is NodeKind.THREAD}
    kinds = {wait.target.kind for wait in ring.waits}
    return bool(joined) and NodeKind.QUEUE not in kinds


def awaits_first(ring: WakerRing) -> bool:
    """The same of tasks: one awaits the end of another, which waits for what comes after that."""
    units = (NodeKind.TASK, NodeKind.GREENLET)
    return any(wait.target.kind in units for wait in ring.waits)


def sets_afterwards(ring: WakerRing) -> bool:
    """Whether somebody waits for another one to end or to begin, and comes only behind that, as its
    code goes on, to what sets an event that the ring waits for."""
    units = (NodeKind.THREAD, NodeKind.TASK, NodeKind.GREENLET)
    first = {wait.source for wait in ring.waits if wait.target.kind in units}
    return any(
        one.candidate in first
        and one.complement is Complement.SET
        and one.nearness is Nearness.AHEAD
        for one in ring.wakers
    )
