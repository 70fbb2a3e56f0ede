"""The wait-for graph of a capture, and the cycles in it that nobody can leave."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property

from hangtui.analysis.contradictions import Contradiction, contradictions
from hangtui.analysis.cycles import Cycle, cycles_of, grouped
from hangtui.analysis.edges import Edge, Node, Relation
from hangtui.analysis.nodes import nodes_of
from hangtui.analysis.stillness import stillness_of
from hangtui.dataclass import dataclass
from hangtui.model import (
    Capture,
    Certainty,
    CouldWake,
    Evidence,
    LoopState,
    Nearness,
    NodeId,
    Source,
    thread_id,
)

__all__ = ["Cycle", "Edge", "Node", "Relation", "WaitGraph", "build"]

_CARRIED = "only this thread runs its event loop"
_MOST_BEHIND = 200_000
"""How many may wait behind others, all cycles and findings of a capture together."""


@dataclass(slots=True)
class _Walks:
    """Who waits behind which nodes, as far as that was asked."""

    found: dict[tuple[NodeId, ...], tuple[NodeId, ...]] = field(default_factory=dict)
    steps: int = 0


@dataclass(frozen=True, eq=False)
class WaitGraph:
    """Who waits for whom."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    cycles: tuple[Cycle, ...] = ()
    crashed: NodeId | None = None
    """Node id of the thread that the capture's crash came to."""
    cancelled: tuple[Contradiction, ...] = ()
    """Pairs of facts that exclude each other: neither is among the edges."""
    could_wake: tuple[CouldWake, ...] = ()
    """Who could end waits for what nobody holds. They are no edges: no cycle leads over them."""
    afterwards: tuple[CouldWake, ...] = ()
    """Who comes to what would end its own wait only once that is over."""

    @cached_property
    def _walks(self) -> "_Walks":
        return _Walks()

    @cached_property
    def _by_id(self) -> Mapping[str, Node]:
        return {node.id: node for node in self.nodes}

    @cached_property
    def _cycle_by_member(self) -> Mapping[str, Cycle]:
        return {node_id: cycle for cycle in self.cycles for node_id in cycle.nodes}

    @cached_property
    def _waits(self) -> Mapping[str, tuple[Edge, ...]]:
        waits = (edge for edge in self.edges if edge.relation is Relation.WAITS_FOR)
        return grouped((edge.source, edge) for edge in waits)

    @cached_property
    def _waiters(self) -> Mapping[str, tuple[Edge, ...]]:
        waits = (edge for edge in self.edges if edge.relation is Relation.WAITS_FOR)
        return grouped((edge.target, edge) for edge in waits)

    @cached_property
    def _holders(self) -> Mapping[str, tuple[Edge, ...]]:
        holds = (edge for edge in self.edges if edge.relation is Relation.HELD_BY)
        return grouped((edge.source, edge) for edge in holds)

    @cached_property
    def _held(self) -> Mapping[str, tuple[Edge, ...]]:
        holds = (edge for edge in self.edges if edge.relation is Relation.HELD_BY)
        return grouped((edge.target, edge) for edge in holds)

    @cached_property
    def _wakers(self) -> Mapping[str, tuple[CouldWake, ...]]:
        found: dict[str, list[CouldWake]] = {}
        for one in self.could_wake:
            found.setdefault(one.resource, []).append(one)
        return {resource: tuple(ones) for resource, ones in found.items()}

    @cached_property
    def _awaited_of(self) -> Mapping[str, tuple[Edge, ...]]:
        """The waits that only one thread or task could end, by that one."""
        sole: dict[str, tuple[Edge, ...]] = {}
        for resource, ones in self._wakers.items():
            near = {one.candidate for one in ones if one.nearness is not Nearness.REFERS}
            near -= {wait.source for wait in self.waiters_of(resource)}
            if len(near) == 1 and not self.holders_of(resource):
                candidate = near.pop()
                sole[candidate] = (*sole.get(candidate, ()), *self.waiters_of(resource))
        return sole

    @cached_property
    def _in(self) -> Mapping[str, tuple[Edge, ...]]:
        return grouped((edge.target, edge) for edge in self.edges)

    def node(self, node_id: str) -> Node | None:
        """The node with this id."""
        return self._by_id.get(node_id)

    def label(self, node_id: str) -> str:
        """What people call the node with this id."""
        node = self.node(node_id)
        return node.label if node else node_id

    def comes_afterwards(self, actor: str, resource: str) -> bool:
        """Whether *actor* comes to what would end its wait for *resource* once that is over."""
        return self.afterwards_of(actor, resource) is not None

    def afterwards_of(self, actor: str, resource: str) -> CouldWake | None:
        """How *actor* comes to what would end its wait for *resource* once that is over."""
        those = (one for one in self.afterwards if one.candidate == actor)
        return next((one for one in those if one.resource == resource), None)

    def wait_of(self, thread: str) -> Edge | None:
        """What a thread waits for; the best known one if it waits for several."""
        waits = self.waits_of(thread)
        if len(waits) == 1:
            return waits[0]
        return min(waits, key=lambda edge: edge.evidence.certainty.rank, default=None)

    def waits_of(self, thread: str) -> tuple[Edge, ...]:
        """Everything a thread waits for; any one of them can wake it, but for waits together."""
        return self._waits.get(thread, ())

    def waiters_of(self, node_id: str) -> tuple[Edge, ...]:
        """The waits for a resource, a thread or a process."""
        return self._waiters.get(node_id, ())

    def holders_of(self, resource: str) -> tuple[Edge, ...]:
        """The holds of a resource."""
        return self._holders.get(resource, ())

    def wakers_of(self, resource: str) -> tuple[CouldWake, ...]:
        """Who could end a wait for a resource that nobody holds."""
        return self._wakers.get(resource, ())

    def held_by(self, thread: str) -> tuple[Edge, ...]:
        """The holds of a thread."""
        return self._held.get(thread, ())

    def behind(self, cycle: Cycle) -> tuple[NodeId, ...]:
        """Who waits for a member of *cycle*: threads and tasks, nearest first, without members."""
        return self.behind_all(cycle.nodes)

    def behind_all(self, nodes: Iterable[NodeId]) -> tuple[NodeId, ...]:
        """Who waits for one of *nodes*, nearest first, without these.

        Nobody, once `_MOST_BEHIND` were found behind others: a capture can be made up so that
        everybody waits behind each of thousands.
        """
        members = tuple(dict.fromkeys(nodes))
        walks = self._walks
        if members not in walks.found:
            enough = walks.steps > _MOST_BEHIND
            walks.found[members] = () if enough else tuple(self._reach_back(members))
            walks.steps += len(walks.found[members])
        return walks.found[members]

    def cycle_of(self, node_id: str) -> Cycle | None:
        """The cycle that this node is a member of."""
        return self._cycle_by_member.get(node_id)

    def _reach_back(self, members: tuple[NodeId, ...]) -> Iterator[NodeId]:
        seen = set(members)
        queue = list(members)
        late: dict[str, list[Edge]] = {}
        for node_id in queue:
            into = (*self._in.get(node_id, ()), *self._awaited_of.get(node_id, ()))
            for edge in (*into, *late.pop(node_id, ())):
                if edge.source in seen or not edge.stable:
                    continue
                if edge.answering and node_id not in members and seen.isdisjoint(edge.answering):
                    for one in edge.answering:  # of many that could, these are known to
                        late.setdefault(one, []).append(edge)
                    continue
                seen.add(edge.source)
                queue.append(edge.source)
                if edge.relation is Relation.WAITS_FOR:
                    yield edge.source


