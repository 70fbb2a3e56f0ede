"""Deferreds of Twisted that futures of asyncio stand for."""

from types import SimpleNamespace
from typing import cast

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.deferred_futures import deferred_behind
from hangtui.backends.cpython.aio.futures import Futures
from hangtui.backends.cpython.objects import Objects

FUTURE, CALLBACK, CELLS, CELL, DEFERRED = range(1, 6)
FIELD = 0x100


def behind(classes: tuple[str, ...]) -> int:
    """What is awaited where the callback of a future has an object of these classes; 0: nothing."""
    objects = SimpleNamespace(
        kind=lambda at: "function" if at == CALLBACK else "?",
        memory=SimpleNamespace(u64=lambda at: CELLS if at == CALLBACK + FIELD else 0),
        layout={"func.func_closure": FIELD},
        tuple_items=lambda at: [CELL] if at == CELLS else [],
        cell_contents=lambda at: DEFERRED if at == CELL else 0,
    )
    futures = SimpleNamespace(callbacks=lambda _: [CALLBACK])
    containers = SimpleNamespace(classes=lambda at: classes if at == DEFERRED else ())
    found = deferred_behind(
        FUTURE, cast("Futures", futures), cast("Objects", objects), cast("Containers", containers)
    )
    return found.address if found else 0


def test_the_callback_that_would_cancel_it_leads_to_the_deferred() -> None:
    assert behind(("Deferred", "object")) == DEFERRED
    assert behind(("Order", "object")) == 0
