"""Whether all threads of a ThreadPoolExecutor are known."""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError


def executor_of(reference: int, containers: Containers, objects: Objects) -> int:
    """The executor that a worker refers to weakly; 0: it is no more."""
    weak = (objects.kind(reference) or "").startswith("weakref")
    return (containers.referent(reference) if weak else None) or 0


def is_whole(executor: int, known: int, containers: Containers, objects: Objects) -> bool:
    """Whether so many threads are all that it has: one that is just started has no frames."""
    attributes = objects.attributes(executor) if executor else {}
    threads = attributes.get("_threads", 0)
    try:
        if workers := attributes.get("_workers", 0):  # of futurist
            return len(containers.sequence(workers)) == known
        if objects.kind(threads) != "set":
            return False
        return len(containers.set_items(threads)) == known
    except MemoryReadError:
        return False


def is_full(executor: int, known: int, containers: Containers, objects: Objects) -> bool:
    """Whether it is whole, and may start no more threads."""
    most = objects.attributes(executor).get("_max_workers", 0) if executor else 0
    return containers.integer(most) == known and is_whole(executor, known, containers, objects)
