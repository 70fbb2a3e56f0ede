"""What a Python thread can wait for, and who can end the wait."""

from hangtui.backends.cpython.barriers import Parties
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.locks import Lock
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, NodeKind


@dataclass(frozen=True, slots=True)
class Owner:
    """A thread that an awaited object itself records, or whose frames show it."""

    ident: int
    certainty: Certainty
    text: str


@dataclass(frozen=True, slots=True)
class Awaited:
    """What a thread waits for."""

    kind: NodeKind
    """THREAD: for the end of the only owner."""
    address: int
    """What tells it from others: of the object, or of the word that processes share."""
    text: str
    certainty: Certainty = Certainty.PROVEN
    object: int = 0
    """The object that variables refer to, where that is not *address*."""
    type_name: str = ""
    name: str | None = None
    """A name that the object has by itself, such as the module of an import lock."""
    called: str = ""
    """What its name is said after: ``Barrier``, of multiprocessing; empty: nothing."""
    lock: Lock | None = None
    """The lock whose holders release the wait, if it is one."""
    owners: tuple[Owner, ...] = ()
    recorded: tuple[int, int] | None = None
    """Where it records its owner (of an import lock: the object), and the ``Thread.ident`` that is
    there, of whichever thread."""
    note: str | None = None
    operation: str | None = None
    call: str | None = None
    """The method of the standard library that waits: ``Queue.get``."""
    parties: Parties | None = None
    """Of a barrier."""


def self_of(frames: Frames, frame: Frame, function: str, *files: str) -> int:
    """``self`` of a frame that runs this method of a file of the standard library; else 0."""
    if frame.code.bare_name != function:
        return 0
    if not frame.code.filename.endswith(files):
        return 0
    return frames.variables(frame).get("self", 0)
