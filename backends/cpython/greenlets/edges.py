"""What greenlets wait for and hold, in the words of the model."""

from collections.abc import Callable, Collection, Iterator, Mapping

from hangtui.backends.cpython.aio.loop_timers import left
from hangtui.backends.cpython.frames import Frame, place_of
from hangtui.backends.cpython.greenlets.awaited import Awaited
from hangtui.backends.cpython.greenlets.kills import killed as killed_by
from hangtui.backends.cpython.greenlets.sleeps import Sleeps
from hangtui.backends.cpython.greenlets.titles import Titles
from hangtui.backends.cpython.greenlets.units import GreenletReading, Greenlets, HubReading
from hangtui.backends.cpython.reader import PythonReader
from hangtui.dataclass import dataclass
from hangtui.model import (
    Certainty,
    EventLoop,
    Evidence,
    Hold,
    LoopState,
    NodeId,
    NodeKind,
    NoHolder,
    Resource,
    Sleep,
    Source,
    Task,
    TaskState,
    Wait,
    greenlet_id,
    object_label,
    process_id,
    resource_id,
    task_id,
    thread_id,
)

_ENDED = "it records its owner, a greenlet that has ended"
_MOST_ASKED = 50
"""Greenlets that sleep whose code is looked at."""
_WAITS_IN = {
    "gevent": ("/gevent/hub.py", ("run",)),
    "eventlet": ("/eventlet/hubs/", ("run", "wait", "do_poll")),
}
"""Where a hub is while it has nothing to run."""
_THROUGH_THE_HUB = {
    TaskState.RUNNING: "its frames are on this thread's stack",
    TaskState.READY: "it is ready, and only this thread's hub switches to it",
    TaskState.WAITING: "what ends its wait reaches it only through the hub of this thread",
}
_BY_HAND = "it is switched out, and only the thread that it was started in can switch to it"


@dataclass(frozen=True, slots=True)
class Ring:
    """Greenlets that wait for nothing but each other."""

    members: Collection[int] = ()
    looks: int = 0
    """0: all that keeps them was so at one moment. Else how many looks saw the same, between which
    their thread ran."""


