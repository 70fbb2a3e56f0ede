"""Event loops of packages (qasync's, say) that do not note which thread runs them."""

from collections.abc import Iterator

from hangtui.analysis.places import application_index, library_frame, package_of
from hangtui.findings.stack_queries import name_of
from hangtui.findings.words import Words
from hangtui.model import EventLoop, Task, Thread

_RUN = frozenset({"run_until_complete", "run_forever"})


def tasks_run_within(thread: Thread, words: Words) -> Iterator[tuple[EventLoop, Task]]:
    """The tasks that a thread runs, as far as is known, which the application has left to a package
    until they are done: those of loops that nobody is noted to run."""
    stack = thread.python_stack or ()
    inside = stack[: application_index(stack)]
    if not any(
        name_of(one) in _RUN and package_of(one) and not library_frame(one) for one in inside
    ):
        return
    for loop in words.capture.event_loops:
        if loop.pid == thread.pid and loop.tid is None:
            yield from ((loop, task) for task in words.tasks_of(loop))
