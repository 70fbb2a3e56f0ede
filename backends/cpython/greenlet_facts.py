"""Greenlets with their waits and holds, added to what is known of the threads and tasks."""

import time
from collections.abc import Hashable, Mapping

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.greenlets.edges import GreenletEdges, Ring
from hangtui.backends.cpython.greenlets.reading import GreenletReader
from hangtui.backends.cpython.greenlets.titles import Titles
from hangtui.backends.cpython.greenlets.units import GreenletReading, Greenlets
from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.ipc.offspring import called
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.process.processes import counters
from hangtui.backends.process.thread_watch import unmoved
from hangtui.model import NodeId, NodeKind, Notice, Source, clean, largest_stuck, resource_id

_ATTEMPTS = 3
"""How often all greenlets are read for one reading that no change of the program has torn."""
_LOOKS = 25
"""How often those in a ring are read, for once that their thread did not run meanwhile."""
_PAUSE_S = 0.003
_FIRST = ("<module>", "_bootstrap", "_run_module_as_main")
"""What the frames of a thread begin with that is in no greenlet but its first."""
_FEW = 50
"""So many greenlets are read once more in a few milliseconds."""


class GreenletResolver:
    """Resolves what the greenlets of one process wait for and hold."""

    def __init__(self, pid: int, python: PythonReader, *, live: bool = True) -> None:
        self._pid = pid
        self._python = python
        self._live = live
        self.notices: list[Notice] = []
        self.suspects: set[int] = set()
        """TIDs of hubs that should be watched for longer, to be sure that they stand still."""
        self.stacks: dict[NodeId, tuple[Frame, ...]] = {}
        """The frames of each suspended greenlet, innermost first."""
        self.descriptors: Mapping[NodeId, int] = {}
        """Those that wait for a file descriptor, and which."""

    def add(self, facts: Facts) -> None:
        """Add all greenlets, after the waits of threads are known."""
        try:
            reader = GreenletReader(self._python)
            if not reader.used:
                return
            found = self._read(reader, self._by_hand(facts))
            ring = self._ring(reader, found) if found else Ring()
        except BudgetSpentError:
            return
        except (LayoutError, DamagedDataError) as error:
            self._note(f"greenlets are not read: {error}")
            return
        except Exception as error:  # noqa: BLE001  what those of a busy hub lead to is anything
            self._note(f"greenlets could not be read: {type(error).__name__}: {error}")
            return
        if found is None:
            return
        for problem in found.problems:
            self._note(f"what greenlets wait for is not read: {problem}")
        titles = Titles(self._python.objects, self._python.names_by_ident, self._python.names)
        results = self._results(facts, found)
        edges = GreenletEdges(
            self._pid, found, titles, ring, self._python, self._child, results=results
        )
        self.stacks = edges.frames()
        self.descriptors = edges.descriptors()
        facts.tasks += edges.tasks()
        facts.event_loops += edges.event_loops()
        facts.waits += edges.waits()
        facts.holds += edges.holds()
        for resource in edges.resources():
            facts.resources.setdefault(resource.id, resource)
        self._suspect(facts, found)
        if found.truncated:
            message = "not all objects of the program could be listed: greenlets may be missing"
            self._python.objects.memory.spent.reach("greenlets", Source.CPYTHON, message)

    def _child(self, number: int) -> int | None:
        return called(self._pid, number) if self._live else None

    def _by_hand(self, facts: Facts) -> set[int]:
        """The threads in which the program itself may switch between greenlets, and one of these
        blocks the thread with all others: to find out costs a walk over all objects.

        That is looked for where a thread waits for a lock that nobody is known to hold, or is seen
        to be in a greenlet itself: its frames begin with none that a thread begins with. So it is
        where a library runs an event loop beside what the program itself does.
        """
        loops = {loop.tid for loop in facts.event_loops if loop.tid is not None}
        inside = {tid for tid in loops if self._in_greenlet(tid)}
        held = {hold.resource for hold in facts.holds}
        waiting = {
            wait.waiter.tid: wait.target
            for wait in facts.waits
            if wait.waiter.kind is NodeKind.THREAD and wait.target not in held
        }
        return inside | {
            tid
            for tid, target in waiting.items()
            if tid is not None
            and tid not in loops
            and (target.kind is NodeKind.LOCK or self._in_greenlet(tid))
        }

    def _results(self, facts: Facts, found: Greenlets) -> dict[int, int]:
        """The tasks of asyncio whose end is waited for by greenlets that nobody but the program or
        a library of its switches to: one that is a variable where a library switched away."""
        tasks = {task.address for task in facts.tasks if task.kind is NodeKind.TASK}
        results = {}
        for unit in found.units.values():
            if tasks and not unit.hub and unit.frames and unit.frames[0].installed:
                known = tasks & set(self._python.frames.variables(unit.frames[0]).values())
                if len(known) == 1:
                    results[unit.address] = known.pop()
        return results

    def _in_greenlet(self, tid: int) -> bool:
        frames = self._python.stacks.get(tid, ())
        return bool(frames) and frames[-1].code.bare_name not in _FIRST

    def _read(self, reader: GreenletReader, bare: set[int]) -> Greenlets | None:
        for _ in range(_ATTEMPTS):
            self._python.objects.memory.forget()
            found = reader.read(bare)
            if found is None or not found.truncated or not self._live:
                break
        return found

    def _ring(self, reader: GreenletReader, found: Greenlets) -> Ring:
        """The greenlets that nothing but others of them could wake, if that was so at one moment.

        Until the last of thousands was read the thread may have run, as a hub does that ticks.
        Those few that matter are read once more in a moment in which the kernel counts no run. If
        it runs too often for that, they may still be seen to be the same at each of many looks.
        """
        stuck = _stuck(found) | _without_end(found)
        tids = {found.units[one].tid for one in stuck}
        if not stuck or None in tids or not self._live:
            return Ring()
        threads = [tid for tid in tids if tid is not None]
        for look in range(_LOOKS):
            if look:
                time.sleep(_PAUSE_S)
            before = counters(self._pid, threads)
            self._python.objects.memory.forget()
            same = reader.again(found, stuck)
            after = counters(self._pid, threads)
            if not same:
                return Ring()
            if all(unmoved(before.get(tid), after.get(tid)) for tid in threads):
                return Ring(stuck)
        return Ring(stuck, looks=_LOOKS)

    def _note(self, message: str) -> None:
        self.notices.append(Notice(Source.CPYTHON, clean(message, 200), None, self._pid))

    def _suspect(self, facts: Facts, found: Greenlets) -> None:
        """Hubs of greenlets that hold what others wait for, and hubs held up by one."""
        awaited = {wait.target for wait in facts.waits}
        contended = {
            hold.tid
            for hold in found.holds
            if resource_id(hold.lock.kind, self._pid, hold.lock.address) in awaited
        }
        for unit in found.units.values():
            if unit.tid is not None and unit.address in contended:
                self.suspects.add(unit.tid)
        self.suspects |= {
            hub.tid
            for hub in found.hubs
            if hub.tid is not None and hub.current not in (0, hub.hub.address)
        }


def _stuck(found: Greenlets) -> set[int]:
    """The greenlets that wait, without a timeout, for nothing but each other."""
    ways: dict[Hashable, list[Hashable]] = {}
    for hold in found.holds:
        ways.setdefault((hold.lock.kind, hold.lock.address), []).append(hold.tid)
    for address, unit in found.units.items():
        if unit.waits and not _ends_by_itself(unit):
            ways[address] = [
                one.address if one.kind is NodeKind.GREENLET else (one.kind, one.address)
                for one in unit.waits
            ]
    return {one for one in largest_stuck(ways) if isinstance(one, int)}


def _without_end(found: Greenlets) -> set[int]:
    """The greenlets that only others of their process could wake, if they are few: who these are
    is found elsewhere."""
    units = found.units.items()
    waiting = {one for one, unit in units if unit.waits and not _ends_by_itself(unit)}
    return waiting if len(waiting) <= _FEW else set()


def _ends_by_itself(unit: GreenletReading) -> bool:
    """Whether a timer, or something from outside, may wake it."""
    return unit.until is not None or any(one.kind is None for one in unit.waits)
