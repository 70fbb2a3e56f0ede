"""Greenlets of eventlet that wait for a semaphore and are no longer to be told of its release.

Whoever releases it takes one of them from the list and switches to it, which fails where that one
belongs to another thread: nobody tells it any more, be the semaphore free or not.
"""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.awaited import self_of
from hangtui.backends.cpython.frames import Frames
from hangtui.backends.cpython.greenlets.awaited import Awaited
from hangtui.backends.cpython.greenlets.locks import GreenletLocks
from hangtui.backends.cpython.greenlets.units import GreenletReading
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import Certainty, NodeKind, TaskState

_FILE, _LIBRARY = "eventlet/semaphore.py", "eventlet"
_INSIDE = 2
"""Innermost frames: of the hub's switch, and of the semaphore's."""
_PROOF = "its frame waits in Semaphore.acquire, and the lock has it among its waiters no longer"
_NOTE = (
    "whoever released it took this greenlet for the next one and could not wake it, as a greenlet "
    "of another thread"
)


class LostWaiters:
    """Finds them in one process."""

    def __init__(self, objects: Objects, frames: Frames, locks: GreenletLocks) -> None:
        self._objects = objects
        self._frames = frames
        self._locks = locks

    def of(self, unit: GreenletReading, containers: Containers) -> tuple[Awaited, ...]:
        """What such a greenlet waits for; empty: it is none. Never raises."""
        by_clock = unit.waits or unit.until is not None
        if by_clock or unit.library != _LIBRARY or unit.state is not TaskState.WAITING:
            return ()
        try:
            with foreign_data():
                for frame in unit.frames[:_INSIDE]:
                    semaphore = self_of(self._frames, frame, "acquire", _FILE)
                    lock = self._locks.read(semaphore) if semaphore else None
                    if lock and not self._is_listed(unit.address, semaphore, containers):
                        return (_awaited(lock.kind, lock.address, lock.type_name),)
        except (DamagedDataError, MemoryReadError):
            pass
        return ()

    def _is_listed(self, greenlet: int, semaphore: int, containers: Containers) -> bool:
        waiters = self._objects.attributes(semaphore).get("_waiters", 0)
        return not waiters or greenlet in containers.sequence(waiters)


def _awaited(kind: NodeKind, address: int, type_name: str) -> Awaited:
    return Awaited(
        "a unit of {}" if kind is NodeKind.SEMAPHORE else "{}",
        _PROOF,
        kind,
        address,
        address,
        type_name,
        certainty=Certainty.PROVEN,
        note=_NOTE,
        missed=True,
        operation="acquire",
    )
