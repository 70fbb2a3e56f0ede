"""Who holds the GIL and who waits for it, read twice so that only a GIL at rest is believed."""

from collections.abc import Callable, Mapping, Sequence

from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.threads import Gil
from hangtui.backends.cpython.world import WorldWatch
from hangtui.backends.facts import Facts
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.process.thread_watch import ThreadWatch
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.backends.unwind.native_stacks import NativeStacks
from hangtui.dataclass import dataclass
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    NodeKind,
    Resource,
    Source,
    Wait,
    resource_id,
    thread_id,
)

_TAKE_THE_GIL = frozenset({"PyEval_RestoreThread", "PyEval_AcquireThread", "PyEval_AcquireLock"})
_LOOP = "_PyEval_EvalFrameDefault"
_MAIN = "GIL of the main interpreter"
_TAKING_FRAMES = 5
"""pthread_cond_timedwait, what it is made of, take_gil, and its caller."""


@dataclass(frozen=True, slots=True)
class GilReading:
    """One GIL over the time of a capture."""

    gil: Gil
    holder: int | None
    """TID."""
    waiters: frozenset[int]
    """TIDs."""
    at_rest: bool
    """It did not change hands and its holder did not run, so who waited at first still does."""
    kept: bool | None = None
    """It did not change hands although somebody waited for it from the first look to the last,
    whether its holder ran or not; None: its changes of hands are not counted (3.6)."""


class GilWatch:
    """Reads the GILs of one process at the beginning and at the end of a watch."""

    def __init__(self, python: PythonReader, watch: ThreadWatch, native: NativeStacks) -> None:
        self._python = python
        self._watch = watch
        self._native = native
        self._first = self._read()
        self.world = WorldWatch(python, watch)
        """What a free-threaded build has in its place."""
        first = watch.asleep()
        awake = [tid for tid in python.threads if tid not in first]
        self.asleep = first | watch.catch_asleep(awake)
        """Where the process's threads sleep; waiters of the GIL among them."""

    def _read(self) -> dict[int, Gil]:
        try:
            return {gil.address: gil for gil in self._python.gils()}
        except (MemoryReadError, BudgetSpentError):
            return {}

    def waiters(self) -> set[int]:
        """Those that waited for any GIL at first."""
        return {tid for gil in self._first.values() for tid in self._waiting(gil, self.asleep)}

    def holders(self) -> set[int]:
        """TIDs of those that held a GIL at first."""
        tids = (self._holder(gil) for gil in self._first.values())
        return {tid for tid in tids if tid is not None}

    def _holder(self, gil: Gil) -> int | None:
        return self._python.tid_of_state(gil.holder) if gil.locked else None

    def finish(self) -> list[GilReading]:
        """What the two readings say together; the watch has ended."""
        last = self._read()
        asleep = self._watch.asleep_at_last()
        awake = [tid for tid in self.waiters() if tid not in asleep]
        asleep |= self._watch.catch_asleep(awake)
        readings = []
        for address, gil in last.items():
            before = self._first.get(address)
            holder = self._holder(gil)
            at_rest = before == gil and holder is not None and self._watch.still(holder)
            # The last look can find a waiter awake, but it cannot have got what it waits for.
            first = self._waiting(gil, self.asleep) - {holder}
            waiting = first if at_rest else self._waiting(gil, asleep) - {holder}
            kept = _kept(before, gil) and bool(first & waiting)
            readings.append(GilReading(gil, holder, frozenset(waiting), at_rest, kept))
        return readings

    def _waiting(self, gil: Gil, asleep: Mapping[int, BlockedThread]) -> set[int]:
        return {
            tid
            for tid, where in asleep.items()
            if tid in self._python.threads and where.futex and self._waits_for(gil, where)
        }

    def _waits_for(self, gil: Gil, where: BlockedThread) -> bool:
        """By the futex's place; by names where nobody knows the GIL's (a stripped 3.6)."""
        if gil.ranges:
            return where.futex is not None and gil.contains(where.futex.address)
        frames = self._native.exported_names(self._native.raw(where), _TAKING_FRAMES)
        waits = [i for i, frame in enumerate(frames) if "pthread_cond_timedwait" in frame.names]
        if not waits:
            return False
        callers = frames[waits[0] + 1 :]
        if any(frame.names & _TAKE_THE_GIL for frame in callers):
            return True
        # take_gil has no exported name; the interpreter's loop calls it without anything between.
        direct = callers[:2]
        loop = any(_LOOP in frame.names for frame in direct)
        return loop and self._native.in_one_image(direct)


def _kept(before: Gil | None, after: Gil) -> bool | None:
    """Whether one thread had it all the time: it counts its changes of hands (not in 3.6)."""
    if before is None or not after.switches:
        return None
    return before == after and after.locked


def add_gils(
    facts: Facts, pid: int, readings: Sequence[GilReading], place: Callable[[int], str | None]
) -> None:
    """Add who holds the GILs of process *pid* and who waits for them, at which *place*."""
    for reading in readings:
        gil = reading.gil
        node = resource_id(NodeKind.GIL, pid, gil.address)
        label = "GIL"
        if len(readings) > 1:
            label = f"GIL of interpreter {gil.interpreter}" if gil.interpreter else _MAIN
        facts.resources[node] = Resource(node, NodeKind.GIL, label, pid, gil.address, name=label)
        if reading.holder is not None:
            text = "the interpreter records it as the GIL's holder"
            evidence = Evidence(Source.CPYTHON, Certainty.CERTAIN, text)
            facts.holds.append(Hold(node, thread_id(pid, reading.holder), evidence))
        for tid in sorted(reading.waiters):
            text = "it waits in the GIL's condition variable"
            evidence = Evidence(Source.CPYTHON, Certainty.CERTAIN, text, place(tid))
            facts.waits.append(Wait(thread_id(pid, tid), node, evidence))
