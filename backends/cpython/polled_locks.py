"""Which locks loops that sleep try to take, again and again: ``lock.acquire(blocking=False)``.

That comes back at once, so the kernel knows no wait of it. Where somebody is known to have the lock
meanwhile, the loop waits for that one, as it would in ``acquire(timeout=1)``.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.locks import Lock, Locks
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.mentions import Mention
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Certainty, Evidence, NodeId, Source, Wait, clean, resource_id

_TRIES = frozenset({"acquire", "acquire_lock", "locked"})


class PolledLocks:
    """Finds them in one process."""

    def __init__(self, pid: int, objects: Objects, values: Values) -> None:
        self._pid = pid
        self._locks = Locks(objects)
        self._values = values
        self._tried: list[tuple[NodeId, Lock, str, str | None]] = []

    def note(self, node: NodeId, frame: Frame, mentions: Sequence[Mention]) -> None:
        """Note the lock, if nothing else is what a loop's end depends on."""
        if len(mentions) != 1 or mentions[0].name not in _TRIES or mentions[0].receiver is None:
            return
        (tries,) = mentions
        with suppress(MemoryReadError):
            address = self._values.of(mentions[0].receiver, self._values.frame(frame))
            lock = self._locks.read(address) if address else None
            if lock is not None and lock.locked and not lock.shared:
                self._tried.append((node, lock, tries.text(frame.code), frame.place))

    def waits(self, facts: Facts) -> Iterator[Wait]:
        """Those for locks that others are known to have."""
        waiting = {wait.waiter for wait in facts.waits}
        holders: dict[NodeId, set[NodeId]] = {}
        for hold in facts.holds if self._tried else ():
            holders.setdefault(hold.resource, set()).add(hold.holder)
        for node, lock, spelled, place in self._tried:
            target = resource_id(lock.kind, self._pid, lock.address)
            if node not in waiting and holders.get(target, {node}) != {node}:
                text = f"its loop asks for it again and again, by {clean(spelled, 80)}()"
                evidence = Evidence(
                    Source.CPYTHON, Certainty.INFERRED, text, clean(place, 120) if place else None
                )
                yield Wait(node, target, evidence, expires=True)