def build(capture: Capture) -> WaitGraph:
    """The wait-for graph of *capture* with its cycles."""
    still = stillness_of(capture)
    partial = frozenset(process.pid for process in capture.processes if process.incomplete)
    all_edges = tuple(_edges(capture, still, partial))
    cancelled = tuple(contradictions(all_edges))
    void = {edge for pair in cancelled for edge in (pair.wait, pair.hold)}
    edges = tuple(edge for edge in all_edges if edge not in void) if void else all_edges
    crash = capture.crash
    crashed = thread_id(crash.pid, crash.tid) if crash and crash.tid is not None else None
    # What has lost a holder or a wait is not in the hands of those that are left.
    doubtful = {node for pair in cancelled for node in (pair.actor, pair.resource)}
    nodes = tuple(nodes_of(capture, edges))
    cycles = tuple(cycles_of(edges, still, doubtful, _carriers(capture)))
    could = [one for one in capture.could_wake if one.nearness is not Nearness.AFTER]
    after = [one for one in capture.could_wake if one.nearness is Nearness.AFTER]
    return WaitGraph(nodes, edges, cycles, crashed, cancelled, tuple(could), tuple(after))


def _carriers(capture: Capture) -> Mapping[NodeId, Edge]:
    """That tasks need the thread which runs their event loop, where that does something else."""
    loops = {(one.pid, one.address): one for one in capture.event_loops if one.tid is not None}
    found: dict[NodeId, Edge] = {}
    for task in capture.tasks:
        loop = loops.get((task.pid, task.loop))
        if loop is not None and loop.tid is not None and loop.state is LoopState.BUSY:
            evidence = Evidence(Source.CPYTHON, Certainty.PROVEN, _CARRIED)
            thread = thread_id(loop.pid, loop.tid)
            found[task.id] = Edge(task.id, thread, Relation.WAITS_FOR, evidence)
    return found


def _edges(
    capture: Capture, still: Mapping[NodeId, bool], partial: Collection[int]
) -> Iterator[Edge]:
    best: dict[tuple[NodeId, NodeId, Relation], Edge] = {}
    for edge in _all_edges(capture, still, partial):
        key = (edge.source, edge.target, edge.relation)
        other = best.get(key)
        if other is None:
            best[key] = edge
            continue
        # Two sources may report the same fact: the better known one counts, and any timeout does.
        better = min(other, edge, key=lambda one: one.evidence.certainty.rank)
        if better.expires is not (expires := edge.expires or other.expires):
            better = better._replace(expires=expires)
        best[key] = better
    yield from best.values()


def _all_edges(
    capture: Capture, still: Mapping[NodeId, bool], partial: Collection[int]
) -> Iterator[Edge]:
    for wait in capture.waits:
        stable = still.get(wait.waiter, False)
        evidence = _believed(wait.evidence, wait.waiter, partial)
        yield Edge(
            wait.waiter,
            wait.target,
            Relation.WAITS_FOR,
            evidence,
            wait.expires,
            stable,
            wait.together,
            wait.answering,
        )
    for hold in capture.holds:
        # A holder that does not exist cannot run either, if all that exist were read.
        stable = still.get(hold.holder, hold.holder.pid not in partial)
        evidence = _believed(hold.evidence, hold.holder, partial)
        yield Edge(hold.resource, hold.holder, Relation.HELD_BY, evidence, stable=stable)


def _believed(evidence: Evidence, actor: NodeId, partial: Collection[int]) -> Evidence:
    """The evidence of a process that was read in part: what follows from frames rests on there
    being none that contradicts it, and is no proof without all of them."""
    if not partial or evidence.certainty is not Certainty.PROVEN or actor.pid not in partial:
        return evidence
    return replace(evidence, certainty=Certainty.INFERRED)
