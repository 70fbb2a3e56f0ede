"""Objects that have a file, a pipe or a socket open: the descriptor in them."""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.objects import Objects

HEAD = 16
"""Bytes of what every object begins with."""
BUFFERED = frozenset({"_io.BufferedReader", "_io.BufferedWriter", "_io.BufferedRandom"})
"""Modules/_io/bufferedio.c: the first field is the raw file."""
TEXT, TEXT_BUFFER = "_io.TextIOWrapper", 32
"""Modules/_io/textio.c: two numbers come before the buffer."""
_RAW = "SocketIO"
"""What ``socket.makefile`` makes its file of: ``_sock`` is the socket."""
_CONNECTION = "_ConnectionBase"
"""Of ``multiprocessing.connection``: ``_handle`` is the descriptor."""
_SOCKET = "_socket.socket"
"""Modules/socketmodule.c: the first field is the descriptor."""
_FILE = "_io.FileIO"
"""Modules/_io/fileio.c: the same. What has a pipe open keeps its reader waiting, used or not."""
_EPOLL = "select.epoll"
"""Modules/selectmodule.c: the same; an event loop has one of it."""


class OpenFiles:
    """Reads them in one interpreter."""

    def __init__(self, objects: Objects, containers: Containers) -> None:
        self._objects = objects
        self._containers = containers

    def descriptor(self, address: int, depth: int = 2) -> tuple[int, bool] | None:
        """That of a socket, or of a file, and whether it is one of a file that is no socket; None:
        it is neither.

        Raises:
            MemoryReadError: it cannot be read.
        """
        classes = self._containers.classes(address)
        memory = self._objects.memory
        if _SOCKET in classes or _EPOLL in classes or _FILE in classes:
            return memory.u32(address + HEAD), _FILE in classes
        if _CONNECTION in classes:
            handle = self._objects.attributes(address).get("_handle", 0)
            number = self._containers.integer(handle)
            return None if number is None else (number, False)
        if depth and BUFFERED & set(classes):
            return self.descriptor(memory.u64(address + HEAD), depth - 1)
        if depth and TEXT in classes:
            return self.descriptor(memory.u64(address + TEXT_BUFFER), depth - 1)
        if depth and _RAW in classes:
            return self.descriptor(self._objects.attributes(address).get("_sock", 0), depth - 1)
        return None
