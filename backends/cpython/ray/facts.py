"""Ray: which threads wait for results of which actors, and which threads run an actor's methods.

A worker knows its own actor, and a reference the id of the actor whose method is to give the
result. So `ray.get` leads into the process that has to answer.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from zlib import crc32

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import runs
from hangtui.backends.cpython.application import application_frame, application_place
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.ray import ids
from hangtui.backends.cpython.ray.asked import Asked
from hangtui.backends.cpython.ray.calls import Calls
from hangtui.backends.cpython.ray.groups import FILE, group_at_hand, group_waited, told_group
from hangtui.backends.cpython.ray.ids import NO_ACTOR
from hangtui.backends.cpython.ray.worker import Worker
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.dataclass import dataclass
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    NodeId,
    NodeKind,
    Source,
    Wait,
    shared_id,
    thread_id,
)

_MODULE, _WORKER = "ray._private.worker", "/ray/_private/worker.py"
_CHANNELS = "/ray/experimental/channel/"
"""What reads there asks for what the actors of a compiled graph write, and not for tasks."""
_METHODS = "/ray/_private/function_manager.py"
_FOR_EVER_S = 10**6
"""What `ray.wait` waits for at most if it was given no timeout."""
_INNER = shared_id(NodeKind.WORKER, "ray-inner")
"""What a task waits for that waits for tasks: a worker whose task does not. A task is never among
those that it waits for itself."""
_GROUP, _PERHAPS = shared_id(NodeKind.WORKER, "ray-group"), Certainty.INFERRED
_MOST_REFERENCES, _MOST_ACTORS, _MOST_CALLS = 2000, 20, 20
_MOST_ASKED = 3
_WAITS, _ADDRESS = "PlacementGroup.wait", 8
_IN_WAIT = "it is in that group's method `wait`"


@dataclass(frozen=True, slots=True)
class _Getting:
    """A thread inside of `ray.get` or `ray.wait`."""

    call: str
    references: tuple[bytes, ...]
    """The ids that it waits for, each of task and actor."""
    wanted: int
    """Of how many of them it needs the results."""
    expires: bool
    place: str | None
    asks: tuple[str, ...] = ()
    """The remote calls of which it may wait for the results, as its code spells them."""
    group: str | None = None
    """The placement group that who waits has at hand, in words, if it waits for one plain task."""

    def calls_of(self, actor: bytes) -> tuple[NodeId, ...]:
        """The calls of one actor's methods that it needs the results of: none if it can do without
        some, or if they are many."""
        known = actor != NO_ACTOR and self.wanted == len(self.references)
        tasks = [task for task in self.references if ids.actor_of(task) == actor]
        few = known and len(tasks) <= _MOST_CALLS
        return tuple(map(ids.call_node, dict.fromkeys(tasks))) if few else ()


class RayResolver:
    """Resolves it for one process; without Ray it costs next to nothing."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python
        self._containers = Containers(python.objects, python.codes)
        self._getting: dict[int, _Getting] = {}
        self._worker = Worker(python)
        self._asked = Asked(python)

    def add(self, facts: Facts) -> None:
        """Add which results threads wait for, and who runs a method or a task."""
        inside = {
            tid: frames
            for tid, frames in self._python.stacks.items()
            if any(frame.code.filename.endswith((_WORKER, _METHODS, FILE)) for frame in frames)
        }
        for tid, frames in inside.items():
            try:
                with foreign_data():
                    getting = self._read(frames)
                    if getting is not None:
                        self._getting[tid] = getting
                        self._add_waits(facts, tid, getting, runs_task=self._runs_task(frames))
                    self._add_hold(facts, tid, frames)
            except DamagedDataError:
                continue
        if inside:
            self._name_actors(facts)
        if inside or (self._awaits_future(facts) and self._python.module(_MODULE)):
            Calls(self._pid, self._python, self._worker).add(facts)

    def _awaits_future(self, facts: Facts) -> bool:
        """Whether one waits for a future, which a reference may have given."""
        return any(
            wait.target.kind is NodeKind.FUTURE and wait.target.pid == self._pid
            for wait in facts.waits
        )

    def conclude(self, facts: Facts) -> None:
        """Take back waits that ended meanwhile, and mark those that surely did not: a result that
        has come stays, so whoever waits for the same one at last as at first has waited on. Who
        waits for others by now gets on, and waits for these."""
        if not self._getting:
            return
        self._python.objects.memory.forget()
        for tid, before in self._getting.items():
            waiter = thread_id(self._pid, tid)
            ours = [wait for wait in facts.waits if wait.waiter == waiter and _is_remote(wait)]
            facts.waits[:] = [wait for wait in facts.waits if wait not in ours]
            now, runs_task = self._look_again(tid)
            if now is not None and now.references == before.references:
                facts.waits += [replace(wait, lasting=True) for wait in ours]
            elif now is not None:
                self._add_waits(facts, tid, now, runs_task=runs_task)

    def _look_again(self, tid: int) -> tuple[_Getting | None, bool]:
        """What a thread waits for now, if it does, and whether it runs a task meanwhile."""
        thread = self._python.threads.get(tid)
        try:
            with foreign_data():
                frames = tuple(self._python.frames.walk(thread.state)) if thread else ()
                return self._read(frames), self._runs_task(frames)
        except DamagedDataError:
            return None, False

    # -- waits ----------------------------------------------------------------------------------

    def _read(self, frames: Sequence[Frame]) -> _Getting | None:
        """What a thread waits for, if it is inside of `ray.get` or `ray.wait`, or waits for a
        placement group; else None."""
        if waited := group_waited(frames, self._python):
            value, name = waited
            text = told_group(self._python, self._containers, name, value)
            reference = value.to_bytes(_ADDRESS, "little") + NO_ACTOR
            place = application_place(frames)
            return _Getting(_WAITS, (reference,), 1, expires=True, place=place, group=text)
        inside = next((f for f in ("get_objects", "wait") if frames and _is(frames[0], f)), None)
        if inside is None or (frames[1:] and _CHANNELS in frames[1].code.filename):
            return None
        variables = self._python.frames.variables(frames[0])
        if inside == "wait":
            name, call = "ray_waitables", "ray.wait"
            endless = self._containers.integer(variables.get("timeout", 0)) == _FOR_EVER_S
            wanted = self._containers.integer(variables.get("num_returns", 0))
        else:
            name, call, wanted = "object_refs", "ray.get", None
            endless = self._python.objects.kind(variables.get("timeout", 0)) == "NoneType"
        references = self._containers.sequence(variables.get(name, 0))
        if not references or len(references) > _MOST_REFERENCES:
            return None
        tasks = tuple(ids.read_id(self._python.objects, one, "ObjectRef") for one in references)
        wanted = min(wanted or len(tasks), len(tasks))
        own, group = application_frame(frames), None
        if own is not None and len(tasks) == 1 and ids.actor_of(tasks[0]) == NO_ACTOR:
            ready = self._asked.ready(own)
            group = group_at_hand(self._python, self._containers, own, ready)
        asks = self._asked.of(own) if own is not None and group is None else ()
        return _Getting(call, tasks, wanted, not endless, application_place(frames), asks, group)

    def _add_waits(self, facts: Facts, tid: int, getting: _Getting, *, runs_task: bool) -> None:
        waiter = thread_id(self._pid, tid)
        actors = list(dict.fromkeys(map(ids.actor_of, getting.references)))
        if len(actors) > _MOST_ACTORS:
            return
        facts.waits[:] = [wait for wait in facts.waits if wait.waiter != waiter]
        for actor in actors:
            count = sum(ids.actor_of(task) == actor for task in getting.references)
            certainty = Certainty.CERTAIN if len(actors) == 1 else Certainty.INFERRED
            # Of several, some may have come: at least one has not.
            text = f"{getting.call} waits for {_results(getting)}, "
            text += "whose ids name " if len(actors) == 1 else f"{count} of whose ids name "
            text += ids.named(actor)
            node, label = ids.actor_node(actor), ids.label(actor)
            if getting.group is not None:
                node, label, certainty = _GROUP, getting.group, _PERHAPS
                known = "; who waits has it at hand, and asks it whether it is ready"
                text = _IN_WAIT if getting.call == _WAITS else text + known
            elif actor == NO_ACTOR and runs_task:
                node = _INNER
            evidence = Evidence(Source.CPYTHON, certainty, text, getting.place)
            wait = Wait(waiter, node, evidence, getting.expires, call=getting.call)
            turn = crc32(b"".join(getting.references))
            asks = _told(getting.asks, actor) if len(actors) == 1 else None
            calls = getting.calls_of(actor)
            facts.waits.append(replace(wait, turn=turn, calls=calls, asks=asks))
            facts.resources.setdefault(node, ids.resource(node, label, self._pid))

    # -- holds ----------------------------------------------------------------------------------

    def _add_hold(self, facts: Facts, tid: int, frames: Sequence[Frame]) -> None:
        """Whoever runs methods in its main loop runs one at a time: with a concurrency of more, or
        with groups, Ray runs all of them in threads of their own."""
        loop = next((i for i, frame in enumerate(frames) if _is(frame, "main_loop")), None)
        runs_it = loop is None and any(runs(f, "actor_method_executor", _METHODS) for f in frames)
        own = list(self._worker.actors())
        if len(own) > 1 or not (loop or runs_it):
            return
        within = application_frame(reversed(frames[:loop]))
        function = within.shown().function if within else None
        what = f"is in {function}" if function else "runs one now"
        if own:
            node = ids.actor_node(own[0][0])
            # Of several threads one may have the call that is waited for, or it comes behind them.
            certainty = Certainty.INFERRED if runs_it else Certainty.PROVEN
            how = "in several threads, of which this one" if runs_it else "one at a time, and"
            text = f"it runs the methods of that actor {how} {what}"
        else:
            # Which task it is, only Ray knows.
            node, certainty = ids.actor_node(NO_ACTOR), Certainty.INFERRED
            text = f"it runs tasks, one at a time, and {what}"
            facts.resources[node] = ids.resource(node, ids.label(NO_ACTOR), self._pid)
        evidence = Evidence(Source.CPYTHON, certainty, text, within.place if within else None)
        facts.add_hold(Hold(node, thread_id(self._pid, tid), evidence, function))
        waits = {wait.target for wait in facts.waits if wait.waiter == thread_id(self._pid, tid)}
        if node == ids.actor_node(NO_ACTOR) and not waits & {ids.actor_node(NO_ACTOR), _INNER}:
            facts.resources[_INNER] = ids.resource(_INNER, ids.label(NO_ACTOR), self._pid)
            facts.add_hold(Hold(_INNER, thread_id(self._pid, tid), evidence, function))

    def _name_actors(self, facts: Facts) -> None:
        """Call the actors that live here by their class, whoever waits for them."""
        with suppress(DamagedDataError), foreign_data():
            for actor, title in self._worker.actors():
                node = ids.actor_node(actor)
                name = f"the actor {title} of process {self._pid}"
                facts.resources[node] = ids.resource(node, name, self._pid)

    def _runs_task(self, frames: Sequence[Frame]) -> bool:
        """Whether the main loop of a worker that is no actor has called a task."""
        inside = any(_is(frame, "main_loop") for frame in frames[1:])
        return inside and not any(self._worker.actors())


def _is(frame: Frame, function: str) -> bool:
    return runs(frame, function, _WORKER)


def _is_remote(wait: Wait) -> bool:
    return wait.target.kind in (NodeKind.ACTOR, NodeKind.WORKER)


def _told(asks: Sequence[str], actor: bytes) -> str | None:
    """``ledger.book() and ledger.set_rates()``: of several calls those of methods, or of functions,
    whichever is waited for; None: none is known, or they are many."""
    if len(asks) > 1:
        asks = [one for one in asks if ("." in one) is (actor != NO_ACTOR)]
    return " and ".join(asks) if 0 < len(asks) <= _MOST_ASKED else None


def _results(getting: _Getting) -> str:
    count, wanted = len(getting.references), getting.wanted
    some = f"{wanted} of " if wanted < count else ""
    return "a result" if count == 1 else f"{some}{count} results"
