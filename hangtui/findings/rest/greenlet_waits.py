"""Whether a greenlet that gevent has switched away from is at rest."""

from collections.abc import Sequence

from hangtui.analysis.places import application_index, library_frame, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.resources import OWED
from hangtui.findings.stack_queries import hands_over, name_of
from hangtui.findings.words import Words
from hangtui.model import NodeKind, PythonFrame

_OWN = {"gevent", "greenlet"}
_SLEEPS = "/gevent/hub.py"


def rests_on_gevent(stack: Sequence[PythonFrame], waits: Sequence[Edge], words: Words) -> bool:
    """Whether something shows it; *waits*: what it waits for that is no greenlet.

    The application sleeps by the clock, or serves; or, in the only function that the greenlet has,
    it takes its next item. A greenlet of a library's own waits for nothing that somebody has.
    """
    index = application_index(stack)
    if index is None:
        return not any(wait.target.kind in OWED for wait in waits)
    if hands_over(stack, index):
        return True
    inner = stack[:index]
    if not all(library_frame(frame) or package_of(frame) in _OWN for frame in inner):
        return False
    if inner and name_of(inner[0]) == "sleep" and inner[0].filename.endswith(_SLEEPS):
        return True
    alone = application_index(stack[index + 1 :]) is None
    return alone and bool(waits) and all(_takes(wait, words) for wait in waits)


def _takes(wait: Edge, words: Words) -> bool:
    """Whether it is for the next item of a queue."""
    return wait.target.kind is NodeKind.QUEUE and words.operation(wait) == "get"
