"""What to change about a deadlock: which lines, which call."""

from collections.abc import Iterator

from hangtui.analysis.places import blocking_frame, called_frame, native_name, place, short_path
from hangtui.analysis.waitgraph import Cycle, Edge, Relation
from hangtui.findings.loops import terms_for
from hangtui.findings.resources import PYTHON_LOCKS, is_native
from hangtui.findings.rings.channel_advice import channel_advice
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeKind, Task, Thread

RELEASE_GIL = (
    "Py_BEGIN_ALLOW_THREADS in C, `with nogil` in Cython, py::gil_scoped_release in pybind11, "
    "ctypes.CDLL instead of ctypes.PyDLL"
)


def advice(cycle: Cycle, members: list[Actor], words: Words) -> list[str]:
    """What would break the ring, the most specific first."""
    lines = list(_release_gil(cycle, words))
    if not lines:
        lines = [
            *_one_order(cycle, members, words),
            *_before_results(cycle, words),
            *channel_advice(cycle, words.threads(cycle.nodes), words),
        ]
    others = (_joins, _futures, _switches)
    return [*lines, *(line for one in others for line in one(cycle, members, words))]


def _release_gil(cycle: Cycle, words: Words) -> Iterator[str]:
    for edge in cycle.edges:
        node = words.graph.node(edge.source)
        holder = words.thread(edge.target)
        if node is None or node.kind is not NodeKind.GIL or holder is None:
            continue
        yield (
            f"Release the GIL around {native_call(holder)}: {RELEASE_GIL}. "
            f"{words.thread_name(holder)} keeps it while it waits."
        )
        for other in words.threads(wait.source for wait in words.graph.waiters_of(edge.source)):
            yield from _not_under_lock(other, cycle, words)


def _not_under_lock(waiter: Thread, cycle: Cycle, words: Words) -> Iterator[str]:
    locks = [
        words.name(edge.source)
        for edge in cycle.edges
        if edge.target == waiter.id and is_native(words.resource(edge.source))
    ]
    if waiter.id in cycle.nodes and locks:
        position = words.position(waiter)
        where = f": {position}" if position else ""
        yield (
            f"Or do not call back into Python or take the GIL while {locks[0]} is held, as "
            f"{words.thread_name(waiter)} does{where}."
        )


def native_call(thread: Thread) -> str:
    """``read_message (serial.so), called from main.py:29 (acquire)``."""
    frame, line = called_frame(thread), place(thread)
    inner = blocking_frame(thread)
    name = "the native call"
    if frame is not None:
        name = native_name(frame)
    elif inner is not None:
        name = f"the call into {native_name(inner)}"
    return f"{name}, called from {line}" if line else name


def _one_order(cycle: Cycle, members: list[Actor], words: Words) -> Iterator[str]:
    members = members[:NAMES_LISTED]
    orders = [_order(member, cycle, words) for member in members]
    known = [order for order in orders if order]
    if len(known) < 2:
        return
    locks = [node for node in cycle.nodes if words.resource(node)]
    if len(locks) == 1 and locks[0].kind is NodeKind.SEMAPHORE:
        name = words.name(locks[0])
        yield (
            f"Do not take a second unit of {name} inside of the first: {'; '.join(known)}. Give "
            "the first one back before, or let the inner part do without."
        )
        return
    lines = [_lines(member, cycle) for member in members]
    if None not in lines[0] and len(set(lines)) == 1:
        yield (
            "All take the locks on the same lines, in an order that depends on the data: "
            f"{'; '.join(known)}. Take them in a fixed order there, sorted by id() or by name."
        )
    else:
        yield (
            f"Take the locks in one order everywhere. Now {'; '.join(known)}. Swap the two in "
            f"{'one' if len(known) == 2 else 'some'} of them."
        )
    kinds = {r.kind for r in map(words.resource, cycle.nodes) if r is not None}
    tasks = [member for member in members if isinstance(member, Task)]
    if kinds <= PYTHON_LOCKS and len(tasks) == len(members):
        yield (
            f"Or take the second lock under {terms_for(tasks, words.capture).timeout} and release "
            "the first one when that fails."
        )
    elif kinds <= PYTHON_LOCKS:
        yield (
            "Or take the second lock with acquire(timeout=...) and release the first one when that "
            "fails."
        )


