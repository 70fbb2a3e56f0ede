"""Threads of a process that do not run, and whose objects something refers to: those that have
ended, those that nobody has started, and those that were started and have not begun."""

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
    not_begun: tuple[str, ...]


def threads_absent(python: PythonReader) -> ThreadsAbsent:
    """``threading`` knows all objects of threads that are there, by weak references, and has in
    ``_limbo`` those that start() was called for, until they begin. Never raises."""
    ended, unstarted, not_begun = list[str](), list[str](), list[str]()
    with suppress(MemoryReadError, DamagedDataError, BudgetSpentError), foreign_data():
        threading = python.module("threading")
        known = threading.get("_dangling", 0)
        limbo = threading.get("_limbo", 0)
        started = {key for key, _ in python.objects.items(limbo)} if limbo else set[int]()
        registered = python.registered()
        threads = Containers(python.objects, python.codes).weak_set_items(known) if known else []
        for address in threads[:_MOST_LOOKED_AT]:
            if (name := python.ended_thread(address, registered)) is not None:
                ended.append(name)
            elif (name := python.unstarted_thread(address)) is not None:
                (not_begun if address in started else unstarted).append(name)
    found = (
        tuple(sorted(names, key=_less_telling)[:_MOST]) for names in (ended, unstarted, not_begun)
    )
    return ThreadsAbsent(*found)


def _less_telling(name: str) -> tuple[bool, str]:
    """Names that somebody gave come before those that threading counts: ``Thread-7``."""
    return name.startswith("Thread-") and name[7:].isdigit(), name
