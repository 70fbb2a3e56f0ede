"""The order in which the nodes of a wait-for graph are listed, each of them once.

A blocked thread waits for one thing and a lock mostly has one holder, so every part of the graph
is a cycle with trees behind it, or a tree behind somebody who does not wait.
"""

from collections.abc import Iterator, Sequence
from dataclasses import field
from enum import Enum

from hangtui.analysis.waitgraph import Cycle, Edge, Node
from hangtui.dataclass import dataclass
from hangtui.tui.rows.labels import place, top_frame
from hangtui.tui.session import CaptureView

DEPTH = 6
"""Deeper branches become one line that counts them."""
ALIKE = 8
"""So many waiters in the same place become one line."""


class Turn(Enum):
    """A row's part in the lane of a cycle."""

    OPENS = 1
    PASSES = 2
    CLOSES = 3
    NONE = 4


@dataclass(frozen=True, slots=True)
class Item:
    """One row before it has a look."""

    key: str
    node: Node | None = None
    turn: Turn = Turn.NONE
    depth: int = 0
    in_cycle: bool = False
    edge: Edge | None = None
    """In a cycle: the edge to the next member."""
    to_next: bool = False
    elsewhere: tuple[str, ...] = ()
    """Members of the cycle, other than the next row, that this one leads to."""
    again: bool = False
    count: int = 1
    """How many threads this row stands for."""
    cycle: Cycle | None = None
    number: int = 0
    text: str = ""


@dataclass(slots=True)
class _Walk:
    view: CaptureView
    seen: set[str] = field(default_factory=set)
    members: frozenset[str] = frozenset()
    lane: bool = False


def items(view: CaptureView) -> Iterator[Item]:
    """All rows: cycles, then waits that are no cycle, then threads that wait for nobody."""
    walk = _Walk(view)
    for number, cycle in enumerate(view.graph.cycles, 1):
        yield Item(f"cycle:{number}", cycle=cycle, number=number)
        yield from _cycle(walk, cycle)
        yield Item(f"close:{number}", turn=Turn.CLOSES, text="┗━━┛")
        yield Item(f"gap:{number}")
    walk.members, walk.lane = frozenset(), False
    trees = list(_trees(walk))
    if trees:
        yield Item("trees", text="OTHER WAITS" if view.graph.cycles else "WAITS")
        yield from trees
        yield Item("gap")
    yield from _free(walk)


def _cycle(walk: _Walk, cycle: Cycle) -> Iterator[Item]:
    walk.members, walk.lane = frozenset(cycle.nodes), True
    walk.seen |= walk.members
    for index, node_id in enumerate(cycle.nodes):
        edges = [edge for edge in cycle.edges if edge.source == node_id]
        following = cycle.nodes[index + 1] if index + 1 < len(cycle.nodes) else None
        targets = [edge.target for edge in edges]
        yield Item(
            node_id,
            walk.view.graph.node(node_id),
            Turn.PASSES if index else Turn.OPENS,
            edge=edges[0] if edges else None,
            to_next=following in targets,
            elsewhere=tuple(target for target in targets if target != following),
        )
        yield from _behind(walk, node_id, 1)


def _trees(walk: _Walk) -> Iterator[Item]:
    view = walk.view
    others = (node.id for node in view.graph.nodes if node.id not in view.threads)
    for node_id in (*(thread.id for thread in view.by_interest), *others):
        if node_id in walk.seen or view.graph.wait_of(node_id) is None:
            continue
        root = _root(walk, node_id)
        if root in walk.seen:
            continue
        walk.seen.add(root)
        yield Item(root, view.graph.node(root))
        yield from _behind(walk, root, 1)


def _root(walk: _Walk, node_id: str) -> str:
    """The node at the end of the chain of waits that begins at *node_id*."""
    graph, passed = walk.view.graph, {node_id}
    while True:
        wait = graph.wait_of(node_id)
        holds = graph.holders_of(node_id)
        following = wait.target if wait else holds[0].target if holds else None
        if following is None or following in passed or following in walk.seen:
            return node_id
        passed.add(following)
        node_id = following


def _behind(walk: _Walk, node_id: str, depth: int) -> Iterator[Item]:
    """What waits for a node, and what waits for that."""
    children = [child for child in _children(walk, node_id) if child not in walk.members]
    if depth > DEPTH:
        if count := _below(walk, children):
            yield Item(f"deeper:{node_id}", text="   " * depth + f"… {count} deeper")
        return
    for group in _alike(walk, children):
        child = group[0]
        again = child in walk.seen
        walk.seen.update(group)
        yield Item(
            f"again:{node_id}:{child}" if again else child,
            walk.view.graph.node(child),
            depth=depth,
            in_cycle=walk.lane,
            again=again,
            count=len(group),
        )
        if not again:
            yield from _behind(walk, child, depth + 1)


def _children(walk: _Walk, node_id: str) -> list[str]:
    """The waiters of a node, and the resources of a thread that others wait for."""
    graph = walk.view.graph
    held = [edge.source for edge in graph.held_by(node_id)]
    wanted = [resource for resource in held if graph.waiters_of(resource)]
    return [*(edge.source for edge in graph.waiters_of(node_id)), *wanted]


def _alike(walk: _Walk, children: Sequence[str]) -> Iterator[list[str]]:
    """Children one by one; those at the same place with nobody behind them together."""
    groups: dict[str, list[str]] = {}
    for child in children:
        plain = child not in walk.seen and not _children(walk, child)
        place = _place(walk.view, child) if plain else ""
        groups.setdefault(place or child, []).append(child)
    for group in groups.values():
        if len(group) >= ALIKE:
            yield group
        else:
            yield from ([child] for child in group)


def _place(view: CaptureView, node_id: str) -> str:
    """Where a thread or a task is, the same for all that are in the same place."""
    if (thread := view.threads.get(node_id)) is not None:
        return f"{view.states.get(node_id)} {top_frame(thread)}"
    if (task := view.tasks.get(node_id)) is not None:
        frame = task.python_stack[0] if task.python_stack else None
        return f"{task.kind.value} {task.coroutine} {place(frame) if frame else task.awaits}"
    return ""


def _below(walk: _Walk, children: Sequence[str]) -> int:
    """How many unseen nodes there are at and below *children*; they count as seen from now on."""
    queue = [child for child in children if child not in walk.seen]
    count = 0
    while queue:
        node_id = queue.pop()
        if node_id in walk.seen or node_id in walk.members:
            continue
        walk.seen.add(node_id)
        count += 1
        queue.extend(_children(walk, node_id))
    return count


def _free(walk: _Walk) -> Iterator[Item]:
    """The threads that no wait is known of."""
    free = [thread for thread in walk.view.by_interest if thread.id not in walk.seen]
    if free:
        yield Item("free", text=f"THREADS THAT ARE NOT KNOWN TO WAIT FOR ANYBODY: {len(free)}")
    for group in _alike(walk, [thread.id for thread in free]):
        yield Item(group[0], walk.view.graph.node(group[0]), count=len(group))
