"""Executors of `concurrent.futures` whose workers are greenlets, as patching makes them: who is to
do what is queued in them."""

from collections.abc import Iterator, Mapping

from hangtui.backends.cpython.awaited import Owner
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.greenlets.members import Members
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, clean

_POOL = "concurrent/futures/thread.py"
_ITEMS = 40
"""``gevent.queue.SimpleQueue.queue`` (gevent/_queue.pxd)."""
_MOST = 1000


@dataclass(frozen=True, slots=True)
class _Pool:
    executor: int
    workers: list[int]


class GreenletExecutors:
    """Reads them by the frames of their workers; *stacks*: those of all greenlets, by address."""

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
        self._known: Mapping[int, list[Owner]] | None = None

    def of(self, future: int) -> tuple[Owner, ...]:
        """The workers of the executor in whose queue the task of *future* is; empty: in none that
        is known.

        Raises:
            MemoryReadError: they cannot be read.
        """
        if self._known is None:
            self._known = dict(self._queued())
        return tuple(self._known.get(future, ()))

    def _queued(self) -> Iterator[tuple[int, list[Owner]]]:
        for queue, pool in self._pools().items():
            whole = self._is_whole(pool)
            certainty = Certainty.PROVEN if whole else Certainty.INFERRED
            for item in self._items(queue):
                attributes = self._objects.attributes(item)
                call = self._members.sequence(attributes.get("task", 0))  # 3.14 on
                name = self._objects.function_name(call[0] if call else attributes.get("fn", 0))
                what = f"{clean(name, 80)}()" if name else "the task"
                text = f"{what} is in the queue of the pool whose worker this is"
                owners = [Owner(one, certainty, text) for one in pool.workers]
                yield attributes.get("future", 0), owners

    def _pools(self) -> dict[int, _Pool]:
        """By their queues."""
        found: dict[int, _Pool] = {}
        for address, frames in self._stacks.items():
            for frame in frames:
                code = frame.code
                if code.bare_name != "_worker" or not code.filename.endswith(_POOL):
                    continue
                variables = self._frames.variables(frame)
                queue, reference = (
                    variables.get(name, 0) for name in ("work_queue", "executor_reference")
                )
                if queue:
                    pool = found.setdefault(queue, _Pool(self._referred(reference), []))
                    pool.workers.append(address)
        return found

    def _items(self, queue: int) -> list[int]:
        if self._members.compiled(queue):
            place = self._members.reference(queue, "queue", _ITEMS)
        else:
            fields = self._members.all(queue)
            place = fields.get("queue", 0) or fields.get("_queue", 0)
        return self._members.sequence(place)[:_MOST]

    def _is_whole(self, pool: _Pool) -> bool:
        """Whether all its workers are known: one that is just started has no frames, and while it
        may start more, somebody else can do what is queued."""
        attributes = self._objects.attributes(pool.executor)
        threads = self._members.items_of_set(attributes.get("_threads", 0))
        most = attributes.get("_max_workers", 0)
        room = self._objects.integer(most) if self._objects.kind(most) == "int" else None
        return len(threads) == len(pool.workers) == room

    def _referred(self, reference: int) -> int:
        """What a weak reference refers to; 0: nothing."""
        if not (self._objects.kind(reference) or "").startswith("weakref"):
            return 0
        try:
            return self._objects.memory.u64(reference + self._objects.layout["weakref.wr_object"])
        except MemoryReadError:
            return 0
