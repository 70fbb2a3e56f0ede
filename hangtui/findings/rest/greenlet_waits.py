"""Whether a greenlet that gevent or eventlet has switched away from is at rest."""

from collections.abc import Sequence

from hangtui.analysis.places import application_index, library_frame, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.package_queries import hands_over
from hangtui.findings.stack_queries import name_of
from hangtui.findings.words import Words
from hangtui.model import NodeKind, PythonFrame

_OWN = {"gevent", "eventlet", "greenlet"}
_CHILDREN = "/subprocess.py"
"""Whose ``run()`` serves nobody: it waits for a child process."""
_SLEEPS = ("/gevent/hub.py", "/eventlet/greenthread.py")


def rests_in_hub(stack: Sequence[PythonFrame], waits: Sequence[Edge], words: Words) -> bool:
    """Whether something shows it; *waits*: what it waits for that is no greenlet.

    The application sleeps by the clock, serves, or waits for somebody to connect; or, in the only
    function that the greenlet has, it takes its next item. A greenlet without a line of the
    application may still be one of its own, made to call a method of a library: it rests if it
    waits for nothing inside, or for that.
    """
    index, takes = application_index(stack), all(takes_next(wait, words) for wait in waits)
    if index is None:
        return takes
    if hands_over(stack, index) and not stack[index - 1].filename.endswith(_CHILDREN):
        return True
    inner = stack[:index]
    if not all(library_frame(frame) or package_of(frame) in _OWN for frame in inner):
        return False
    if any(name_of(one) == "sleep" and one.filename.endswith(_SLEEPS) for one in inner):
        return True
    if any(name_of(one) == "accept" and package_of(one) in _OWN for one in inner):
        return True
    alone = application_index(stack[index + 1 :]) is None
    return alone and bool(waits) and takes


def takes_next(wait: Edge, words: Words) -> bool:
    """Whether it is for the next item of a queue."""
    return wait.target.kind is NodeKind.QUEUE and "get" in (
        words.operation(wait),
        words.method(wait),
    )
