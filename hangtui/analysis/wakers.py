"""Who waits for one another where nobody holds what they wait for: everyone who could end such a
wait waits as well."""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from hangtui.analysis.cycles import components, together
from hangtui.analysis.edges import Edge, Relation
from hangtui.analysis.places import application_index, package_of
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.dataclass import dataclass
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    LoopState,
    Nearness,
    NodeId,
    NodeKind,
    PythonFrame,
    Task,
    Thread,
    largest_stuck,
    thread_id,
)

_PLAIN = (
    "/threading.py",
    "/queue.py",
    "/concurrent/futures/_base.py",
    "/concurrent/futures/thread.py",
    "/selectors.py",
)
"""Where the standard library waits without calling anybody back."""


SCHEDULERS = frozenset(
    {
        *("trio", "anyio", "outcome", "tornado", "gevent", "greenlet", "eventlet"),
        *("nest_asyncio", "twisted"),
    }
)
"""And packages that do so, whose events, locks and channels are the program's own."""
_ENDS = {"get": Complement.PUT, "put": Complement.GET, "join": Complement.TASK_DONE}
"""What ends a wait by a method of a queue."""
_OUTSIDE = frozenset({NodeKind.PIPE, NodeKind.FILE_LOCK, NodeKind.PROCESS, NodeKind.GIL})
"""What others take part in as well, or what says nothing of who is to do what."""


@dataclass(frozen=True, slots=True)
class WakerRing:
    """Threads and tasks of which each waits for what only others of them could end."""

    actors: tuple[NodeId, ...]
    waits: tuple[Edge, ...]
    """One of each, in the order of *actors*."""
    holds: tuple[Edge, ...]
    wakers: tuple[CouldWake, ...]
    """Who of them could end which wait."""


def comes_to_it(one: CouldWake) -> bool:
    """Whether a candidate is seen to be on its way to the call that ends the wait."""
    return one.nearness in (Nearness.IN, Nearness.AHEAD)


def leads_on(one: CouldWake) -> bool:
    """Whether a wait leads on to a candidate: it comes to the call that ends it, or it is a task
    that has the other end of a stream, which nobody uses who does not refer to it."""
    return comes_to_it(one) or (
        one.resource.kind is NodeKind.SOCKET and one.candidate.kind is NodeKind.TASK
    )


def ends(one: CouldWake, method: str | None) -> bool:
    """Whether it ends a wait by *method*: a put ends a get from a queue, but no join of it. What
    has such a method and is no queue is ended by something else."""
    others = one.complement not in _ENDS.values()
    return others or method not in _ENDS or one.complement is _ENDS[method]


def coming(graph: WaitGraph, resource: NodeId, method: str | None) -> tuple[CouldWake, ...]:
    """Who is on the way to end waits for *resource* by *method*, and does not wait as well."""
    return tuple(one for one in meant(graph, resource, method) if comes_to_it(one))


def meant(graph: WaitGraph, resource: NodeId, method: str | None) -> tuple[CouldWake, ...]:
    """They, and who has the other end of a stream. Not who waits behind that itself, for what it
    asked for, and would only call it off the next time."""
    wakers = [one for one in graph.wakers_of(resource) if leads_on(one) and ends(one, method)]
    if any(map(_calls_off, wakers)):
        behind = set(graph.behind_all((resource,)))
        wakers = [one for one in wakers if not (_calls_off(one) and one.candidate in behind)]
    # Thousands may wait for it.
    return tuple(
        one
        for one in wakers
        if all(wait.target != resource for wait in graph.waits_of(one.candidate))
    )


def _calls_off(one: CouldWake) -> bool:
    """Whether it comes to a call that ends a wait without what was waited for."""
    return (one.call or "").rpartition(".")[2] == "cancel"


def rings(capture: Capture, graph: WaitGraph) -> tuple[WakerRing, ...]:
    """All of them but those that need no could-wake edge, which are proven."""
    if not graph.could_wake:
        return ()
    ways = dict(_ways(capture, graph))
    stuck = largest_stuck(ways, together=together(graph.edges))
    found = []
    links = list(_links(stuck, graph))
    own = _in_own_code(capture) if links else frozenset()
    for members in components(links):
        ring = _ring(members, graph, own)
        if ring is not None:
            found.append(ring)
    return tuple(sorted(found, key=lambda ring: ring.actors[0]))


def _in_own_code(capture: Capture) -> AbstractSet[NodeId]:
    """Threads and tasks that have a line of the application on their stacks."""
    actors: tuple[Thread | Task, ...] = (*capture.threads(), *capture.tasks)
    return {one.id for one in actors if application_index(one.python_stack or ()) is not None}


