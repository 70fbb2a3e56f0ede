"""What is said of ranks all of which wait in halves of messages: one sends, another receives."""

from collections.abc import Iterable, Sequence

from hangtui.findings.collectives import LIBRARIES, exchange, one_way
from hangtui.findings.stack_queries import name_of
from hangtui.model import Thread

_PAIRS = (
    "Let one half of the ranks send first and the other half receive first, or start both at once: "
    "`dist.batch_isend_irecv`, `MPI.Comm.Sendrecv`."
)
_COUNT = (
    "Compare how many messages each of these ranks sends and how many the other one receives "
    "(steps, microbatches): these calls only wait for messages that were started before."
)
_COMPARE = (
    "Compare the rank, the tag and the group that both lines name, and how many messages each rank "
    "has sent and received before."
)


def told(threads: Iterable[Thread], operations: str) -> str:
    """That all of them wait so, as a title."""
    if one_way(threads):
        return f"All ranks of a job wait for one another in {operations}, and none answers"
    return (
        f"All ranks of a job wait in {operations}, and none of these messages meets its other half"
    )


def why(threads: Iterable[Thread]) -> str:
    """Why none of them gets on."""
    if one_way(threads):
        return (
            "Each waits for another one to take part, and what ends such a call, the other half "
            "of it, is on none of these stacks."
        )
    return (
        "A message is through once both of its halves have met, and nobody moves here: so those "
        "who send and those who receive differ in the rank that they name, the tag, the process "
        "group or the size."
    )


def advice(threads: Sequence[Thread]) -> str:
    """What to look at."""
    if not one_way(threads):
        return _COMPARE
    return _PAIRS if all(map(_begins, threads)) else _COUNT


def _begins(thread: Thread) -> bool:
    """Whether the call that waits is the one that started the message, too."""
    half = exchange(thread)
    return any(
        name_of(frame) == half and any(part in frame.filename for part in LIBRARIES)
        for frame in thread.python_stack or ()
    ) or bool(thread.calling)
