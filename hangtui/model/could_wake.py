"""Who could end a wait for something that nobody holds: a condition, an event, a queue, ..."""

from enum import StrEnum

from hangtui.dataclass import dataclass
from hangtui.model.evidence import Evidence
from hangtui.model.node import NodeId


class Complement(StrEnum):
    """What somebody would do to a resource to end a wait for it."""

    NOTIFY = "notify"
    SET = "set"
    PUT = "put"
    GET = "get"
    TASK_DONE = "task_done"
    RELEASE = "release"
    ARRIVE = "wait"
    SET_RESULT = "set_result"
    SEND = "send"
    RECEIVE = "receive"
    CLOSE = "close"


class Nearness(StrEnum):
    """How near a thread or task is to doing so, nearest first."""

    IN = "in"
    """It is in that very call, which has not returned."""
    AHEAD = "ahead"
    """Its code comes to the call if it goes on as usual, without an exception."""
    REFERS = "refers"
    """It refers to the resource, and nothing in its code is seen that would lead to the call; or,
    if there is such a call, what that is made on is taken from where the resource is not by now."""
    AFTER = "after"
    """It waits for the resource itself, and its code comes to the call once that wait is over."""


@dataclass(frozen=True, slots=True)
class CouldWake:
    """A thread or task could end a wait for *resource*. An inference, always."""

    resource: NodeId
    candidate: NodeId
    complement: Complement
    nearness: Nearness
    evidence: Evidence
    """``where``: the program's own line that the candidate stands on."""
    call: str | None = None
    """The call as its code spells it: ``jobs.put``, ``self.ready.notify``; None: it has none."""
    call_line: str | None = None
    """``file:line`` of that call."""
    call_function: str | None = None
    """The function in which it stands, where the candidate's own code calls that, at once or by way
    of others."""
    in_hand: bool = False
    """*candidate*, who waits until all items of the queue are done, has taken one of them itself
    and comes to report it only after that wait, before it takes another one."""
    gives_back: bool = False
    """*candidate*, who waits for it, is inside a ``with`` whose end makes that call, and enters the
    like once more: it has one already, and keeps it for as long as it waits."""

    @property
    def call_place(self) -> str | None:
        """``app.py:20``, or ``app.py:20 in announce``."""
        if self.call_line is None or self.call_function is None:
            return self.call_line
        return f"{self.call_line} in {self.call_function}"
