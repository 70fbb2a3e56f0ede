"""Whose tasks moved from look to look: their event loop's thread stands on the same lines then."""

from collections.abc import Iterator, Sequence

from hangtui.analysis.places import application_index
from hangtui.model import Capture, NodeId, PythonFrame, Task, thread_id

_Lines = frozenset[tuple[NodeId, tuple[PythonFrame, ...]]]


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
