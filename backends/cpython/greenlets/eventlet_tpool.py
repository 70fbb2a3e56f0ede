"""eventlet's pool of threads of the system, `eventlet.tpool`: which of them does, or is to do, what
a greenlet waits for the result of."""

from collections.abc import Callable, Iterator, Mapping

from hangtui.backends.cpython.awaited import Owner
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.greenlets.members import Members
from hangtui.backends.cpython.greenlets.threadpools import Work
from hangtui.backends.cpython.objects import Objects
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, clean

_MODULE, _FILE = "eventlet.tpool", "eventlet/tpool.py"
_WORKER = "tworker"
"""What each of its threads runs: it takes one call after the other."""
_MOST = 1000


@dataclass(frozen=True, slots=True)
class _Worker:
    tid: int
    variables: Mapping[str, int]


class Tpool:
    """Reads it by the frames of its threads and by its module's variables; *stacks*: those of
    threads, by TID."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        members: Members,
        stacks: Mapping[int, tuple[Frame, ...]],
        module: Callable[[str], Mapping[str, int]],
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._members = members
        self._stacks = stacks
        self._module = module
        self._known: Mapping[int, Work] | None = None

    def of(self, event: int) -> Work | None:
        """The call whose result *event* brings; None: none that is known.

        Raises:
            MemoryReadError: they cannot be read.
            BudgetSpentError: too many objects of this process were looked at.
        """
        if self._known is None:
            workers = list(self._workers())
            self._known = dict([*self._queued(workers), *_running(workers, self._call)])
        return self._known.get(event)

    def _workers(self) -> Iterator[_Worker]:
        for tid, frames in self._stacks.items():
            for frame in frames:
                if frame.code.bare_name == _WORKER and frame.code.filename.endswith(_FILE):
                    yield _Worker(tid, self._frames.variables(frame))

    def _queued(self, workers: list[_Worker]) -> Iterator[tuple[int, Work]]:
        if not workers:
            return
        known = self._module(_MODULE)
        # All of its threads are started at once.
        whole = len(self._members.sequence(known.get("_threads", 0))) == len(workers)
        certainty = Certainty.PROVEN if whole else Certainty.INFERRED
        waiting = self._objects.attributes(known.get("_reqq", 0)).get("queue", 0)
        for item in self._members.sequence(waiting)[:_MOST]:
            event, function = (*self._members.sequence(item), 0, 0)[:2]
            what = self._call(function)
            text = f"{what} is in the queue of eventlet.tpool, whose thread this is"
            owners = tuple(Owner(one.tid, certainty, text) for one in workers)
            yield event, Work(what, owners)

    def _call(self, function: int) -> str:
        name = self._objects.function_name(function) if function else None
        return f"{clean(name, 80)}()" if name else "the call"


def _running(workers: list[_Worker], call: Callable[[int], str]) -> Iterator[tuple[int, Work]]:
    for one in workers:
        if event := one.variables.get("e", 0):
            what = call(one.variables.get("meth", 0))
            owner = Owner(one.tid, Certainty.PROVEN, f"it runs {what}, whose result this is")
            yield event, Work(what, (owner,))
