"""Calls that wait for their turn in a loop, while the thread that runs the loop waits for what one
of them would do."""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass
from hangtui.model import clean

_QUEUES = {"ReactorBase": "threadCallQueue", "BaseEventLoop": "_ready"}
"""Where schedulers keep the calls that they make next, by the class that they are based on: of
Twisted and of asyncio."""
_MAKES_ITS_OWN = frozenset({"blockingCallFromThread"})
"""Functions that wait for an object that they made and gave to none but the queued call."""
_FRAMES, _CALLS, _PARTS, _REACHED = 100, 1000, 20, 100


@dataclass(frozen=True, slots=True)
class QueuedCall:
    """A call that would end a wait."""

    function: str
    scheduler: str
    """The type of what is to make the call: ``EPollReactor``."""
    alone: bool
    """Nothing else can end that wait."""


class QueuedCalls:
    """Reads the queues of loops that run below the frames of a waiting thread."""

    def __init__(self, objects: Objects, frames: Frames, containers: Containers) -> None:
        self._objects = objects
        self._frames = frames
        self._containers = containers

    def ending(self, stack: tuple[Frame, ...], awaited: int) -> QueuedCall | None:
        """The queued call that would end the wait of *stack* for the object at *awaited*."""
        seen = set()
        alone = False
        for frame in stack[:_FRAMES]:
            alone = alone or frame.code.function in _MAKES_ITS_OWN
            loop = self._self_of(frame)
            if not loop or loop in seen:
                continue
            seen.add(loop)
            for name in _QUEUES.keys() & set(self._containers.classes(loop)):
                queue = self._objects.attributes(loop).get(_QUEUES[name], 0)
                function = self._function(queue, awaited) if queue else None
                if function is not None:
                    title = clean(self._objects.type_name(loop).rpartition(".")[2], 100)
                    return QueuedCall(function, title, alone)
        return None

    def _self_of(self, frame: Frame) -> int:
        """``self`` of a frame; 0: it has none, or that cannot be read."""
        names = frame.code.variables
        try:
            return self._frames.variable(frame, names.index("self")) if "self" in names else 0
        except MemoryReadError:
            return 0

    def _function(self, queue: int, awaited: int) -> str | None:
        """The name of a function in *queue* that reaches the object at *awaited*."""
        for item in self._containers.sequence(queue)[:_CALLS]:
            call = self._call(item)
            if self._reaches(call, awaited):
                names = (self._objects.function_name(part) for part in call)
                return clean(next(filter(None, names), "a call"), 100)
        return None

    def _call(self, item: int) -> list[int]:
        """The function of a queued call, with its arguments."""
        if self._objects.kind(item) == "tuple":
            function, *arguments = self._objects.tuple_items(item) or (0,)
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
