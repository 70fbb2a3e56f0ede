"""Whose tasks moved from look to look: their event loop's thread stands on the same lines then."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

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
_Wait = tuple[str, tuple[PythonFrame, ...], frozenset[NodeId]]
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

    Only those count that asyncio has numbered (3.8 on): of others a new one may have the place in
    memory, and the name, of one that has ended. Nor do those whose like got what they waited for
    between two looks: then it is lent to one after the other, and who waits again looks like who
    waits still.
    """
    seen = [dict(_numbered(capture)) for capture in captures]
    for task, wait in seen[-1].items():
        first = len(seen) - 1
        *_, targets = wait
        while first and seen[first - 1].get(task) == wait and given[first - 1].isdisjoint(targets):
            first -= 1
        if moments[-1] > moments[first]:
            yield Stay(task, moments[-1] - moments[first])


def given_to_tasks(captures: Sequence[Capture]) -> list[set[NodeId]]:
    """Of each two of *captures* in a row, what a task waited for in the first, and not in the
    second: it is lent on."""
    return [set(_given(*pair)) for pair in pairwise(captures)]


def _given(before: Capture, after: Capture) -> Iterator[NodeId]:
    left = {(wait.waiter, wait.target) for wait in before.waits}
    left -= {(wait.waiter, wait.target) for wait in after.waits}
    yield from (target for waiter, target in left if waiter.kind is NodeKind.TASK)


def _numbered(capture: Capture) -> Iterator[tuple[NodeId, _Wait]]:
    """Where each of them waits, and for what."""
    targets: dict[NodeId, set[NodeId]] = {}
    for wait in capture.waits:
        targets.setdefault(wait.waiter, set()).add(wait.target)
    for task in capture.tasks:
        known = task.state is TaskState.WAITING and _NUMBERED.fullmatch(task.name)
        if known and task.python_stack and task.id in targets:
            yield task.id, (task.name, task.python_stack, frozenset(targets[task.id]))


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
