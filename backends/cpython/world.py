"""Stop-the-world of a free-threaded CPython: who asked all threads to stop, and who does not come.

The collector, and whoever changes what all threads share, waits until every other thread has
detached from the interpreter or has been suspended. A thread inside C code that blocks without
detaching never comes.
"""

from collections.abc import Callable, Sequence

from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.process.thread_watch import ThreadWatch
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, Evidence, Source, Wait, thread_id

_ATTACHED, _SUSPENDED = 1, 2
"""``_Py_THREAD_ATTACHED``, ``_Py_THREAD_SUSPENDED`` (Include/internal/pycore_pystate.h)."""


@dataclass(frozen=True, slots=True)
class Stop:
    """One request, in TIDs."""

    requester: int
    missing: frozenset[int]
    """Those that are attached still."""
    suspended: frozenset[int]
    """Those that have come, or would go on, and wait for its end."""


class WorldWatch:
    """Reads the requests of one process at the beginning and at the end of a watch."""

    def __init__(self, python: PythonReader, watch: ThreadWatch) -> None:
        self._python = python
        self._watch = watch
        self._first = self._read()

    def finish(self) -> list[Stop]:
        """Those that stood all the time, while none of the missing ran; the watch has ended.

        Whoever asked looks every millisecond whether all have come.
        """
        return [
            stop
            for interpreter, stop in self._read().items()
            if (before := self._first.get(interpreter)) is not None
            and (stop.requester, stop.missing) == (before.requester, before.missing)
            and all(map(self._watch.still, stop.missing))
        ]

    def _read(self) -> dict[int, Stop]:
        layout = self._python.objects.layout
        if not layout.free_threaded or "interp.stoptheworld" not in layout.offsets:
            return {}
        found = {}
        for interpreter in dict.fromkeys(one.interpreter for one in self._python.states):
            try:
                stop = self._of(interpreter)
            except (MemoryReadError, BudgetSpentError):
                continue
            if stop is not None:
                found[interpreter] = stop
        return found

    def _of(self, interpreter: int) -> Stop | None:
        memory, layout = self._python.objects.memory, self._python.objects.layout
        at = interpreter + layout["interp.stoptheworld"]
        raw = memory.fresh(at, layout["stoptheworld.sizeof"])
        requested = raw[layout["stoptheworld.requested"]]
        stopped = raw[layout["stoptheworld.world_stopped"]]
        start = layout["stoptheworld.requester"]
        asked = self._python.tid_of_state(int.from_bytes(raw[start : start + 8], "little"))
        if not requested or stopped or asked is None:
            return None
        tids: dict[int, set[int]] = {}
        for one in self._python.states:
            if one.interpreter == interpreter and one.tid != asked:
                state = memory.fresh(one.state + layout["tstate.state"], 4)
                tids.setdefault(int.from_bytes(state, "little"), set()).add(one.tid)
        missing = frozenset(tids.get(_ATTACHED, ()))
        return Stop(asked, missing, frozenset(tids.get(_SUSPENDED, ()))) if missing else None


def add_world(
    facts: Facts, pid: int, stops: Sequence[Stop], place: Callable[[int], str | None]
) -> None:
    """Add who waits for whom to stop in process *pid*, at which *place*.

    Whoever waits so waits for nothing else: the semaphore below is how that is done.
    """
    for stop in stops:
        waiting = {thread_id(pid, tid) for tid in (stop.requester, *stop.suspended)}
        facts.waits[:] = [wait for wait in facts.waits if wait.waiter not in waiting]
        pairs = [(stop.requester, tid, "stop", _COMES_NOT) for tid in sorted(stop.missing)]
        pairs += [(tid, stop.requester, "go-on", _STOPPED) for tid in sorted(stop.suspended)]
        for tid, other, operation, text in pairs:
            evidence = Evidence(Source.CPYTHON, Certainty.CERTAIN, text, place(tid))
            target = thread_id(pid, other)
            waiter = thread_id(pid, tid)
            facts.waits.append(Wait(waiter, target, evidence, operation=operation, lasting=True))


_COMES_NOT = "stop-the-world: the interpreter records who asked, and that this one is attached"
_STOPPED = "stop-the-world: the interpreter has suspended it until that has begun and ended"
