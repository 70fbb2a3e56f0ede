"""Which greenlet holds which lock, and what the program calls what they wait for."""

from collections.abc import Mapping, Sequence

from hangtui.backends.cpython.aio.names import names_of
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.greenlets.locks import GreenletLocks
from hangtui.backends.cpython.greenlets.units import GreenletReading
from hangtui.backends.cpython.lock_hold import LockHold
from hangtui.backends.cpython.managers import Managers
from hangtui.backends.cpython.ownership import Ownership
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.traces import Traces
from hangtui.model import NodeKind

_ALIKE = 10
"""Greenlets of the same function whose variables are searched for names."""


class Holding:
    """Tells it by the frames of greenlets, as it is told of threads."""

    def __init__(self, python: PythonReader, locks: GreenletLocks) -> None:
        self._python = python
        objects = python.objects
        traces = Traces(
            objects, python.frames, python.codes, python.blocks, python.references, locks
        )
        managers = Managers(objects, python.frames, python.blocks, traces.signs, locks)
        self._ownership = Ownership(python.frames, managers, python.blocks, traces)

    def holds(self, units: Mapping[int, GreenletReading]) -> list[LockHold]:
        """All holds of locks of greenlets that can be told, by the greenlet's address.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        stacks = {address: unit.frames for address, unit in units.items()}
        awaited = {
            address: one.lock
            for address, unit in units.items()
            for one in unit.waits
            if one.lock is not None
        }
        holds = self._ownership.holds(stacks, {one: one for one in units}, awaited)
        # Those of threads sleep on a word, and are told with the threads.
        return [hold for hold in holds if not hold.lock.word]

    def names(
        self, units: Mapping[int, GreenletReading], holds: Sequence[LockHold]
    ) -> dict[int, str]:
        """Names for what greenlets wait for or hold, by address.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        wanted = {hold.lock.address for hold in holds}
        alike: dict[int, list[tuple[Frame, ...]]] = {}
        for unit in units.values():
            kinds = (NodeKind.GREENLET, None)
            wanted |= {one.address for one in unit.waits if one.kind not in kinds}
            if unit.frames:
                alike.setdefault(unit.frames[-1].code.address, []).append(unit.frames)
        stacks = [stack for group in alike.values() for stack in group[:_ALIKE]]
        objects, frames = self._python.objects, self._python.frames
        return names_of(wanted, stacks, objects, frames) if wanted else {}
