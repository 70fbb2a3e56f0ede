"""Whose tasks moved from look to look: their event loop's thread stands on the same lines then."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from hangtui.analysis.nested_tasks import Wait, made_anew_by_nobody
from hangtui.analysis.places import application_index
from hangtui.model import (
    Capture,
    EventLoop,
    NodeId,
    NodeKind,
    PythonFrame,
    Stay,
    Task,
    TaskState,
    thread_id,
)

_Lines = frozenset[tuple[NodeId, tuple[PythonFrame, ...]]]
_GROUPS = ("__aexit__", "_nested_child_finished")
"""Functions in which groups of tasks wait for them, in asyncio, anyio and trio."""
_NUMBERED = re.compile(r"Task-[0-9]+")
_Waits = frozenset[tuple[NodeId, tuple[PythonFrame, ...], frozenset[NodeId]]]


def threads_whose_tasks_moved(captures: Sequence[Capture]) -> set[NodeId]:
    """The threads of the last of *captures* that ran tasks of which some came, ended, or were seen
    on other lines of the application."""
    seen = [dict(_lines(capture)) for capture in captures]
    return {thread for thread in seen[-1] if len({one.get(thread) for one in seen}) > 1}


def _lines(capture: Capture) -> Iterator[tuple[NodeId, _Lines]]:
    by_thread: dict[NodeId, list[Task]] = {}
    for task in capture.tasks:
        if task.loop_tid is not None:
            by_thread.setdefault(thread_id(task.pid, task.loop_tid), []).append(task)
    for thread, tasks in by_thread.items():
        yield thread, frozenset((task.id, _of_application(task)) for task in tasks)


def _of_application(task: Task) -> tuple[PythonFrame, ...]:
    """Where it stands in the application, whatever a library does below."""
    stack = task.python_stack or ()
    index = application_index(stack)
    return () if index is None else stack[index:]


def tasks_that_stayed(
    captures: Sequence[Capture], moments: Sequence[float], given: Sequence[set[NodeId]]
) -> Iterator[Stay]:
    """The tasks of the last of *captures* that the ones before it met in the same wait, as far back
    as there is none that did not.

    *moments*: when each was taken, in seconds; *given*: as of `given_to_tasks`.

    Sure of them are only those that asyncio has numbered (3.8 on), that such a one awaits, or that
    only such a one could have made: of others a new one may have the place in memory, and the name,
    of one that has ended. Those are left out whose like got what they waited for between two looks:
    then it is lent to one after the other, and who waits again looks like who waits still. What
    nobody else had ended no wait meanwhile.
    """
    seen = [dict(_waits(capture)) for capture in captures]
    lost = [
        {one.id for one in capture.resources if one.unshared and one.wakers_known}
        for capture in captures
    ]
    same = [
        _same(*pair, before & after)
        for pair, (before, after) in zip(pairwise(seen), pairwise(lost), strict=True)
    ]
    alike = [_alike(*pair) for pair in pairwise(seen)]
    for task, (_, _, targets) in seen[-1].items():
        for known, sure in ((same, True), (alike, False)):
            first = len(seen) - 1
            while first and task in known[first - 1] and given[first - 1].isdisjoint(targets):
                first -= 1
            if moments[-1] > moments[first]:
                yield Stay(task, moments[-1] - moments[first], sure)
                break


def _alike(before: Mapping[NodeId, Wait], after: Mapping[NodeId, Wait]) -> set[NodeId]:
    """The tasks that look the same in both looks."""
    waits = (task for task, (_, stack, targets) in after.items() if stack and targets)
    return {task for task in waits if before.get(task) == after[task]}


def given_to_tasks(captures: Sequence[Capture]) -> list[set[NodeId]]:
    """Of each two of *captures* in a row, what a task waited for in the first, and not in the
    second: it is lent on."""
    return [set(_given(*pair)) for pair in pairwise(captures)]


def _given(before: Capture, after: Capture) -> Iterator[NodeId]:
    left = {(wait.waiter, wait.target) for wait in before.waits}
    left -= {(wait.waiter, wait.target) for wait in after.waits}
    yield from (target for waiter, target in left if waiter.kind is NodeKind.TASK)


def _waits(capture: Capture) -> Iterator[tuple[NodeId, Wait]]:
    """Where each task stands, and for what it waits; what does not wait does so for nothing."""
    targets: dict[NodeId, set[NodeId]] = {}
    for wait in capture.waits:
        targets.setdefault(wait.waiter, set()).add(wait.target)
    for task in capture.tasks:
        awaited = targets.get(task.id, ()) if task.state is TaskState.WAITING else ()
        yield task.id, (task.name, task.python_stack or (), frozenset(awaited))


def _same(
    before: Mapping[NodeId, Wait], after: Mapping[NodeId, Wait], lost: AbstractSet[NodeId]
) -> set[NodeId]:
    """The tasks that are in the same wait in both looks; *lost*: what nobody else had."""
    known = {
        task
        for task, (name, stack, targets) in after.items()
        if stack and targets and before.get(task) == after[task]
        if _NUMBERED.fullmatch(name) or targets <= lost
    }
    known |= made_anew_by_nobody(before, after, known)
    return known | _awaited_by(before, after, known)


def _awaited_by(
    before: Mapping[NodeId, Wait], after: Mapping[NodeId, Wait], known: AbstractSet[NodeId]
) -> set[NodeId]:
    """The tasks in the same wait in both looks that one of *known*, or one of these in turn, awaits
    in both: what an ``await`` or a ``gather()`` has taken up is not exchanged, while a group may
    take others up."""
    found, awaiting = set[NodeId](), list(known)
    for one in awaiting:  # which grows
        _, stack, targets = after[one]
        if stack[0].function.endswith(_GROUPS):
            continue
        for target in targets:
            there = after.get(target)
            same = there is not None and bool(there[1] and there[2]) and before.get(target) == there
            if same and target not in known and target not in found:
                found.add(target)
                awaiting.append(target)
    return found


def threads_that_only_keep(captures: Sequence[Capture]) -> set[NodeId]:
    """The threads of the last of *captures* whose event loops only kept what came over connections
    from which nobody reads: all looks saw the same tasks there, in the same waits."""
    seen = [dict(_kept(capture)) for capture in captures]
    return {one for one in seen[-1] if len({waits.get(one) for waits in seen}) == 1}


def _kept(capture: Capture) -> Iterator[tuple[NodeId, _Waits]]:
    """What the tasks of each such thread waited for."""
    loops: dict[NodeId, list[EventLoop]] = {}
    for loop in capture.event_loops:
        if loop.tid is not None:
            loops.setdefault(thread_id(loop.pid, loop.tid), []).append(loop)
    found = {thread for thread, those in loops.items() if all(map(_only_keeps, those))}
    targets: dict[NodeId, set[NodeId]] = {}
    for wait in capture.waits if found else ():
        targets.setdefault(wait.waiter, set()).add(wait.target)
    tasks: dict[NodeId, list[Task]] = {}
    for task in capture.tasks if found else ():
        if task.loop_tid is not None:
            tasks.setdefault(thread_id(task.pid, task.loop_tid), []).append(task)
    for thread in found:
        own = tasks.get(thread, [])
        if own and all(task.state is TaskState.WAITING and task.id in targets for task in own):
            yield (
                thread,
                frozenset(
                    (task.id, task.python_stack or (), frozenset(targets[task.id])) for task in own
                ),
            )


def _only_keeps(loop: EventLoop) -> bool:
    """Whether nothing but such connections and other threads could wake it."""
    watched = loop.watched is not None and 0 < loop.watched == loop.buffered
    return watched and loop.timers == 0 and loop.signal_handlers == 0
