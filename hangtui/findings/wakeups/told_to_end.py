"""That a task was told to end, and waits on."""

from hangtui.analysis.places import short_path
from hangtui.findings.words import Words
from hangtui.model import Task


def told_to_end(task: Task, words: Words) -> str:
    """``, although its cancel scope (app.py:9) was cancelled, or its time is over``; empty: it was
    not."""
    if task.cancelled_at:
        scope = short_path(task.cancelled_at)
        return f", although its cancel scope ({scope}) was cancelled, or its time is over"
    if not task.cancels:
        return ""
    if task.cancelled_by:
        return f", although {task.cancelled_by}() was called for its end"
    by_scope = words.library_of(task) == "trio"
    how = "its cancel scope was cancelled" if by_scope else "cancel() was called on it"
    return f", although {how}"
