"""Reactors of Twisted: which thread runs one, whether it waits, and what could wake it."""

import time
from collections.abc import Container, Iterable, Iterator, Mapping

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.loops import Loop
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import LoopState, clean

LIBRARY = "Twisted"
_RUN = ("/twisted/internet/base.py", ("mainLoop", "run"))
_ON_ASYNCIO = ("/twisted/internet/asyncioreactor.py", ("run",))
"""One that leaves waiting to a loop of asyncio, which has its timers and connections."""
_ASYNCIO_WAITS = ("select", "/selectors.py")
_WAITS = frozenset({"doPoll", "doSelect", "doIteration", "doWaitForMultipleEvents"})
"""What a reactor runs while it waits (twisted/internet/epollreactor.py, pollreactor.py)."""
_SELECTS = "/twisted/internet/"
_MOST_WATCHED = 256
_SERVER = {"Port", "_SocketCloser"}
"""Classes of a port that accepts connections; one for datagrams is no `_SocketCloser`."""


class Reactors:
    """Reads those of one interpreter."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        containers: Containers,
        stacks: Mapping[int, tuple[Frame, ...]],
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self._stacks = stacks

    def all(self, addresses: Iterable[int]) -> Iterator[Loop]:
        """Those that a thread runs."""
        for address in addresses:
            for tid, frames in self._stacks.items():
                if self._runs(address, frames):
                    yield self._loop(address, tid, frames)
                    break

    def _runs(self, reactor: int, frames: tuple[Frame, ...]) -> bool:
        return any(
            (_is_in(frame, *_RUN) or _is_in(frame, *_ON_ASYNCIO))
            and self._frames.variables(frame).get("self", 0) == reactor
            for frame in frames
        )

    def _loop(self, address: int, tid: int, frames: tuple[Frame, ...]) -> Loop:
        if any(_is_in(frame, *_ON_ASYNCIO) for frame in frames):
            return self._on_asyncio(address, tid, frames[0])
        attributes = self._objects.attributes(address)
        calls = [one for one in self._calls(attributes) if self._pending(one)]
        queued = self._containers.sequence(attributes.get("threadCallQueue", 0))
        innermost = frames[0].code
        waits = innermost.bare_name in _WAITS and _SELECTS in innermost.filename
        return Loop(
            address,
            clean(self._objects.qualified_type(address), 100),
            LoopState.IDLE if waits and not queued else LoopState.BUSY,
            tid,
            dict(self._timed(calls)),
            len(calls),
            self._watched(attributes),
            signal_handlers=0,  # those that it sets end the program, as Python's own for SIGINT
            queued=tuple(queued),
            library=LIBRARY,
            accepting=self._accepting(attributes),
        )

    def _on_asyncio(self, address: int, tid: int, innermost: Frame) -> Loop:
        """One of whose timers and connections the loop of asyncio tells that runs it."""
        name, file = _ASYNCIO_WAITS
        waits = innermost.code.bare_name == name and innermost.code.filename.endswith(file)
        return Loop(
            address,
            clean(self._objects.qualified_type(address), 100),
            LoopState.IDLE if waits else LoopState.BUSY,
            tid,
            library=LIBRARY,
        )

    def _watched(self, attributes: Mapping[str, int]) -> int | None:
        """How many descriptors of the program it watches; None: not known."""
        own = attributes.get("_internalReaders", 0)
        if "_selectables" not in attributes or self._objects.kind(own) != "set":
            return None
        watched = self._containers.dict_size(attributes["_selectables"])
        return max(0, watched - len(self._containers.set_items(own)))

    def _accepting(self, attributes: Mapping[str, int]) -> int | None:
        """How many of these are the ports of servers (twisted/internet/tcp.py)."""
        table = attributes.get("_selectables", 0)
        if self._objects.kind(table) != "dict" or self._containers.dict_size(table) > _MOST_WATCHED:
            return None
        try:
            watched = [value for _, value in self._objects.items(table)]
            return sum(set(self._containers.classes(one)) >= _SERVER for one in watched)
        except MemoryReadError:
            return None

    # -- timers ---------------------------------------------------------------------------------

    def _calls(self, reactor: Mapping[str, int]) -> Iterator[int]:
        """What it is to call later (twisted/internet/base.py)."""
        for name in ("_pendingTimedCalls", "_newTimedCalls"):
            yield from self._containers.sequence(reactor.get(name, 0))

    def _pending(self, call: int) -> bool:
        attributes = self._objects.attributes(call)
        ended = (attributes.get(name, 0) for name in ("cancelled", "called"))
        return bool(attributes) and not any(map(self._containers.truth, ended))

    def _timed(self, calls: Iterable[int]) -> Iterator[tuple[int, float]]:
        """What pending timers reach, with the time of ``time.monotonic`` when they do.

        A reactor's clock is that of ``time.time`` (``ReactorTime.seconds``).
        """
        ahead = time.time() - time.monotonic()
        for call in calls:
            attributes = self._objects.attributes(call)
            at = self._containers.number(attributes.get("time", 0))
            reached = self._containers.mentioned(attributes.get("func", 0))
            for argument in self._containers.sequence(attributes.get("args", 0)):
                reached += [argument, *self._containers.mentioned(argument)]
            for one in reached:
                yield one, (at or 0.0) - ahead


def _is_in(frame: Frame, path: str, functions: Container[str]) -> bool:
    return frame.code.filename.endswith(path) and frame.code.bare_name in functions
