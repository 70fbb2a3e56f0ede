"""gevent's pools of threads of the system: which of them does, or is to do, what a greenlet waits
for the result of."""

from collections.abc import Iterator, Mapping, Sequence

from hangtui.backends.cpython.awaited import Owner, self_of
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.greenlets.members import Members
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, clean

_FILE = "gevent/threadpool.py"
_RUNS, _TAKES = "__run_task", "run"
"""Functions of a worker: what runs one task, and what takes one after the other."""
_APPLY, _POOL_FILE, _POOL = "apply", "gevent/pool.py", "ThreadPool"
"""What gives a task to a pool and waits for its result."""
_MOST = 1000


@dataclass(frozen=True, slots=True)
class Work:
    """One task."""

    call: str
    """``read_block()``."""
    owners: tuple[Owner, ...]
    """The threads one of which does it."""


@dataclass(frozen=True, slots=True)
class _Pool:
    worker: int
    """One of its workers, which knows the pool."""
    tids: list[int]


class ThreadPools:
    """Reads them by the frames of their workers; *stacks*: those of threads, by TID."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        members: Members,
        stacks: Mapping[int, tuple[Frame, ...]],
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._members = members
        self._stacks = stacks
        self._known: Mapping[int, Work] | None = None

    def of(self, result: int, frames: Sequence[Frame] = ()) -> Work | None:
        """The task that sets *result*, an AsyncResult; None: none that is known. *frames*: of who
        waits for it.

        Raises:
            MemoryReadError: they cannot be read.
            BudgetSpentError: too many objects of this process were looked at.
        """
        if self._known is None:
            self._known = {**dict(self._queued()), **dict(self._running())}
        known = self._known.get(result)
        return known if known or self._pools() else self._given(frames)

    def _given(self, frames: Sequence[Frame]) -> Work | None:
        """What who waits has given to a pool of which there are no threads, as after a fork."""
        for frame in frames:
            pool = self_of(self._frames, frame, _APPLY, _POOL_FILE)
            if pool and self._objects.type_name(pool).rpartition(".")[2] == _POOL:
                called = self._call(self._frames.variables(frame).get("func", 0))
                return Work(f"{called} in a thread of gevent's {_POOL}", ())
        return None

    def _running(self) -> Iterator[tuple[int, Work]]:
        for tid, frames in self._stacks.items():
            for frame in frames:
                if frame.code.bare_name == _RUNS and frame.code.filename.endswith(_FILE):
                    variables = self._frames.variables(frame)
                    what = self._call(variables.get("func", 0))
                    text = f"it runs {what}, whose result this is"
                    receiver = self._receiver(variables.get("thread_result", 0))
                    yield receiver, Work(what, (Owner(tid, Certainty.PROVEN, text),))

    def _queued(self) -> Iterator[tuple[int, Work]]:
        for queue, pool in self._pools().items():
            whole = self._is_whole(pool)
            certainty = Certainty.PROVEN if whole else Certainty.INFERRED
            for item in self._members.sequence(self._field(queue, "_queue"))[:_MOST]:
                function, _, _, told = (*self._members.sequence(item), 0, 0, 0, 0)[:4]
                what = self._call(function)
                text = f"{what} is in the queue of the pool whose worker this is"
                owners = tuple(Owner(tid, certainty, text) for tid in pool.tids)
                yield self._receiver(told), Work(what, owners)

    def _pools(self) -> dict[int, _Pool]:
        """By their queues."""
        found: dict[int, _Pool] = {}
        for tid, frames in self._stacks.items():
            for frame in frames:
                worker = self_of(self._frames, frame, _TAKES, _FILE)
                queue = self._field(worker, "_task_queue") if worker else 0
                if queue:
                    found.setdefault(queue, _Pool(worker, [])).tids.append(tid)
        return found

    def _is_whole(self, pool: _Pool) -> bool:
        """Whether it has as many threads as it may have, and all of them are known: else another
        one may be on its way."""
        of = self._objects.bound_to(self._field(pool.worker, "_unregister_worker"))
        most = self._field(of, "_maxsize")
        if self._objects.kind(most) != "int":
            return False
        workers = self._members.items_of_set(self._field(of, "_worker_greenlets"))
        return len(workers) == len(pool.tids) == self._objects.integer(most)

    def _receiver(self, told: int) -> int:
        """The AsyncResult that is told when a task is done."""
        return self._field(told, "receiver")

    def _field(self, address: int, name: str) -> int:
        try:
            return self._members.all(address).get(name, 0) if address else 0
        except MemoryReadError:
            return 0

    def _call(self, function: int) -> str:
        name = self._objects.function_name(function) if function else None
        return f"{clean(name, 80)}()" if name else "the task"
