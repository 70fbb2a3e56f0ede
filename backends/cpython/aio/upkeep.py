"""Timers by which a library only looks after connections that rest: that ends nobody's wait."""

from collections.abc import Sequence

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

_CALLS = "_weakref_handle"
"""How aiohttp calls a method of an object that may be gone by then."""
_METHODS = frozenset({"_cleanup", "_cleanup_closed"})
_OWNER = "BaseConnector"
"""aiohttp's pool of connections, which closes by these methods what nobody has used for a while."""


class Upkeep:
    """Recognises them in one interpreter."""

    def __init__(self, objects: Objects, containers: Containers) -> None:
        self._objects = objects
        self._containers = containers

    def is_one(self, called: Sequence[int]) -> bool:
        """Whether a timer is one of these that calls this, with these arguments."""
        try:
            callback, given = called
            if self._objects.function_name(callback) != _CALLS:
                return False
            reference, name = self._containers.sequence(given)
            owner = self._containers.referent(reference)
            return (
                owner is not None
                and self._objects.kind(name) == "str"
                and self._objects.text(name) in _METHODS
                and _OWNER in self._containers.classes(owner)
            )
        except (MemoryReadError, ValueError):
            return False
