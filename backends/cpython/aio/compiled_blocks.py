"""Which locks a task holds by ``async with`` in code that Cython has compiled.

Such a coroutine has no frame. While it is suspended, Cython keeps what lies on its stack in the
scope of the coroutine: within ``async with``, also the bound ``__aexit__`` of the manager.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import CompiledStep, runs
from hangtui.backends.cpython.aio.lock_states import LockStates
from hangtui.backends.cpython.aio.locks import TaskHold
from hangtui.backends.cpython.compiled import COMPILED_SCOPE, compiled_words
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, NodeKind

_TAKES = ("__aenter__", "acquire")
"""A coroutine that awaits one of these is about to take it, and may not have it yet."""


@dataclass(frozen=True, slots=True)
class CompiledStack:
    """A waiting task whose chain goes through compiled code."""

    task: int
    frames: tuple[Frame, ...]
    """Innermost first."""
    steps: tuple[CompiledStep, ...]


class CompiledBlocks:
    """Finds them in one interpreter."""

    def __init__(self, objects: Objects, containers: Containers) -> None:
        self._objects = objects
        self._containers = containers
        self._states = LockStates(objects, containers)

    def holds(self, stacks: Iterable[CompiledStack], wanted: Collection[int]) -> Iterator[TaskHold]:
        """Of the locks that are *wanted* and taken."""
        found = {
            (lock, one.task): outside for one in stacks for lock, outside in self._kept(one, wanted)
        }
        takers = Counter(lock for lock, _ in found)
        for (lock, task), outside in found.items():
            kind = self._states.kind(lock)
            if kind is not NodeKind.LOCK or not self._states.locked(lock):
                continue
            yield TaskHold(
                lock,
                kind,
                self._containers.type_title(lock),
                task,
                Certainty.PROVEN if takers[lock] == 1 else Certainty.INFERRED,
                "compiled code that it awaits there is inside `async with` on it",
                _place(outside),
            )

    def _kept(
        self, one: CompiledStack, wanted: Collection[int]
    ) -> Iterator[tuple[int, Frame | None]]:
        """Those whose way out a compiled coroutine of the task keeps, and the frame outside it."""
        if any(runs(frame, "wait", "/asyncio/locks.py") for frame in one.frames):
            return  # of a condition, which gives its lock back meanwhile
        for step in one.steps:
            inner = one.frames[-1 - step.outer] if step.outer < len(one.frames) else None
            if inner is not None and inner.code.bare_name in _TAKES:
                continue
            outside = one.frames[-step.outer] if 0 < step.outer <= len(one.frames) else None
            for exit_method in self._ways_out(step.coroutine):
                lock = self._objects.bound_to(exit_method)
                if lock in wanted:
                    yield lock, outside

    def _ways_out(self, coroutine: int) -> Iterator[int]:
        for scope in compiled_words(self._objects, coroutine):
            if COMPILED_SCOPE in (self._objects.kind(scope) or ""):
                for word in compiled_words(self._objects, scope):
                    if self._objects.function_name(word) in ("__aexit__", "__exit__"):
                        yield word


def _place(frame: Frame | None) -> str | None:
    return frame.place if frame else None
