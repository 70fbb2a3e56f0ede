"""Which objects of packages an event loop calls, without a transport, when something comes."""

from collections.abc import Mapping

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.transports import handles, owned_by_package
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

_MOST = 16
"""Files of one loop: of more, nobody asks who hears each."""


class Listeners:
    """Reads the selectors of the event loops of one interpreter."""

    def __init__(self, objects: Objects, containers: Containers) -> None:
        self._objects = objects
        self._containers = containers

    def names(self, loop: Mapping[str, int]) -> tuple[str, ...]:
        """``aiozmq's _ZmqLooplessTransportImpl``: whose methods a loop with these attributes calls
        for what can be read, except for those of the standard library. Never raises."""
        selector = self._objects.attributes(loop.get("_selector", 0))
        registered = selector.get("_fd_to_key", 0)
        try:
            if self._containers.dict_size(registered) > _MOST:
                return ()
            keys = [key for _, key in self._objects.items(registered)]
            readers = [(*handles(self._objects, self._containers, key), 0)[0] for key in keys]
        except MemoryReadError:
            return ()
        callbacks = (self._containers.slots(one).get("_callback", 0) for one in readers if one)
        owners = (self._objects.bound_to(one) for one in callbacks if one)
        names = (owned_by_package(self._containers, one) for one in owners if one)
        return tuple(dict.fromkeys(filter(None, names)))
