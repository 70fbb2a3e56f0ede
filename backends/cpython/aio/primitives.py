"""What a task waits for inside of a lock, an event, a barrier or a queue of asyncio."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from hangtui.backends.cpython.aio.awaited import Awaited, InHand
from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.foreign import Foreign, left_of
from hangtui.backends.cpython.barriers import Parties, parties_of
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.model import Certainty, NodeKind

_LOCKS = {
    "Lock": NodeKind.LOCK,
    "Semaphore": NodeKind.SEMAPHORE,
    "Event": NodeKind.EVENT,
    "Condition": NodeKind.CONDITION,
    "Barrier": NodeKind.BARRIER,
}
"""Classes of asyncio/locks.py. A user's class is known by the one of these that it is based on."""
NOTES = {
    NodeKind.EVENT: "an event has no owner: any task may set it",
    NodeKind.CONDITION: "a condition has no owner: any task may notify it",
    NodeKind.QUEUE: "a queue has no owner: any task may put or get",
    NodeKind.FUTURE: "nothing records who will set it",
}
"""Who could end a wait for one."""
_LOCK_METHODS = {
    ("acquire", "Lock"): "{}",
    ("acquire", "Semaphore"): "a unit of {}",
    ("wait", "Event"): "{} to be set",
    ("wait", "Condition"): "a notify() of {}",
    ("wait", "Barrier"): "the other parties of {}",
}
"""What a task waits for that is inside of a method of a class of asyncio/locks.py."""
_READS = re.compile(r"^_?(read|recv|receive)")
"""How libraries call what gets that out of a queue which came over a connection."""


class Primitives:
    """Recognises them by the frames of asyncio that made the future, in one interpreter."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        containers: Containers,
        foreign: Foreign,
        connection: Callable[[tuple[Frame, ...]], InHand | None],
    ) -> None:
        """*connection*: beside which it waits for an event or a queue of a library."""
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self._foreign = foreign
        self._connection = connection
        self._resources: dict[tuple[str, int, str, bool], Awaited] = {}
        """Thousands of tasks may wait for the same one in the same way."""

    def lock(self, frames: tuple[Frame, ...], future: int) -> Awaited | None:
        """asyncio/locks.py; behind ``Queue.join`` is an Event, behind a Barrier a Condition."""
        function = frames[0].code.bare_name
        for frame in frames[1:5]:
            file = of_asyncio(frame.code.filename)
            if file is None:
                break
            if file == "queues.py":
                return self.queue((frame, *frames[1:]), 0)
            owner = self._self(frame)
            if file == "locks.py" and self._class(owner) == "Barrier":
                found = self._resource("Barrier", owner, "wait", sure=True)
                if frame.code.bare_name == "_wait":  # it fills
                    parties = parties_of(self._objects, owner)
                    text = f"{found.text}{_arrived(parties) if parties else ''}"
                    found = replace(found, text=text, parties=parties)
                return found
        variables = self._frames.variables(frames[0])
        owner = variables.get("self", 0)
        known = self._class(owner)
        if known is None or (function, known) not in _LOCK_METHODS:
            return None
        behind = self._foreign.behind_event(frames) if known == "Event" else None
        if behind is not None:
            return behind
        found = self._resource(known, owner, function, variables.get("fut") == future)
        of_library = len(frames) > 1 and frames[1].installed and known == "Event"
        beside = self._connection(frames[1:]) if of_library else None
        return _beside(found, beside) if beside else found

    def _class(self, address: int) -> str | None:
        """Which class of asyncio/locks.py an object is made from."""
        return next((name for name in self._containers.classes(address) if name in _LOCKS), None)

    def _resource(self, known: str, owner: int, function: str, sure: bool) -> Awaited:
        key = known, owner, function, sure
        if key not in self._resources:
            self._resources[key] = self._new_resource(*key)
        return self._resources[key]

    def _new_resource(self, known: str, owner: int, function: str, sure: bool) -> Awaited:
        proof = f"{known}.{function} made the future that the task waits for"
        return Awaited(
            _LOCK_METHODS[function, known],
            proof,
            _LOCKS[known],
            owner,
            self._containers.type_title(owner),
            certainty=Certainty.PROVEN if sure else Certainty.INFERRED,
            note=NOTES.get(_LOCKS[known]),
            operation=function,
        )

    def queue(self, frames: tuple[Frame, ...], future: int) -> Awaited | None:
        """asyncio/queues.py; 0 as *future*: the frames called for what makes it."""
        frame, function = frames[0], frames[0].code.bare_name
        text = {
            "get": "an item of {}",
            "put": "room in {}",
            "join": "task_done() for every item of {}",
        }.get(function)
        owner = self._self(frame)
        if text is None or not owner:
            return None
        if function == "join":
            text += left_of(self._containers, self._objects.attributes(owner))
        sure = not future or self._made(frame, f"{function}ter", future)
        reads = len(frames) > 1 and frames[1].installed and _READS.search(frames[1].code.bare_name)
        beside = self._connection(frames[1:]) if reads and function == "get" else None
        found = Awaited(
            text,
            f"Queue.{function} made the future that the task waits for",
            NodeKind.QUEUE,
            owner,
            self._containers.type_title(owner),
            certainty=Certainty.PROVEN if sure else Certainty.INFERRED,
            note=NOTES[NodeKind.QUEUE],
            operation=function,
        )
        return _beside(found, beside) if beside else found

    def _made(self, frame: Frame, variable: str, future: int) -> bool:
        """Whether a frame has *future* in a variable."""
        return self._frames.variables(frame).get(variable) == future

    def _self(self, frame: Frame) -> int:
        return self._frames.variables(frame).get("self", 0)


@lru_cache(1024)
def of_asyncio(filename: str) -> str | None:
    """The name of a file of the package asyncio; None: it is of none."""
    parts = filename.rsplit("/", 2)
    return parts[-1] if parts[-2:-1] == ["asyncio"] else None


def _arrived(parties: Parties) -> str:
    return f", {parties.there} of {parties.all} {'is' if parties.there == 1 else 'are'} there"


def _beside(found: Awaited, connection: InHand) -> Awaited:
    """The same by the words of the *connection* beside which it lies."""
    ends, transport = connection.ends, connection.transport
    return replace(found, label=connection.label, ends=ends, connection=transport)
