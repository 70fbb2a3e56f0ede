"""To objects of which classes an event loop of asyncio gives what comes over its connections."""

from collections.abc import Iterator, Mapping

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.transports import handles
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

_MOST = 64
"""Connections of one loop: of more, nobody asks."""


class Protocols:
    """Reads the transports of the event loops of one interpreter."""

    def __init__(self, objects: Objects, containers: Containers) -> None:
        self._objects = objects
        self._containers = containers

    def names(self, loop: Mapping[str, int]) -> tuple[str, ...] | None:
        """``Line``, ``Protocol``: the classes, with their bases, of the protocols of those
        transports of a loop with these attributes that are not closing. None: it is not known
        whether these are all. Never raises."""
        try:
            known = self._objects.attributes(loop.get("_transports", 0)).get("data", 0)
            selector = self._objects.attributes(loop.get("_selector", 0))
            registered = selector.get("_fd_to_key", 0)
            if max(map(self._containers.dict_size, (known, registered))) > _MOST:
                return None
            transports = [*self._open(known), *self._called(registered)]
        except MemoryReadError:
            return None
        found = (name for one in dict.fromkeys(transports) for name in self._classes(one))
        return tuple(dict.fromkeys(found))

    def _open(self, known: int) -> Iterator[int]:
        """Those that a loop has in its `WeakValueDictionary`."""
        for _, reference in self._objects.items(known):
            if transport := self._containers.referent(reference):
                yield transport

    def _called(self, registered: int) -> Iterator[int]:
        """Those of pipes, too: what the handles of a selector call is a method of theirs."""
        for _, key in self._objects.items(registered):
            for handle in handles(self._objects, self._containers, key):
                callback = self._containers.slots(handle).get("_callback", 0)
                if transport := self._objects.bound_to(callback):
                    yield transport

    def _classes(self, transport: int) -> Iterator[str]:
        known = self._containers.members(transport)
        protocol = known.get("_protocol", 0)
        if not protocol or self._containers.true(known.get("_closing", 0)):
            return
        behind = self._containers.members(protocol).get("_app_protocol", 0)  # TLS
        for one in filter(None, (protocol, behind)):
            for name in self._containers.classes(one):
                yield name.rpartition(".")[2]
