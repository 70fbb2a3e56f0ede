"""Functions with ``inlineCallbacks``, and coroutines given to ``ensureDeferred``, that are
suspended until a Deferred fires. Twisted calls none of them a task; here each is one."""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import Coroutines
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.twisted.deferreds import Deferreds
from hangtui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Flow:
    """One of them."""

    address: int
    """Of the ``_CancellationStatus`` that Twisted keeps for it."""
    generator: int
    deferred: int
    """Fires when it has ended."""
    awaited: int
    """The Deferred that it waits for."""
    frames: tuple[Frame, ...]
    """Innermost first."""


class Flows:
    """Reads them in one interpreter."""

    def __init__(
        self, objects: Objects, frames: Frames, containers: Containers, deferreds: Deferreds
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self._deferreds = deferreds
        self._coroutines = Coroutines(objects, frames)

    def at(self, status: int) -> Flow | None:
        """The flow that Twisted keeps *status* of; None: it runs, or has ended.

        The status keeps naming a Deferred that has fired since: that one has no callback for it.
        """
        attributes = self._objects.attributes(status)
        awaited = attributes.get("waitingOn", 0)
        if self._objects.kind(awaited) in (None, "NoneType"):
            return None
        for _, arguments in self._deferreds.callbacks(awaited):
            if status in arguments:
                found = (self._flow(one, status, attributes, awaited) for one in arguments)
                return next(filter(None, found), None)
        return None

    def _flow(
        self, generator: int, status: int, attributes: dict[str, int], awaited: int
    ) -> Flow | None:
        kind = self._objects.kind(generator)
        frames: tuple[Frame, ...] = ()
        if kind == "generator":  # what lies on the stack of one may be what it loops over
            frame = self._frames.suspended(generator)
            frames = (frame,) if frame else ()
        elif kind == "coroutine":
            frames = self._coroutines.chain(generator).frames
        if not frames:
            return None
        return Flow(status, generator, attributes.get("deferred", 0), awaited, frames)
