"""Ray: which threads wait for results of which actors, and which thread runs an actor's methods.

A reference to a result holds the id of the task that is to give it, and that the id of the actor
whose method it is. A worker knows its own actor. So `ray.get` leads into the process that has to
answer, and both ends name the same node without knowing of each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from zlib import crc32

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import runs
from hangtui.backends.cpython.application import application_frame, application_place
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.dataclass import dataclass
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    NodeId,
    NodeKind,
    Resource,
    Source,
    Wait,
    clean,
    shared_id,
    thread_id,
)

_WORKER = "/ray/_private/worker.py"
_ID = 32
"""Where an id's bytes begin in the Cython objects of `_raylet`: behind header, methods and hash."""
_OWN, _ACTOR = 12, 16
"""Bytes of an actor's id: its own, and with those of its job."""
_TASK = 8
"""Bytes of a task's own id, before that of its actor."""
_FOR_EVER_S = 10**6
"""What `ray.wait` waits for at most if it was given no timeout."""
_NO_ACTOR = b"\xff" * _OWN
"""The actor of a plain task."""
_INNER = shared_id(NodeKind.WORKER, "ray-inner")
"""What a task waits for that waits for tasks: a worker whose task does not. A task is never among
those that it waits for itself."""
_MOST_REFERENCES, _MOST_ACTORS = 2000, 20


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


