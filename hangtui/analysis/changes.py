"""What moved from one capture to the next."""

from collections.abc import Iterator
from enum import StrEnum

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.dataclass import dataclass
from hangtui.model import Capture, Thread


class ChangeKind(StrEnum):
    """What became of a thread."""

    MOVED = "moved"
    """Its stack is another one."""
    WAIT = "waits for another"
    """The same stack, but another wait."""
    RAN = "ran"
    """The same stack, but it ran meanwhile."""
    STARTED = "started"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Change:
    """One thread that is not as it was."""

    kind: ChangeKind
    thread: Thread
    """As it is now; for one that ended, as it was."""
    before: Thread | None = None


def changes(
    before: Capture, before_graph: WaitGraph, after: Capture, after_graph: WaitGraph
) -> tuple[Change, ...]:
    """The threads that changed, those that moved first; all others stood where they were."""
    order = list(ChangeKind)
    found = _changes(before, before_graph, after, after_graph)
    return tuple(sorted(found, key=lambda change: order.index(change.kind)))


def same_stack(thread: Thread, earlier: Thread) -> bool:
    """Whether both stacks were read and are equal."""
    if thread.python_stack or earlier.python_stack:
        return thread.python_stack == earlier.python_stack
    return bool(thread.native_stack) and thread.native_stack == earlier.native_stack


def _changes(
    before: Capture, before_graph: WaitGraph, after: Capture, after_graph: WaitGraph
) -> Iterator[Change]:
    earlier = {thread.id: thread for thread in before.threads()}
    for thread in after.threads():
        old = earlier.pop(thread.id, None)
        if old is None:
            yield Change(ChangeKind.STARTED, thread)
        elif kind := _kind(old, before_graph, thread, after_graph):
            yield Change(kind, thread, old)
    for thread in earlier.values():
        yield Change(ChangeKind.ENDED, thread, thread)


def _kind(
    old: Thread, before_graph: WaitGraph, thread: Thread, after_graph: WaitGraph
) -> ChangeKind | None:
    read = bool(thread.python_stack or thread.native_stack)
    was_read = bool(old.python_stack or old.native_stack)
    if read and was_read and not same_stack(thread, old):
        return ChangeKind.MOVED
    waits = (before_graph.wait_of(old.id), after_graph.wait_of(thread.id))
    targets = [wait.target if wait else None for wait in waits]
    if targets[0] != targets[1]:
        return ChangeKind.WAIT
    return ChangeKind.RAN if thread.still is False else None
