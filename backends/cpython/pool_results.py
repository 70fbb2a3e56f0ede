"""Which threads of multiprocessing's `ThreadPool` run the tasks of a result, or are to take them.

Lib/multiprocessing/pool.py. The results of a call have a number, `_job`, which whoever runs a task
of it has in a variable of `worker`, and sets to None before it takes the next one; no two pools of
a process have the same. Up to CPython 3.7 a result does not lead to its pool.
"""

from collections.abc import Mapping

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.awaited import Awaited, Owner
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.model import Certainty, NodeKind

_FILES = ("/multiprocessing/pool.py", "/multiprocess/pool.py")
_WAITS = frozenset({"wait", "next"})
"""Methods of ``ApplyResult`` and ``IMapIterator`` that wait for a result."""
_CALLS = frozenset({"apply", "map", "starmap"})
"""Methods of the pool that wait themselves, for a result that only they have."""
_INNERMOST = 3
"""Frames among which the result's is, after those of threading."""
_OF_PROCESSES = ("multiprocessing.", "multiprocess.", "billiard.")
"""Where the type of the queue is from out of which a pool's processes take their tasks."""
_RUNS = "its frame runs a task of this very call"
_QUEUED = "its tasks are queued, and this is a worker of their pool"


class PoolResults:
    """Reads those of one process. *stacks*: frames by ``Thread.ident``."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        containers: Containers,
        stacks: Mapping[int, tuple[Frame, ...]],
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self._stacks = stacks

    def awaited(self, frames: tuple[Frame, ...]) -> Awaited | None:
        """The result that a thread with these *frames* waits for; None: none, or one that other
        processes work for."""
        for frame in frames[1:_INNERMOST]:
            if frame.code.bare_name in _WAITS and frame.code.filename.endswith(_FILES):
                result = self._frames.variables(frame).get("self", 0)
                owners = self._owners(result, each=frame.code.bare_name == "wait")
                if not owners:
                    return None
                return Awaited(
                    NodeKind.FUTURE,
                    result,
                    "it waits for the tasks of a call to be done",
                    type_name=self._objects.qualified_type(result),
                    name=_name(frames),
                    owners=owners,
                    call=frame.code.bare_name,
                )
        return None

    def _owners(self, result: int, *, each: bool) -> tuple[Owner, ...]:
        """*each*: it is there once all of its tasks are done."""
        attributes = self._objects.attributes(result)
        job = self._containers.integer(attributes.get("_job", 0))
        queue = self._objects.attributes(attributes.get("_pool", 0)).get("_inqueue", 0)
        if job is None:
            return ()
        running, idle = list[int](), list[int]()
        for ident, frames in self._stacks.items():
            for frame in frames:
                if frame.code.bare_name == "worker" and frame.code.filename.endswith(_FILES):
                    variables = self._frames.variables(frame)
                    if self._of_processes(variables.get("inqueue", 0), queue):
                        continue
                    if self._containers.integer(variables.get("job", 0)) == job:
                        running.append(ident)
                    elif queue and variables.get("inqueue") == queue:
                        idle.append(ident)
        if running:
            certainty = Certainty.PROVEN if each else Certainty.INFERRED
            return tuple(Owner(ident, certainty, _RUNS) for ident in running)
        return tuple(Owner(ident, Certainty.INFERRED, _QUEUED) for ident in idle)

    def _of_processes(self, inqueue: int, queue: int) -> bool:
        """Whether a worker that takes from *inqueue* is a process of a pool, or of another pool
        than that whose tasks are in *queue*: its numbers of results are those of its parent."""
        taken = self._objects.qualified_type(inqueue) if inqueue else None
        return bool(queue and inqueue != queue) or (taken or "").startswith(_OF_PROCESSES)


def _name(frames: tuple[Frame, ...]) -> str | None:
    """``the result of ThreadPool.map()``, where the pool waits for it itself; None: a variable of
    the program's refers to it."""
    called = [one.code.bare_name for one in frames if one.code.filename.endswith(_FILES)]
    return f"the result of ThreadPool.{called[-1]}()" if called[-1] in _CALLS else None
