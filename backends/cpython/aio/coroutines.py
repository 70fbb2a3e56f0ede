"""Where a coroutine stands: its frame and those of what it awaits, down to the innermost."""

import re
from functools import cache

from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass

MAX_CHAIN = 1000
_WITH_FRAMES = frozenset({"coroutine", "generator", "async_generator"})
_WRAPPERS = frozenset(
    {
        "coroutine_wrapper",
        "async_generator_asend",
        "async_generator_athrow",
        "anext_awaitable",
    }
)
"""What lies between an ``await`` and the frame that it leads to: the first field (Objects/
genobject.c, Objects/iterobject.c)."""
_FUTURE_ITERATOR = "_asyncio.FutureIter"
_COMPILED = re.compile(
    r"_cython_\w+\.(generator|coroutine(_wrapper)?|IterableCoroutine|async_generator(_asend|_athrow)?)"
)
"""What Cython makes of an ``async def``, and what stands between an ``await`` of Python and that:
without a frame, it keeps what it awaits in its object."""
_MOST_WORDS = 64


@dataclass(frozen=True, slots=True)
class CompiledStep:
    """A compiled coroutine on the way, which has no frame."""

    coroutine: int
    outer: int
    """How many frames are outside of it."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A coroutine and what it awaits."""

    frames: tuple[Frame, ...]
    """Innermost first."""
    awaited: int = 0
    """The future that the innermost frame awaits; 0: none, or something else."""
    running: int = 0
    """Address of the frame that runs on a thread now, where one does; 0: all are suspended."""
    behind: int = 0
    """The future that the innermost frame waits for, where that is a generator which goes on by
    callbacks: what the task awaits is its result."""
    steps: tuple[CompiledStep, ...] = ()
    """Those that Cython has compiled, outermost first."""

    @property
    def compiled(self) -> bool:
        """It began in compiled code: the first frame is not what it began with."""
        return bool(self.steps) and self.steps[0].outer == 0


class Coroutines:
    """Follows coroutines of one interpreter."""

    def __init__(self, objects: Objects, frames: Frames) -> None:
        self._objects = objects
        self._memory = objects.memory
        self._layout = objects.layout
        self._frames = frames
        self._since_3_11 = self._layout.since(3, 11)
        """Asked for each frame of thousands of tasks."""
        if self._since_3_11:
            self._state = self._layout["gen.gi_frame_state"]
            self._executing = self._layout["state.FRAME_EXECUTING"] & 255
        self._stack_top = self._layout.offsets.get("iframe.stacktop", 0)
        """From 3.11 to 3.13."""
        self._below = 16 if self._layout.since(3, 15) else 8
        """3.15 keeps an index above what it iterates over."""

    def chain(self, coroutine: int) -> Chain:
        """The suspended frames of *coroutine*; as far as they can be read. Never raises.

        No coroutine awaits itself: one that comes again tells that they went on while they were
        read, and that what was read of them never held at one time. Of these there is no frame.
        """
        frames: list[Frame] = []
        awaited = running = 0
        steps: list[CompiledStep] = []
        met: set[int] = set()
        try:
            here = coroutine
            for step in range(MAX_CHAIN):
                if here in met:
                    return Chain(())
                met.add(here)
                if not step & 3:
                    self._memory.spent.objects(4)
                kind = self._objects.kind(here)
                if kind in _WITH_FRAMES:
                    if self._executes(here):
                        running = self._frame_address(here)
                        break
                    here = self._into(here, frames)
                elif kind in _WRAPPERS:
                    here = self._memory.u64(here + self._layout.header)
                elif _is_compiled(kind):
                    steps.append(CompiledStep(here, len(frames)))
                    here = self._delegated(here)
                else:
                    awaited = here
                    if kind == _FUTURE_ITERATOR:
                        awaited = self._memory.u64(here + self._layout.header)
                    break
        except MemoryReadError:
            pass
        return Chain(tuple(reversed(frames)), awaited, running, steps=tuple(steps))

    def _delegated(self, coroutine: int) -> int:
        """What a compiled coroutine awaits: the word of its object that leads to something of that
        kind, which one differs by version; 0: none, as before it has waited for the first time."""
        header = self._layout.header
        count = (self._objects.basic_size(coroutine) - header) // 8
        if not 0 < count <= _MOST_WORDS:
            return 0
        words = self._memory.words(coroutine + header, count)
        return next((word for word in words if word and self._is_awaitable(word)), 0)

    def _is_awaitable(self, address: int) -> bool:
        kind = self._objects.kind(address)
        known = kind in _WITH_FRAMES or kind in _WRAPPERS or kind == _FUTURE_ITERATOR
        return known or _is_compiled(kind)

    def _into(self, generator: int, frames: list[Frame]) -> int:
        """Add the frame of a suspended coroutine; what it awaits, or 0."""
        frame = self._frames.suspended(generator)
        if frame is None:
            return 0
        frames.append(frame)
        return self._top(frame)

    def _executes(self, generator: int) -> bool:
        layout, memory = self._layout, self._memory
        if self._since_3_11:
            return memory.u8(generator + self._state) == self._executing
        if not layout.since(3, 10):
            return memory.u8(generator + layout["gen.gi_running"]) != 0
        frame = memory.u64(generator + layout["gen.gi_frame"])
        if not frame:
            return False
        state = memory.u8(frame + layout["frameobj.f_state"])
        return state == layout["state.FRAME_EXECUTING"] & 255

    def _frame_address(self, generator: int) -> int:
        if self._layout.since(3, 11):
            return generator + self._layout["gen.gi_iframe"]
        return self._memory.u64(generator + self._layout["gen.gi_frame"])

    def _top(self, frame: Frame) -> int:
        """The top of a suspended frame's value stack: what it awaits; 0: it is empty.

        It is known only while the frame is suspended; then it is stored.
        """
        end = self._end(frame)
        if not end:
            return 0
        return self._frames.untagged(self._memory.u64(end - self._below))

    def stacked(self, frame: Frame) -> tuple[int, ...]:
        """What lies on a suspended frame's value stack; nothing if it runs. Never raises."""
        try:
            end = self._end(frame)
            words = self._memory.words(frame.stack, (end - frame.stack) // 8) if end else ()
        except MemoryReadError:
            return ()
        return tuple(self._frames.untagged(word) for word in words)

    def _end(self, frame: Frame) -> int:
        """Where the value stack of a suspended frame ends; 0: it is empty, or the frame runs."""
        layout, memory = self._layout, self._memory
        if self._stack_top:
            end = frame.slots + 8 * memory.i32(frame.address + self._stack_top)
        elif self._since_3_11:
            end = memory.u64(frame.address + layout["iframe.stackpointer"])
        elif layout.since(3, 10):
            end = frame.stack + 8 * memory.i32(frame.address + layout["frameobj.f_stackdepth"])
        else:
            end = memory.u64(frame.address + layout["frameobj.f_stacktop"])
        return end if frame.stack < end <= frame.stack + 8 * frame.code.stack_size else 0


def runs(frame: Frame, function: str, file: str | tuple[str, ...]) -> bool:
    """Whether *frame* runs this function of this file of the standard library, or of one of
    these."""
    return frame.code.filename.endswith(file) and frame.code.bare_name == function


@cache
def _is_compiled(kind: str | None) -> bool:
    return kind is not None and _COMPILED.fullmatch(kind) is not None
