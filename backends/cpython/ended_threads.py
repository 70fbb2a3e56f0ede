"""Threads of a process that do not run, and whose objects something refers to: those that have
ended, and those that nobody has started."""

from contextlib import suppress
from typing import NamedTuple

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data

_MOST_LOOKED_AT, _MOST = 500, 20


class ThreadsAbsent(NamedTuple):
    """Their names, of a few."""

    ended: tuple[str, ...]
    unstarted: tuple[str, ...]


def threads_absent(python: PythonReader) -> ThreadsAbsent:
    """``threading`` knows all objects of threads that are there, by weak references. Never
    raises."""
    ended, unstarted = list[str](), list[str]()
    with suppress(MemoryReadError, DamagedDataError, BudgetSpentError), foreign_data():
        known = python.module("threading").get("_dangling", 0)
        registered = python.registered()
        threads = Containers(python.objects, python.codes).weak_set_items(known) if known else []
        for address in threads[:_MOST_LOOKED_AT]:
            if (name := python.ended_thread(address, registered)) is not None:
                ended.append(name)
            elif (name := python.unstarted_thread(address)) is not None:
                unstarted.append(name)
    return ThreadsAbsent(tuple(sorted(ended)[:_MOST]), tuple(sorted(unstarted)[:_MOST]))