class GreenletEdges:
    """Tells it of one process; *ring*: those that wait for nothing but each other; *child* tells
    the PID of a child from the number that the process has for it; *results*: the tasks of asyncio
    that greenlets wait for."""

    def __init__(
        self,
        pid: int,
        found: Greenlets,
        titles: Titles,
        ring: Ring,
        python: PythonReader,
        child: Callable[[int], int | None],
        *,
        results: Mapping[int, int],
    ) -> None:
        self._pid = pid
        self._found = found
        self._titles = titles
        self._ring = ring
        self._loops = python.loops
        self._sleeps = Sleeps(python)
        self._messages = python.message_loops
        self._child = child
        self._results = results
        self._left = _MOST_ASKED
        self._states = {
            hub.hub.address: _state(hub, python.stacks.get(hub.tid or 0, ())) for hub in found.hubs
        }

    # -- greenlets and hubs ---------------------------------------------------------------------

    def tasks(self) -> Iterator[Task]:
        """All greenlets."""
        killed = killed_by(self._found.units.values(), self._messages)
        for unit in self._found.units.values():
            title = self._titles.of(unit)
            for_ever, sleep = self._asleep(unit)
            yield Task(
                self._pid,
                unit.address,
                title.name,
                title.function,
                unit.state,
                unit.hub,
                unit.tid,
                tuple(frame.shown() for frame in unit.frames),
                self._words(unit),
                NodeKind.GREENLET,
                still=True if unit.address in self._ring.members else None,
                sleeps_for_ever=for_ever,
                cancels=int(unit.address in killed),
                cancelled_by=killed.get(unit.address),
                is_part=unit.state is TaskState.WAITING and self._messages.is_part(unit.frames),
                sleep=sleep,
            )

    def _asleep(self, unit: GreenletReading) -> tuple[bool | None, Sleep | None]:
        """Whether it does nothing any more but sleep, and how long it does; asked of few: of
        thousands it would take long."""
        by_clock = unit.state is TaskState.WAITING and unit.until is not None and not unit.waits
        if not by_clock or self._left == 0:
            return None, None
        self._left -= 1
        return self._loops.greenlet_sleeps_for_ever(unit.frames), self._sleeps.of(unit)

    def descriptors(self) -> Mapping[NodeId, int]:
        """Those that wait for one file descriptor and nothing else, and which."""
        found = {}
        for unit in self._found.units.values():
            if len(unit.waits) == 1 and unit.waits[0].descriptor is not None:
                found[greenlet_id(self._pid, unit.address)] = unit.waits[0].descriptor
        return found

    def event_loops(self) -> Iterator[EventLoop]:
        """All hubs."""
        for hub in self._found.hubs:
            inside = hub.current not in (0, hub.hub.address)
            yield EventLoop(
                self._pid,
                hub.hub.address,
                hub.hub.type_name,
                self._states[hub.hub.address],
                hub.tid,
                greenlet_id(self._pid, hub.current) if inside else None,
                hub.hub.timers,
                hub.hub.watched,
                hub.hub.signal_handlers,
                hub.library,
            )

    def _words(self, unit: GreenletReading) -> str | None:
        told = [one.text.replace("{}", self._label(one)) for one in unit.waits]
        if unit.until is not None and unit.state is TaskState.WAITING:
            time_left = left(unit.until)
            told += [f"at most {time_left}" if told else f"a timer ({time_left})"]
        return ", or ".join(told) or None

    def _label(self, awaited: Awaited) -> str:
        if awaited.kind is NodeKind.GREENLET:
            other = self._found.units.get(awaited.address)
            return f"greenlet {self._titles.of(other).short}" if other else "a greenlet"
        return self._named(awaited.address, awaited.type_name, awaited.name)

    # -- waits ----------------------------------------------------------------------------------

    def waits(self) -> Iterator[Wait]:
        """What greenlets wait for: greenlets, resources, or the thread that runs their hub."""
        for unit in self._found.units.values():
            resources = [one for one in unit.waits if one.kind is not None]
            children = [(one, pid) for one in unit.waits if (pid := self._child_of(one))]
            outside = len(resources) + len(children) < len(unit.waits)
            expires = unit.until is not None or outside
            for one in resources:
                yield self._wait(unit, one, expires=expires)
            for one, pid in children:
                evidence = Evidence(Source.CPYTHON, one.certainty, one.proof, unit.place)
                waiter = greenlet_id(self._pid, unit.address)
                yield Wait(waiter, process_id(pid), evidence, expires, "end")
            if not (resources or children):
                yield from self._through_the_hub(unit)

    def _child_of(self, awaited: Awaited) -> int | None:
        return self._child(awaited.process) if awaited.process else None

    def _wait(self, unit: GreenletReading, awaited: Awaited, *, expires: bool) -> Wait:
        certainty, text = awaited.certainty, awaited.proof
        if unit.address in self._ring.members and self._ring.looks:
            certainty = Certainty.INFERRED
            text += f"; so it was at each of {self._ring.looks} looks, between which its hub ran"
        evidence = Evidence(Source.CPYTHON, certainty, text, unit.place)
        kind = awaited.kind or NodeKind.FUTURE
        target = resource_id(kind, self._pid, awaited.address)
        waiter = greenlet_id(self._pid, unit.address)
        return Wait(waiter, target, evidence, expires, awaited.operation, awaited.call)

    def _through_the_hub(self, unit: GreenletReading) -> Iterator[Wait]:
        """A hub whose thread is inside of a greenlet or a callback runs nothing else."""
        waiter = greenlet_id(self._pid, unit.address)
        if unit.address in self._results:
            text = f"it has switched away in {unit.frames[0].code.function}, a variable of which "
            text += "is this task"
            evidence = Evidence(Source.CPYTHON, Certainty.INFERRED, text, place_of(unit.frames[:1]))
            yield Wait(waiter, task_id(self._pid, self._results[unit.address]), evidence)
            return
        if unit.tid is not None and not unit.hub:
            target = thread_id(self._pid, unit.tid)
            evidence = Evidence(Source.CPYTHON, Certainty.PROVEN, _BY_HAND, unit.place)
            yield Wait(waiter, target, evidence, operation="switch")
            return
        if unit.tid is None or self._states.get(unit.hub) is not LoopState.BUSY:
            return
        if not unit.waits and unit.state is TaskState.WAITING and unit.until is None:
            return  # nothing is known that would wake it
        evidence = Evidence(
            Source.CPYTHON, Certainty.PROVEN, _THROUGH_THE_HUB[unit.state], unit.place
        )
        yield Wait(waiter, thread_id(self._pid, unit.tid), evidence, operation="run")

    # -- holds and resources --------------------------------------------------------------------

    def holds(self) -> Iterator[Hold]:
        """Which greenlets hold locks, and which are known to end a wait."""
        for hold in self._found.holds:
            node = resource_id(hold.lock.kind, self._pid, hold.lock.address)
            evidence = Evidence(Source.CPYTHON, hold.certainty, hold.text, hold.where)
            yield Hold(node, greenlet_id(self._pid, hold.tid), evidence)
        for unit in self._found.units.values():
            for one in unit.waits:
                node = resource_id(one.kind or NodeKind.FUTURE, self._pid, one.address)
                owners = [(greenlet_id(self._pid, owner.ident), owner) for owner in one.owners]
                owners += [(thread_id(self._pid, owner.ident), owner) for owner in one.threads]
                for holder, owner in owners:
                    evidence = Evidence(Source.CPYTHON, owner.certainty, owner.text)
                    yield Hold(node, holder, evidence)

    def resources(self) -> Iterator[Resource]:
        """What greenlets wait for or hold."""
        held = {hold.lock.address for hold in self._found.holds}
        for hold in self._found.holds:
            yield self._resource(hold.lock.kind, hold.lock.address, hold.lock.type_name, None)
        for unit in self._found.units.values():
            for one in unit.waits:
                if one.kind in (None, NodeKind.GREENLET):
                    continue
                kind = one.kind or NodeKind.FUTURE
                untold = one.kind is NodeKind.LOCK and one.address not in held and not one.missed
                note = "it is locked, and nothing tells by which greenlet" if untold else one.note
                note = _ENDED if one.address in self._found.orphaned else note
                untold_by = NoHolder.UNTOLD if untold else NoHolder.MISSED if one.missed else None
                yield self._resource(
                    kind, one.address, one.type_name, note, untold_by, name=one.name
                )

    def _named(self, address: int, type_name: str, name: str = "") -> str:
        return object_label(name or self._found.names.get(address) or None, type_name, address)

    def _resource(
        self,
        kind: NodeKind,
        address: int,
        type_name: str,
        note: str | None,
        no_holder: NoHolder | None = None,
        *,
        name: str = "",
    ) -> Resource:
        return Resource(
            resource_id(kind, self._pid, address),
            kind,
            self._named(address, type_name, name),
            self._pid,
            address,
            note=note,
            orphaned=address in self._found.orphaned,
            no_holder=no_holder,
            name=name or self._found.names.get(address) or None,
            type_name=type_name,
        )

    def frames(self) -> dict[NodeId, tuple[Frame, ...]]:
        """The frames of those that do not run, innermost first."""
        return {
            greenlet_id(self._pid, unit.address): unit.frames
            for unit in self._found.units.values()
            if unit.state is not TaskState.RUNNING
        }


def _state(hub: HubReading, stack: tuple[Frame, ...]) -> LoopState:
    if hub.tid is None:
        return LoopState.STOPPED
    if hub.current != hub.hub.address or not stack:
        return LoopState.BUSY
    code = stack[0].code
    place, functions = _WAITS_IN[hub.library]
    waits = place in code.filename and code.bare_name in functions
    return LoopState.IDLE if waits else LoopState.BUSY
