"""Threads that have ended, and that an object still has noted as its users: the readers of a lock
made of a condition, the workers of a registry or of a pool."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError
from hangtui.model import NodeKind, clean

_KINDS = frozenset(
    {NodeKind.CONDITION, NodeKind.EVENT, NodeKind.SEMAPHORE, NodeKind.LOCK, NodeKind.POOL}
)
_FRAMES = 8
"""Innermost ones of the thread that waits, whose ``self`` may be the object that is meant."""
_MOST_WAITS, _MOST_KEPT, _MOST_TOLD = 50, 200, 3
_CONTAINERS = frozenset({"dict", "list", "set", "tuple", "collections.deque", "deque"})


class EndedKeepers:
    """Finds them for the waits of one process."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python

    def add(self, facts: Facts) -> None:
        """Note at what threads wait for which ended ones its owner has.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        registered = self._python.registered()
        for wait in facts.waits[:_MOST_WAITS]:
            node, tid = wait.target, wait.waiter.tid
            if wait.waiter.pid != self._pid or node.kind not in _KINDS or tid is None:
                continue
            awaited = node.address or 0
            owners: Iterable[int] = (awaited,)
            if node.kind is not NodeKind.POOL:
                owners = self._owners(self._python.stacks.get(tid, ()), awaited)
            found = tuple(islice(self._of(owners, registered), _MOST_TOLD))
            if found and node in facts.resources:
                facts.resources[node] = replace(facts.resources[node], noted_ended=found)

    def _of(self, owners: Iterable[int], registered: dict[int, int]) -> Iterator[str]:
        references = self._python.references
        for owner in owners:
            title = clean(references.kind(owner) or "?", 100)
            for name, value in references.referents(owner):
                kept = [value]
                if references.kind(value) in _CONTAINERS:
                    kept = [one for _, one in references.referents(value)][:_MOST_KEPT]
                for one in kept:
                    with suppress(MemoryReadError, DamagedDataError):
                        thread = self._python.ended_thread(one, registered)
                        if thread is not None:
                            yield f"{title}.{clean(name, 100)} has thread {thread}"

    def _owners(self, stack: tuple[Frame, ...], awaited: int) -> Iterator[int]:
        """The objects of which methods on the stack wait for one of their attributes."""
        seen = set[int]()
        for frame in stack[:_FRAMES]:
            owner = self._python.frames.variables(frame).get("self", 0)
            if not owner or owner in seen or owner == awaited:
                continue
            seen.add(owner)
            if any(value == awaited for _, value in self._python.references.referents(owner)):
                yield owner
