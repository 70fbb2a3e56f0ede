"""One wait of a task, as its future shows it."""

from typing import NamedTuple

from hangtui.backends.cpython.barriers import Parties
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, Ends, NodeKind, Sleep

RECORDED = "the task records it as what it waits for"


class InHand(NamedTuple):
    """A connection that methods of a library have in hand."""

    ends: Ends
    function: str
    """``Connection.fetch``: the one of them that leads to it."""
    transport: int

    @property
    def label(self) -> str:
        """What to call a future or an event on which they wait beside it."""
        return f"next event of the connection to {self.ends.remote} ({self.function})"


@dataclass(frozen=True, slots=True)
class Awaited:
    """What a task waits for: a resource, tasks, or (neither) something from outside."""

    text: str
    """In words; ``{}`` stands for the name of the resource."""
    proof: str = RECORDED
    kind: NodeKind | None = None
    """Of the resource at *address*, if it is one."""
    address: int = 0
    type_name: str = ""
    label: str | None = None
    """What to call the resource, if no variable is to name it."""
    ends: Ends | None = None
    """Of the connection that it waits for, or that the library has in hand."""
    process: int = 0
    """The child whose end it waits for, as the process itself numbers it."""
    tasks: tuple[int, ...] = ()
    """Addresses of the tasks whose end it waits for."""
    certainty: Certainty = Certainty.PROVEN
    expires: bool = False
    note: str | None = None
    operation: str | None = None
    object: int = 0
    """The object that variables refer to, where that is not *address*."""
    descriptor: int | None = None
    """The file descriptor that it waits for, where the library itself watches that."""
    transport: int = 0
    """Of the stream whose peer it waits for."""
    connection: int = 0
    """The transport of the connection that the library has in hand whose future it is."""
    together: bool = False
    """It needs the end of all of *tasks*."""
    unshared: bool = False
    """Nothing but this wait leads to it, so nobody can end that by it."""
    parties: Parties | None = None
    """Of a barrier."""
    sleep: Sleep | None = None
    """If it is a sleep of asyncio's, and was looked at: which."""
    kept: tuple[str, ...] = ()
    """Of a channel: the waiting task's own variables that have all other ends that are open."""
