"""Programs that a package has started for the application, and that are to say something first."""

from hangtui.analysis.places import application_index
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.stack_queries import name_of
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Thread

_STARTS = "start"


def awaits_first_word(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether another process is to say something through a pipe, from which a package's start()
    reads: who does that does not serve."""
    stack = thread.python_stack or ()
    index = application_index(stack)
    if not index or wait.target.kind is not NodeKind.PIPE or name_of(stack[index - 1]) != _STARTS:
        return False
    return any(hold.target.pid != thread.pid for hold in words.graph.holders_of(wait.target))