class RayResolver:
    """Resolves it for one process; without Ray it costs next to nothing."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python
        self._containers = Containers(python.objects, python.codes)
        self._getting: dict[int, _Getting] = {}

    def add(self, facts: Facts) -> None:
        """Add which results threads wait for, and who runs a method or a task."""
        inside = {
            tid: frames
            for tid, frames in self._python.stacks.items()
            if any(frame.code.filename.endswith(_WORKER) for frame in frames)
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
        """What a thread waits for, if it is inside of `ray.get` or `ray.wait`; else None."""
        inside = next((f for f in ("get_objects", "wait") if frames and _is(frames[0], f)), None)
        if inside is None:
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
        ids = tuple(self._id(one, "ObjectRef", _TASK + _ACTOR) for one in references)
        wanted = min(wanted or len(ids), len(ids))
        return _Getting(call, ids, wanted, not endless, application_place(frames))

    def _id(self, address: int, kind: str, size: int) -> bytes:
        """The bytes of an id.

        Raises:
            MemoryReadError: it is none.
        """
        name = self._python.objects.kind(address) or ""
        if name.rpartition(".")[2] != kind or self._python.objects.basic_size(address) <= _ID:
            raise MemoryReadError(f"no {kind}")
        return self._python.objects.memory.read(address + _ID, size)

    def _add_waits(self, facts: Facts, tid: int, getting: _Getting, *, runs_task: bool) -> None:
        waiter = thread_id(self._pid, tid)
        actors = list(dict.fromkeys(map(_actor_of, getting.references)))
        if len(actors) > _MOST_ACTORS:
            return
        facts.waits[:] = [wait for wait in facts.waits if wait.waiter != waiter]
        for actor in actors:
            count = sum(_actor_of(task) == actor for task in getting.references)
            certainty = Certainty.CERTAIN if len(actors) == 1 else Certainty.INFERRED
            # Of several, some may have come: at least one has not.
            text = f"{getting.call} waits for {_results(getting)}, "
            text += "whose ids name " if len(actors) == 1 else f"{count} of whose ids name "
            text += _named(actor)
            evidence = Evidence(Source.CPYTHON, certainty, text, getting.place)
            node = _INNER if actor == _NO_ACTOR and runs_task else _node(actor)
            wait = Wait(waiter, node, evidence, getting.expires, call=getting.call)
            facts.waits.append(replace(wait, turn=crc32(b"".join(getting.references))))
            facts.resources.setdefault(node, _resource(node, _label(actor), self._pid))

    # -- holds ----------------------------------------------------------------------------------

    def _add_hold(self, facts: Facts, tid: int, frames: Sequence[Frame]) -> None:
        """Whoever runs methods in its main loop runs one at a time: with a concurrency of more, or
        with groups, Ray runs all of them in threads of their own."""
        loop = next((i for i, frame in enumerate(frames) if _is(frame, "main_loop")), 0)
        if not loop:
            return
        own = list(self._actors())
        if len(own) > 1:
            return
        within = application_frame(reversed(frames[:loop]))
        function = within.shown().function if within else None
        what = f"is in {function}" if function else "runs one now"
        if own:
            actor, instance = own[0]
            title = clean(self._python.objects.type_name(instance), 100)
            node, certainty = _node(actor), Certainty.PROVEN
            text = f"it runs the methods of that actor one at a time, and {what}"
            facts.resources[node] = _resource(
                node, f"the actor {title} of process {self._pid}", self._pid
            )
        else:
            # Which task it is, only Ray knows.
            node, certainty = _node(_NO_ACTOR), Certainty.INFERRED
            text = f"it runs tasks, one at a time, and {what}"
            facts.resources[node] = _resource(node, _label(_NO_ACTOR), self._pid)
        evidence = Evidence(Source.CPYTHON, certainty, text, within.place if within else None)
        facts.add_hold(Hold(node, thread_id(self._pid, tid), evidence, function))
        waits = {wait.target for wait in facts.waits if wait.waiter == thread_id(self._pid, tid)}
        if node == _node(_NO_ACTOR) and not waits & {_node(_NO_ACTOR), _INNER}:
            facts.resources[_INNER] = _resource(_INNER, _label(_NO_ACTOR), self._pid)
            facts.add_hold(Hold(_INNER, thread_id(self._pid, tid), evidence, function))

    def _runs_task(self, frames: Sequence[Frame]) -> bool:
        """Whether the main loop of a worker that is no actor has called a task."""
        return any(_is(frame, "main_loop") for frame in frames[1:]) and not any(self._actors())

    def _actors(self) -> Iterator[tuple[bytes, int]]:
        """The actors of this worker: their ids and instances."""
        attributes = self._worker()
        actors = attributes.get("actors", 0)
        if self._python.objects.kind(actors) == "dict":
            for key, instance in self._python.objects.items(actors):
                yield self._id(key, "ActorID", _ACTOR), instance

    def _worker(self) -> dict[str, int]:
        worker = self._python.module("ray._private.worker").get("global_worker", 0)
        return self._python.objects.attributes(worker)


def _is(frame: Frame, function: str) -> bool:
    return runs(frame, function, _WORKER)


def _is_remote(wait: Wait) -> bool:
    return wait.target.kind in (NodeKind.ACTOR, NodeKind.WORKER)


def _actor_of(task: bytes) -> bytes:
    """Whose method a task is; plain tasks have no actor, whatever their job."""
    actor = task[_TASK:]
    return _NO_ACTOR if actor.startswith(_NO_ACTOR) else actor


def _node(actor: bytes) -> NodeId:
    if actor == _NO_ACTOR:
        return shared_id(NodeKind.WORKER, "ray")
    return shared_id(NodeKind.ACTOR, f"ray-{actor.hex()}")


def _label(actor: bytes) -> str:
    return (
        "a worker of Ray that runs its task"
        if actor == _NO_ACTOR
        else f"the actor {actor.hex()[:8]}"
    )


def _named(actor: bytes) -> str:
    return "no actor: they are plain tasks" if actor == _NO_ACTOR else "that actor"


def _results(getting: _Getting) -> str:
    count, wanted = len(getting.references), getting.wanted
    some = f"{wanted} of " if wanted < count else ""
    return "a result" if count == 1 else f"{some}{count} results"


def _resource(node: NodeId, name: str, pid: int) -> Resource:
    return Resource(node, node.kind, name, pid, 0, name=name, package="ray")
