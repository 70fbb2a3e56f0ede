"""Threads of a process that have ended, and whose objects something still refers to."""

from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data

_MOST_LOOKED_AT, _MOST = 500, 20


def ended_threads(python: PythonReader) -> tuple[str, ...]:
    """Their names, of a few. ``threading`` knows all objects of threads that are there, by weak
    references. Never raises."""
    found: list[str] = []
    with suppress(MemoryReadError, DamagedDataError, BudgetSpentError), foreign_data():
        known = python.module("threading").get("_dangling", 0)
        registered = python.registered()
        threads = Containers(python.objects, python.codes).weak_set_items(known) if known else []
        for address in threads[:_MOST_LOOKED_AT]:
            name = python.ended_thread(address, registered)
            if name is not None and len(found) < _MOST:
                found.append(name)
    return tuple(sorted(found))
