"""Deferreds of Twisted behind futures of asyncio: ``Deferred.asFuture()``, by which coroutines in
Twisted's asyncio reactor await them (Scrapy's ``maybe_deferred_to_future``).

The future has a callback that would cancel the Deferred, and so leads to it.
"""

from hangtui.backends.cpython.aio.awaited import Awaited
from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.futures import Futures
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Certainty, NodeKind

_CLASS = "Deferred"
_TYPE = "twisted.internet.defer.Deferred"
_MOST_CELLS = 4


def deferred_behind(
    future: int, futures: Futures, objects: Objects, containers: Containers
) -> Awaited | None:
    """The wait for the Deferred that *future* stands for; None: it stands for none."""
    for callback in futures.callbacks(future):
        if objects.kind(callback) != "function":
            continue
        try:
            cells = objects.memory.u64(callback + objects.layout["func.func_closure"])
            kept = objects.tuple_items(cells)[:_MOST_CELLS] if cells else ()
            values = [objects.cell_contents(cell) for cell in kept]
        except MemoryReadError:
            continue
        for value in values:
            if value and _CLASS in containers.classes(value):
                return Awaited(
                    "{} to fire",
                    "its future has a callback that would cancel that Deferred",
                    NodeKind.FUTURE,
                    value,
                    _TYPE,
                    certainty=Certainty.CERTAIN,
                    operation="await",
                )
    return None
