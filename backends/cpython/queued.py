"""Calls that wait for their turn in a loop, while somebody waits for what one of them would do: the
thread that runs the loop itself, or another one."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass
from hangtui.model import clean

_QUEUES = {
    "ReactorBase": ("threadCallQueue",),
    "BaseEventLoop": ("_ready",),
    "BlockingConnection": ("_impl", "_nbio", "_loop", "_callbacks"),
    "Runner": ("entry_queue", "queue"),
}
"""Where schedulers keep the calls that they make next, by the class that they are based on: of
Twisted, of asyncio, of pika and of trio."""
_TITLES = {"Runner": "event loop of trio"}
"""What to call those whose class's name says little."""
_OWNERS = ("self", "runner")
"""How frames that run a loop call it: trio's is given to a function."""
_MAKES_ITS_OWN = frozenset({"blockingCallFromThread"})
"""Functions that wait for an object that they made and gave to none but the queued call."""
_RESULTS = frozenset({"set_result", "set_exception"})
_FRAMES, _CALLS, _PARTS, _REACHED = 100, 1000, 20, 100


@dataclass(frozen=True, slots=True)
class QueuedCall:
    """A call that would end a wait."""

    function: str
    scheduler: str
    """The type of what is to make the call: ``EPollReactor``."""
    alone: bool
    """Nothing else can end that wait."""
    settles: bool = False
    """It has a future at hand, and calls what gives one its result."""


class QueuedCalls:
    """Reads the queues of loops that run below the frames of a waiting thread."""

    def __init__(
        self, objects: Objects, frames: Frames, containers: Containers, codes: CodeReader
    ) -> None:
        self._codes = codes
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self._loops: list[tuple[int, int, str]] | None = None
        """Threads, with the loops that they run, and their classes."""

    def ending(self, stack: tuple[Frame, ...], awaited: int) -> QueuedCall | None:
        """The queued call that would end the wait of *stack* for the object at *awaited*."""
        alone = False
        for frame, loop, name in self._loops_on(stack):
            alone = alone or any(one.code.function in _MAKES_ITS_OWN for one in stack[: frame + 1])
            found = self._queued_in(loop, name, awaited)
            if found is not None:
                return replace(found, alone=alone)
        return None

    def elsewhere(
        self, stacks: Mapping[int, tuple[Frame, ...]], tid: int, awaited: int
    ) -> tuple[int, QueuedCall] | None:
        """The queued call that would end the wait of thread *tid* for the object at *awaited*, in a
        loop that another thread runs, and that thread."""
        if self._loops is None:
            self._loops = [
                (one, loop, name)
                for one, stack in stacks.items()
                for _, loop, name in self._loops_on(stack)
            ]
        for one, loop, name in self._loops:
            found = self._queued_in(loop, name, awaited) if one != tid else None
            if found is not None:
                return one, found
        return None

    def _loops_on(self, stack: tuple[Frame, ...]) -> Iterator[tuple[int, int, str]]:
        """The loops that run below these frames: where, which, and the class of each."""
        seen = set[int]()
        for index, frame in enumerate(stack[:_FRAMES]):
            loop = self._owner_of(frame)
            if not loop or loop in seen:
                continue
            seen.add(loop)
            for name in _QUEUES.keys() & set(self._containers.classes(loop)):
                yield index, loop, name

    def _queued_in(self, loop: int, name: str, awaited: int) -> QueuedCall | None:
        queue = loop
        for way in _QUEUES[name]:
            queue = self._containers.members(queue).get(way, 0) if queue else 0
        found = self._function(queue, awaited) if queue else None
        if found is None:
            return None
        function, settles = found
        title = _TITLES.get(name) or clean(self._objects.type_name(loop).rpartition(".")[2], 100)
        return QueuedCall(function, title, alone=False, settles=settles)

    def _owner_of(self, frame: Frame) -> int:
        """``self`` of a frame, or the loop that it was given; 0: it has none, or that cannot be
        read."""
        names = frame.code.variables
        name = next((one for one in _OWNERS if one in names), None)
        try:
            return self._frames.variable(frame, names.index(name)) if name else 0
        except MemoryReadError:
            return 0

    def _function(self, queue: int, awaited: int) -> tuple[str, bool] | None:
        """The name of a function in *queue* that reaches the object at *awaited*, and whether it
        is seen to give that its result."""
        for item in self._containers.sequence(queue)[:_CALLS]:
            call = self._call(item)
            if self._reaches(call, awaited):
                names = (self._objects.function_name(part) for part in call)
                name = clean(next(filter(None, names), "a call"), 100)
                return name, self._settles(call[0], awaited)
        return None

    def _settles(self, function: int, awaited: int) -> bool:
        """Whether *function* closes over a future, and its code names what gives one its result."""
        if awaited not in self._containers.mentioned(function):
            return False
        code = self._codes.code(self._objects.function_code(function))
        return not _RESULTS.isdisjoint(code.names)

    def _call(self, item: int) -> list[int]:
        """The function of a queued call, with its arguments."""
        kind = self._objects.kind(item)
        if kind == "tuple":
            function, *arguments = self._objects.tuple_items(item) or (0,)
        elif kind == "functools.partial":
            given = self._containers.sequence(self._containers.field(item, 1))
            function, arguments = next(iter(given), 0), [item]
        else:
            slots = self._containers.slots(item)
            function, arguments = slots.get("_callback", 0), [slots.get("_args", 0)]
        return [function, *arguments]

    def _reaches(self, call: list[int], awaited: int) -> bool:
        """Whether *call* has the object among what making it reaches, in a few steps."""
        found = dict.fromkeys(call)
        for value in (edge := list(found)):
            if value == awaited:
                return True
            try:
                inner = self._containers.mentioned(value)
                if self._objects.kind(value) in ("tuple", "list"):
                    inner = self._containers.sequence(value)
            except MemoryReadError:
                continue
            new = [one for one in inner[:_PARTS] if one not in found]
            if len(found) < _REACHED:
                found |= dict.fromkeys(new)
                edge += new
        return False
