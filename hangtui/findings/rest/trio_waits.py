"""Whether a task of trio that waits in trio's own frames, or anyio's, is at rest."""

from collections.abc import Sequence

from hangtui.analysis.places import application_index, library_frame, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.package_queries import hands_over
from hangtui.findings.stack_queries import name_of
from hangtui.model import NodeKind, PythonFrame

_OWN = {"trio", "anyio", "outcome", "sniffio"}
_CLOCK, _SIGNALS = "/trio/_timeouts.py", "/trio/_signals.py"
_TURNS = frozenset({"checkpoint", "cancel_shielded_checkpoint"})
_CHANNELS = ("/trio/_channel.py", "/anyio/streams/memory.py")


def rests_on_trio(stack: Sequence[PythonFrame], waits: Sequence[Edge]) -> bool:
    """Whether something shows it; *waits*: what it waits for that is no task.

    The application awaits the clock, a signal or a client that is to come; or, in the only function
    that the task has, its next item. Without a line of the application it is a library's own task,
    or a function of trio's that was started as a task: then it must wait for nothing inside.
    """
    index = application_index(stack)
    if index is None:
        return not waits
    inner = stack[:index]
    if not all(library_frame(frame) or package_of(frame) in _OWN for frame in inner):
        return hands_over(stack, index)
    names = {name_of(frame) for frame in inner}
    if not names.isdisjoint(_TURNS):
        return False  # ``sleep(0)``: it goes on as soon as it is its turn
    if any(frame.filename.endswith((_CLOCK, _SIGNALS)) for frame in inner):
        return True
    if "accept" in names or "serve_listeners" in names:
        return True
    alone = application_index(stack[index + 1 :]) is None
    takes = any(frame.filename.endswith(_CHANNELS) and name_of(frame) == "receive"
                for frame in inner)  # fmt: skip
    return alone and takes and all(wait.target.kind is NodeKind.QUEUE for wait in waits)
