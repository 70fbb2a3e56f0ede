"""What is taken, and nobody that is there comes to give back."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from hangtui.backends.cpython.application import application_frame
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.gc_lists import GcLists
from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.wakers.search import Search
from hangtui.backends.cpython.wakers.written import Lines
from hangtui.backends.facts import Facts
from hangtui.model import NodeId, NodeKind, NoHolder, Resource, Wait

_KINDS = (NodeKind.LOCK, NodeKind.SEMAPHORE)
_MOST_TASKS = 2000


def add_gone(
    facts: Facts,
    waits: Sequence[Wait],
    search: Search,
    stacks: Mapping[NodeId, tuple[Frame, ...]],
    written: Mapping[int, Lines],
    tracked: Callable[[], GcLists],
    again: Callable[[Frame], bool],
) -> None:
    """Say of what is waited for, and who waits would give back, whether nobody does so, and which
    code of the program would.

    *waits*: for what nobody is seen to have, or on the way to give back; *written*: the
    code that would end each; *tracked*: all objects that the collector knows; *again*: whether a
    frame stands in a loop that takes something, and does nothing else.
    """
    for wait in waits:
        lines = written.get(wait.target.address or 0)
        resource = facts.resources.get(wait.target)
        if lines and resource and wait.target.kind is NodeKind.LOCK and not _shared(resource):
            facts.resources[wait.target] = replace(resource, enders=lines.enders)
    gone = {
        wait.target.address: wait.target
        for wait in waits
        if wait.target.kind in _KINDS
        and wait.target in facts.resources
        and not _shared(facts.resources[wait.target])
        and facts.resources[wait.target].no_holder is not NoHolder.MISSED
        and wait.target.address is not None
        and search.gives_back(wait.waiter, stacks.get(wait.waiter, ()), wait.target.address)
    }
    if not gone:
        return
    every = [frame for stack in stacks.values() for frame in stack]
    try:
        kept = search.kept(gone.keys(), tracked(), every)
    except LayoutError:  # CPython 3.6 has no list of its own for each interpreter
        kept = frozenset(gone)
    own = {
        wait.target
        for wait in waits
        if wait.target.kind is NodeKind.SEMAPHORE
        and (frame := application_frame(stacks.get(wait.waiter, ())))
        and again(frame)
    }
    for address, node in gone.items():
        by = NoHolder.AGAIN if node in own else NoHolder.GONE
        resource, lines = facts.resources[node], written.get(address)
        facts.resources[node] = replace(
            resource,
            no_holder=resource.no_holder if address in kept else by,
            enders=lines.enders if lines else resource.enders,
        )


def add_givers(
    facts: Facts,
    given: Mapping[NodeId, Iterable[NodeId]],
    stuck: Collection[tuple[NodeId, NodeId]],
) -> None:
    """Say of locks who is seen on the way to release them. *given*: these, by what they release;
    *stuck*: who waits for what."""
    for node, candidates in given.items():
        if node.kind is NodeKind.LOCK and node in facts.resources:
            givers = dict.fromkeys(one for one in candidates if (one, node) not in stuck)
            facts.resources[node] = replace(facts.resources[node], givers=tuple(givers))


def _shared(resource: Resource) -> bool:
    """Whether other processes may have it."""
    return (resource.type_module or "").startswith("multiprocessing")


def take_back_what_moved(
    pid: int,
    facts: Facts,
    still: Callable[[int], bool],
    gone_on: Callable[[Collection[NodeId]], set[NodeId]],
    stacks: Mapping[NodeId, Sequence[Frame]],
) -> None:
    """Say no more that nobody gives something back if one who waits for it has run, or a task of
    its loop: what was passed on meanwhile may look as before. Who only sleeps, in code of nobody's,
    took nothing.

    *still*: whether a thread never ran; *gone_on*: which of some tasks that were read in a wait are
    out of it by now; *stacks*: the frames of tasks.
    """
    tasks = {task.id: task for task in facts.tasks if task.pid == pid}
    moved: dict[int, set[NodeId] | None] = {}
    for wait in facts.waits:
        resource = facts.resources.get(wait.target)
        gone = resource is not None and resource.no_holder in (NoHolder.GONE, NoHolder.AGAIN)
        if resource is None or not gone or wait.waiter.pid != pid:
            continue
        task = tasks.get(wait.waiter)
        tid = task.loop_tid if task else wait.waiter.tid
        by: NoHolder | None = None
        if task is not None and tid is not None and not still(tid):
            if tid not in moved:
                others = [
                    one.id
                    for one in tasks.values()
                    if one.loop_tid == tid
                    and (one.sleep is None or application_frame(stacks.get(one.id, ())))
                ]
                moved[tid] = gone_on(others) if len(others) <= _MOST_TASKS else None
            out = moved[tid]
            passed_on = out is None or bool(out)
            if out is not None and out.isdisjoint(_waiters(wait.target, facts)):
                by = _if_before(resource)
        else:
            passed_on = tid is None or not still(tid)
        if passed_on:
            facts.resources[wait.target] = replace(resource, no_holder=by)


def _waiters(target: NodeId, facts: Facts) -> set[NodeId]:
    return {wait.waiter for wait in facts.waits if wait.target == target}


def _if_before(resource: Resource) -> NoHolder | None:
    """Why nobody is known to have it, if its library gives it to those that wait in their order,
    and others went on meanwhile."""
    fair = (resource.type_module or "").startswith("asyncio")
    return NoHolder.PASSING if fair and resource.no_holder is NoHolder.GONE else None
