"""Timers of event loops of asyncio: when they fire, what they call, and whom they can wake."""

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.process.sleep_time import remaining

Timer = tuple[float, tuple[int, ...]]
"""When it fires, by ``time.monotonic()``, with its callback and the arguments of that."""
_MAX_SCOPES = 20
"""How deep cancel scopes are followed into each other."""


def left(when: float) -> str:
    """How long until a timer fires, in words."""
    return remaining(when - time.monotonic())


class LoopTimers:
    """Reads those of the loops of one interpreter."""

    def __init__(self, objects: Objects, containers: Containers) -> None:
        self._objects = objects
        self._containers = containers

    def pending(self, attributes: Mapping[str, int]) -> Sequence[Timer] | None:
        """Those of the loop with these *attributes* that are not cancelled and come due some day;
        None: it keeps them elsewhere than asyncio does."""
        if self._objects.kind(attributes.get("_scheduled", 0)) != "list":
            return None
        try:
            handles = self._containers.sequence(attributes["_scheduled"])
        except MemoryReadError:
            return None
        slots = (self._containers.slots(handle) for handle in handles)
        due = (
            (self._containers.seconds(one.get("_when", 0)) or 0.0, one)
            for one in slots
            if not self._containers.true(one.get("_cancelled", 0))
        )
        return [(when, self._called(one)) for when, one in due if when != math.inf]

    def _called(self, handle: Mapping[str, int]) -> tuple[int, ...]:
        try:
            arguments = self._containers.sequence(handle.get("_args", 0))
        except MemoryReadError:
            return ()
        return handle.get("_callback", 0), *arguments

    def reached(self, timers: Iterable[Timer]) -> Iterator[tuple[int, float]]:
        """What timers can wake: their arguments, the object whose method they call, its task."""
        for when, called in timers:
            for item in self._mentioned(called):
                yield item, when
                kind = self._objects.kind(item) or ""
                if "Timeout" in kind:
                    yield self._objects.attributes(item).get("_task", 0), when
                elif kind == "CancelScope":
                    yield from ((task, when) for task in self._in_scope(item, 0))

    def _in_scope(self, scope: int, depth: int) -> Iterator[int]:
        """The tasks that a cancel scope of anyio's cancels, also those in the scopes inside it."""
        slots = self._containers.members(scope)
        yield slots.get("_host_task", 0)
        yield from self._containers.members_of_set(slots.get("_tasks", 0))
        for inner in (
            self._containers.members_of_set(slots.get("_child_scopes", 0))
            if depth < _MAX_SCOPES
            else ()
        ):
            yield from self._in_scope(inner, depth + 1)

    def _mentioned(self, called: Iterable[int]) -> list[int]:
        with suppress(MemoryReadError):
            reached = [one for item in called for one in (item, *self._containers.mentioned(item))]
            return [item for item in reached if self._objects.kind(item)]
        return []
