"""How many have arrived at a barrier of threading or asyncio, and how many are to."""

from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Parties:
    """Of one barrier that fills."""

    there: int
    all: int


def parties_of(objects: Objects, barrier: int) -> Parties | None:
    """Both by its own count; None: that cannot be read, or makes no sense. Never raises."""
    try:
        fields = objects.attributes(barrier)
        counts = [fields.get(name, 0) for name in ("_count", "_parties")]
        if any(objects.kind(one) != "int" for one in counts):
            return None
        there, parties = map(objects.integer, counts)
    except MemoryReadError:
        return None
    return Parties(there, parties) if 0 < there < parties else None
