"""A child of asyncio's that has ended, which is not told while one of its pipes is open."""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.objects import Objects
from hangtui.dataclass import dataclass

_NAMES = {1: "stdout", 2: "stderr"}


@dataclass(frozen=True, slots=True)
class OpenPipe:
    """What a child has left open: somebody who got it from the child has it still."""

    name: str
    transport: int
    """That reads from it."""


def left_open(child: int, objects: Objects, containers: Containers) -> OpenPipe | None:
    """The first pipe without an end of a transport of asyncio's whose process has ended: until all
    pipes are at their end, Lib/asyncio/base_subprocess.py wakes nobody who waits for the process.
    None: it is no such transport, the process goes on, or no pipe keeps it.

    Raises:
        MemoryReadError: it cannot be read.
    """
    known = objects.attributes(child)
    code, pipes = known.get("_returncode", 0), known.get("_pipes", 0)
    if containers.integer(code) is None or objects.kind(pipes) != "dict":
        return None
    for key, protocol in objects.items(pipes):
        name = _NAMES.get(containers.integer(key) or 0)
        end = objects.attributes(protocol)
        if name and end.get("pipe") and not containers.true(end.get("disconnected", 0)):
            return OpenPipe(name, end["pipe"])
    return None