def _order(member: Actor, cycle: Cycle, words: Words) -> str | None:
    """``worker-a takes Bank.left at bank.py:30, then Bank.right at bank.py:31``."""
    channels = _channels(cycle, words)
    locks = [e for e in cycle.edges if not {e.source, e.target} & channels]
    held = [e for e in locks if e.target == member.id and e.relation is Relation.HELD_BY]
    wanted = [e for e in locks if e.source == member.id and words.resource(e.target)]
    if not held or not wanted:
        return None
    first, then = held[0], wanted[0]
    # A native lock is taken in C: there the function says more than the Python line above it.
    native = is_native(words.resource(then.target))
    at = "" if native else _at(then)
    return (
        f"{words.actor_name(member)} takes {words.name(first.source)}{_at(first)}, then "
        f"{words.name(then.target)}{at or _spaced(words.position(member, then.evidence.where))}"
    )


def _channels(cycle: Cycle, words: Words) -> set[str]:
    """What nobody takes in any order: it has no owner, but somebody who has to act."""
    return {
        node
        for node in cycle.nodes
        if words.is_channel(node) or words.is_future(node) or node.kind is NodeKind.WORKER
    }


def _before_results(cycle: Cycle, words: Words) -> Iterator[str]:
    """Of who keeps a lock while a worker is to bring something for which it needs that."""
    for wait in cycle.edges:
        if wait.target.kind is not NodeKind.WORKER:
            continue
        locks = [edge.source for edge in cycle.edges if edge.target == wait.source]
        names = [words.name(lock) for lock in locks if lock.kind in PYTHON_LOCKS]
        if names:
            yield (
                f"Give {names[0]} back before you wait{_at(wait)} for what a worker is to bring, "
                "or let the workers do without it."
            )


def _lines(member: Actor, cycle: Cycle) -> tuple[str | None, ...]:
    """Where the member took its lock of the ring, and where it waits for the next one."""
    edges = (e for e in cycle.edges if member.id in (e.source, e.target))
    ordered = sorted(edges, key=lambda edge: edge.relation)
    return tuple(edge.evidence.where for edge in ordered)


def _at(edge: Edge) -> str:
    return f" at {short_path(edge.evidence.where)}" if edge.evidence.where else ""


def _spaced(text: str) -> str:
    return f" {text}" if text else ""


def _joins(cycle: Cycle, members: list[Actor], words: Words) -> Iterator[str]:
    bare: list[str] = []
    for member in members[:NAMES_LISTED]:
        for edge in cycle.edges:
            other = words.actor(edge.target)
            if edge.source != member.id or other is None or _runs_on(member, other):
                continue
            held = [e.source for e in cycle.edges if e.target == member.id and e.source != other.id]
            bound = [n for n in held if not words.is_channel(n) and not words.is_future(n)]
            locks = [words.name(n) for n in bound if words.resource(n)]
            if not locks and any(map(words.is_channel, cycle.nodes)):
                continue  # what is to change is what the other process does
            what = f"waiting for {words.actor_name(other)} to end" + _spaced(
                words.position(member, edge.evidence.where)
            )
            if locks:
                yield f"Release {locks[0]} before {what}."
            else:
                bare.append(what)
    if bare:
        yield f"Break the ring at one place: give up {', or '.join(bare)}."


def _futures(cycle: Cycle, members: list[Actor], words: Words) -> Iterator[str]:
    """Locks that somebody keeps while waiting for a result that needs them."""
    for member in members[:NAMES_LISTED]:
        held = [e.source for e in cycle.edges if e.target == member.id and words.resource(e.source)]
        locks = [words.name(node) for node in held if not words.is_future(node)]
        for edge in cycle.edges:
            if edge.source == member.id and words.is_future(edge.target) and locks:
                where = _spaced(words.position(member, edge.evidence.where))
                yield f"Release {locks[0]} before waiting for {words.name(edge.target)}{where}."


def _switches(cycle: Cycle, members: list[Actor], words: Words) -> Iterator[str]:
    """Locks that a greenlet keeps while others of its thread run."""
    for member in members[:NAMES_LISTED]:
        held = [e.source for e in cycle.edges if e.target == member.id and words.resource(e.source)]
        if isinstance(member, Task) and member.by_hand and held:
            where = next((e.evidence.where for e in cycle.edges if e.source == member.id), None)
            yield (
                f"Release {words.name(held[0])} before {words.actor_name(member)} is left"
                f"{_spaced(words.position(member, where))}: a lock of threads blocks the thread of "
                "all its greenlets, also of that which would release it."
            )


def _runs_on(task: Actor, other: Actor) -> bool:
    """Whether one is a task and the other one a thread, which then runs its event loop."""
    return isinstance(task, Task) and isinstance(other, Thread)
