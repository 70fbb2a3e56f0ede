"""Deferreds of Twisted: what is called when one fires, and what would fire it."""

from collections.abc import Iterable, Iterator, Mapping

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.objects import Objects

_MOST_CALLBACKS, _MOST_CHAINED, _MOST_PARTS = 100, 50, 8
_CALLBACKS = ("_callbacks", "callbacks")
"""By version: Twisted 25.5 has made it private (twisted/internet/defer.py)."""


class Deferreds:
    """Reads them in one interpreter."""

    def __init__(self, objects: Objects, containers: Containers) -> None:
        self._objects = objects
        self._containers = containers

    def callbacks(self, deferred: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """What is called with its result, with the further arguments, in that order."""
        attributes = self._objects.attributes(deferred)
        listed = next((attributes[name] for name in _CALLBACKS if name in attributes), 0)
        for entry in self._containers.sequence(listed)[:_MOST_CALLBACKS] if listed else ():
            for call in self._containers.sequence(entry)[:1]:  # the other is for errors
                parts = self._containers.sequence(call)
                if len(parts) > 1:
                    yield parts[0], tuple(self._containers.sequence(parts[1])[:_MOST_PARTS])

    def methods(self, deferred: int) -> Iterator[tuple[str, int]]:
        """The names of those functions, and the objects whose methods they are, also of the
        Deferreds that have to fire before this one."""
        for one in self._chain(deferred):
            for function, _ in self.callbacks(one):
                if owner := self._objects.bound_to(function):
                    yield self._objects.function_name(function) or "", owner

    def last(self, deferred: int) -> int:
        """The one that has to fire first: a callback may have returned another one."""
        *_, found = self._chain(deferred)
        return found

    def _chain(self, deferred: int) -> Iterator[int]:
        """It, and those that have to fire before it, the first of them last."""
        for _ in range(_MOST_CHAINED):
            yield deferred
            inner = self._objects.attributes(deferred).get("_chainedTo", 0)
            if self._objects.kind(inner) in (None, "NoneType"):
                return
            deferred = inner

    def members(self, deferred: int) -> list[int]:
        """Of a DeferredList: those that it waits for."""
        listed = self._objects.attributes(deferred).get("_deferredList", 0)
        return self._containers.sequence(listed) if listed else []

    def put_into(self, deferreds: Iterable[int]) -> Mapping[int, int]:
        """The Deferreds by the objects whose methods get their results."""
        found: dict[int, int] = {}
        for deferred in deferreds:
            for function, _ in self.callbacks(deferred):
                if owner := self._objects.bound_to(function):
                    found.setdefault(owner, deferred)
        return found
