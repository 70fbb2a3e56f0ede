"""What of multiprocessing a thread waits in that is made of semaphores: an Event, a Condition, a
Barrier, a Queue that is full. Of the semaphore inside of it no programmer knows."""

from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass

_FILES = ("multiprocessing/synchronize.py", "/threading.py")
_MODULE = "multiprocessing.synchronize."
_KINDS = frozenset({"Event", "Condition", "Barrier"})
_METHODS = frozenset({"wait", "wait_for", "_wait"})
"""A Condition that is entered, or an Event that is set, waits for its lock instead."""
_QUEUES, _QUEUE, _PUT = "multiprocessing/queues.py", "Queue", "put"


@dataclass(frozen=True, slots=True)
class Primitive:
    """One that the program has made."""

    address: int
    kind: str
    """``Barrier``."""
    parties: int | None = None
    """That have to come to a Barrier; None: it is none, or that could not be read."""

    @property
    def note(self) -> str:
        """Who ends its waits."""
        if self.kind == "Barrier":
            known = "" if self.parties is None else f" {self.parties}"
            return f"all{known} parties have to come to it, of whatever process"
        if self.kind == _QUEUE:
            return "any process that has it may take an item and make room"
        act = "set" if self.kind == "Event" else "notify"
        return f"any process that has it may {act} it"


def primitive_of(stack: tuple[Frame, ...], objects: Objects, frames: Frames) -> Primitive | None:
    """The outermost one in whose ``wait()`` a thread is; None: in none. Never raises."""
    found = _full_queue(stack[:1], objects, frames)
    for frame in stack if found is None else ():
        if not frame.code.filename.endswith(_FILES) or frame.code.bare_name not in _METHODS:
            return found
        try:
            owner = frames.variables(frame).get("self", 0)
            module, _, kind = objects.qualified_type(owner).rpartition(".") if owner else ("",) * 3
        except MemoryReadError:
            return found
        if f"{module}." == _MODULE and kind in _KINDS:
            found = Primitive(owner, kind, _parties(owner, objects))
    return found


def _full_queue(stack: tuple[Frame, ...], objects: Objects, frames: Frames) -> Primitive | None:
    """The Queue in whose ``put()`` a thread waits until there is room."""
    for frame in stack:
        if frame.code.filename.endswith(_QUEUES) and frame.code.bare_name == _PUT:
            try:
                owner = frames.variables(frame).get("self", 0)
                full = objects.attributes(owner).get("_sem", 0) if owner else 0
            except MemoryReadError:
                return None
            return Primitive(owner, _QUEUE) if full else None
    return None


def _parties(owner: int, objects: Objects) -> int | None:
    value = objects.attributes(owner).get("_parties", 0)
    if not value or objects.kind(value) != "int":
        return None
    return objects.integer(value)
