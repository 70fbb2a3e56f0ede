"""What lies in a ``queue.SimpleQueue`` of C, in which executors keep the work to be done."""

from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

KIND = "_queue.SimpleQueue"
_MOST = 1_000
_LIST = 16
"""Up to 3.12, behind the object's head: a lock, whether it is taken, the list, and how many of its
items are gone already (Modules/_queuemodule.c)."""
_RING = 8
"""From 3.13 on: whether threads wait; then ``RingBuf``: where to put, where to get, the items, how
many there is room for, how many there are."""


def items(objects: Objects, address: int) -> list[int]:
    """The items, the next one first; empty: there are none, or it is no such queue.

    Raises:
        MemoryReadError: it cannot be read.
    """
    if objects.kind(address) != KIND:
        return []
    memory, start = objects.memory, address + objects.layout.header
    if objects.layout.since(3, 13):
        _, get, array, room, count = memory.words(start + _RING, 5)
        if not array or not 0 < room <= 1 << 24 or count > room or get >= room:
            raise MemoryReadError("no ring of items")
        places = [(get + one) % room for one in range(min(count, _MOST))]
        return [memory.u64(array + 8 * place) for place in places]
    held, gone = memory.words(start + _LIST, 2)
    if objects.kind(held) != "list":
        return []
    count = memory.i64(held + objects.layout["var.ob_size"])
    array = memory.u64(held + objects.layout["list.ob_item"])
    if not 0 <= gone <= count:
        raise MemoryReadError("no list of items")
    return list(memory.words(array + 8 * gone, min(count - gone, _MOST))) if count > gone else []
