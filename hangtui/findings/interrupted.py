"""Findings of a thread that is inside the handler of a signal: what that interrupted cannot go on
before the handler has returned."""

from collections.abc import Sequence
from dataclasses import replace

from hangtui.analysis.places import function_of, line_and_function, program_frame
from hangtui.model import Finding, NodeId, PythonFrame, Severity, Thread, thread_id


def told_interrupted(finding: Finding, threads: dict[NodeId, Thread]) -> Finding:
    """*finding*, with the signal that its thread handles; as it is if that handles none."""
    if finding.severity is Severity.NOTE or not finding.threads or finding.tasks:
        return finding
    first = threads.get(thread_id(finding.threads[0].pid, finding.threads[0].tid))
    stack = (first.python_stack if first else None) or ()
    index = _handler(stack)
    if index is None:
        return finding
    handler, below = stack[index], program_frame(stack[index + 1 :])
    where = f" {line_and_function(below)}" if below else " the thread"
    text = (
        f" {function_of(handler)} is the handler of {handler.signal}, which interrupted{where}: "
        "that goes on only once the handler has returned."
    )
    return replace(finding, sentence=finding.sentence + text)


def handled_signal(thread: Thread) -> str | None:
    """The signal inside of whose handler it is, which is to return; None: it is in none."""
    stack = thread.python_stack or ()
    index = _handler(stack)
    return None if index is None else stack[index].signal


def _handler(stack: Sequence[PythonFrame]) -> int | None:
    """Where in a stack the innermost one is that interrupted something."""
    return next((index for index, frame in enumerate(stack[:-1]) if frame.signal), None)