def _ways(capture: Capture, graph: WaitGraph) -> Iterator[tuple[NodeId, list[NodeId]]]:
    """Of each that does not go on by itself: whatever could set it going."""
    known = {one.id for one in capture.resources if one.wakers_known}
    plain = _plain(capture, {one.candidate for one in graph.could_wake})
    methods = _methods(capture)
    targets: dict[NodeId, set[str | None]] = {}
    for actor, waits in _waiting(graph):
        for wait in waits:
            targets.setdefault(wait.target, set()).add(methods.get((actor, wait.target)))
        yield actor, [wait.target for wait in waits]
    for target, by in targets.items():
        if not target.kind.is_resource:
            continue
        holds = graph.holders_of(target)
        # Where some take from a queue and others wait for its end, it is not told whom one wakes.
        wakers = [w for w in graph.wakers_of(target) if all(ends(w, method) for method in by)]
        if wakers and target not in known:
            continue
        ways = [hold.target for hold in holds]
        # What it would call that on may be handed to it yet.
        ways += [w.candidate for w in wakers if leads_on(w) or w.call or w.candidate not in plain]
        if ways and all(hold.evidence.certainty is not Certainty.UNKNOWN for hold in holds):
            yield target, ways


def _methods(capture: Capture) -> dict[tuple[NodeId, NodeId], str | None]:
    """How each waits for what."""
    return {(one.waiter, one.target): one.method or one.operation for one in capture.waits}


def _waiting(graph: WaitGraph) -> Iterator[tuple[NodeId, list[Edge]]]:
    """Who stands still in waits that do not end by themselves."""
    waits: dict[NodeId, list[Edge]] = {}
    for edge in graph.edges:
        if edge.relation is Relation.WAITS_FOR:
            waits.setdefault(edge.source, []).append(edge)
    for actor, ones in waits.items():
        if all(one.stable and not one.expires and _inside(one, graph) for one in ones):
            yield actor, ones


def _inside(wait: Edge, graph: WaitGraph) -> bool:
    """Whether nobody outside of its process is known to have a part in a wait."""
    kind = wait.target.kind
    if kind is NodeKind.SOCKET and not graph.wakers_of(wait.target):
        return False
    return wait.target.pid == wait.source.pid and kind not in _OUTSIDE


def _plain(capture: Capture, asked: AbstractSet[NodeId]) -> AbstractSet[NodeId]:
    """The threads and tasks among *asked* whose innermost frame of the application waits or sleeps
    by itself, without anything between that calls the application back."""
    busy = {
        thread_id(one.pid, one.tid)
        for one in capture.event_loops
        if one.tid is not None and one.state is not LoopState.IDLE
    }
    stacks: Iterable[tuple[NodeId, tuple[PythonFrame, ...]]] = (
        *((one.id, one.python_stack or ()) for one in capture.threads() if one.id not in busy),
        *((one.id, one.python_stack or ()) for one in capture.tasks),
    )
    return {node for node, stack in stacks if node in asked and _waits_plainly(stack)}


def _waits_plainly(stack: tuple[PythonFrame, ...]) -> bool:
    index = application_index(stack)
    if index is None:
        return False
    return all(_is_plain(frame) for frame in stack[:index])


def _is_plain(frame: PythonFrame) -> bool:
    name = frame.filename
    return name.endswith(_PLAIN) or "/asyncio/" in name or package_of(frame) in SCHEDULERS


def _links(stuck: AbstractSet[NodeId], graph: WaitGraph) -> Iterator[Edge]:
    """The waits, holds and ways to a waking call among *stuck*."""
    yield from (edge for edge in graph.edges if edge.source in stuck and edge.target in stuck)
    for one in graph.could_wake:
        if leads_on(one) and one.resource in stuck and one.candidate in stuck:
            yield Edge(one.resource, one.candidate, Relation.HELD_BY, one.evidence)


def _ring(
    members: AbstractSet[NodeId], graph: WaitGraph, own: AbstractSet[NodeId]
) -> WakerRing | None:
    actors = sorted(node for node in members if not node.kind.is_resource)
    wakers = [
        one
        for node in sorted(members)
        for one in graph.wakers_of(node)
        if one.candidate in members and leads_on(one)
    ]
    doubtful = {node for pair in graph.cancelled for node in (pair.actor, pair.resource)}
    if not wakers or members & doubtful:
        return None
    if any(graph.cycle_of(actor) for actor in actors):
        return None
    waits = {
        actor: next(wait for wait in graph.waits_of(actor) if wait.target in members)
        for actor in actors
    }
    order = _in_order(actors, waits, graph, own)
    holds = [
        hold
        for node in sorted(members)
        for hold in graph.holders_of(node)
        if hold.target in members and node in {wait.target for wait in waits.values()}
    ]
    return WakerRing(tuple(order), tuple(waits[one] for one in order), tuple(holds), tuple(wakers))


def _in_order(
    actors: list[NodeId], waits: Mapping[NodeId, Edge], graph: WaitGraph, own: AbstractSet[NodeId]
) -> list[NodeId]:
    """From the application's own line on, where somebody waits for what nobody holds if there is a
    choice, along the ring. *own*: who stands in code of the application."""

    def later(one: NodeId) -> tuple[bool, bool]:
        return one not in own, not any(map(comes_to_it, graph.wakers_of(waits[one].target)))

    here = min(actors, key=later)
    order = [here]
    left = set(actors) - {here}
    while left:
        target = waits[order[-1]].target
        following = [hold.target for hold in graph.holders_of(target)]
        following += [one.candidate for one in graph.wakers_of(target) if leads_on(one)]
        following = [one for one in (target, *following) if one in left]
        order.append(following[0] if following else min(left))
        left.discard(order[-1])
    return order
