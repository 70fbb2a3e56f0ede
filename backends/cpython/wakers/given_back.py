"""What is taken, and nobody that is there comes to give back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.gc_lists import GcLists
from hangtui.backends.cpython.wakers.asked import Asked
from hangtui.backends.cpython.wakers.search import Search
from hangtui.backends.facts import Facts
from hangtui.model import NodeId, NodeKind, NoHolder, Wait

_KINDS = (NodeKind.LOCK, NodeKind.SEMAPHORE)


def add_gone(
    facts: Facts,
    waits: Sequence[Wait],
    asked: Asked,
    search: Search,
    stacks: Mapping[NodeId, tuple[Frame, ...]],
    tracked: GcLists,
) -> None:
    """Say of what is waited for, and who waits would give back, whether nobody does so, and which
    code of the program would.

    *waits*: for what nobody is seen to have, or on the way to give back.
    """
    gone = {
        wait.target.address: wait.target
        for wait in waits
        if wait.target.kind in _KINDS
        and wait.target in facts.resources
        and wait.target.address is not None
        and search.gives_back(wait.waiter, stacks.get(wait.waiter, ()), wait.target.address)
    }
    if not gone:
        return
    every = [frame for stack in stacks.values() for frame in stack]
    kept = search.kept(gone.keys(), tracked, every)
    written = search.written(stacks, asked.stuck)
    for address, node in gone.items():
        resource, lines = facts.resources[node], written.get(address)
        facts.resources[node] = replace(
            resource,
            no_holder=resource.no_holder if address in kept else NoHolder.GONE,
            enders=lines.enders if lines else resource.enders,
        )


def take_back_what_moved(pid: int, facts: Facts, still: Callable[[int], bool]) -> None:
    """Say no more that nobody gives something back if one who waits for it has run, or its loop:
    what was passed on meanwhile may look as before. *still*: whether a thread never ran."""
    tids = {task.id: task.loop_tid for task in facts.tasks if task.pid == pid}
    for wait in facts.waits:
        resource = facts.resources.get(wait.target)
        if resource is None or resource.no_holder is not NoHolder.GONE or wait.waiter.pid != pid:
            continue
        tid = tids.get(wait.waiter, wait.waiter.tid)
        if tid is None or not still(tid):
            facts.resources[wait.target] = replace(resource, no_holder=None)
