"""Runs of an event loop inside of tasks that the same loop runs, as nest_asyncio allows them.

Each lies on the stack of the one below, and serves all tasks of the loop but those on that stack:
these go on once the innermost run has what it waits for.
"""

from collections.abc import Sequence

from hangtui.backends.cpython.aio.coroutines import runs
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.dataclass import dataclass

NESTED = "/nest_asyncio.py"


@dataclass(frozen=True, slots=True)
class Nested:
    """The run that a task on the stack of its loop's thread cannot go on before."""

    future: int
    """What that run waits for."""
    frames: tuple[Frame, ...]
    """Those of the task, from its call of a run on."""
    proof: str
    operation: str | None
    """``nested``: its own run stands below that one."""


def nested_run(stack: Sequence[Frame], base: int, frames: Frames) -> Nested | None:
    """The innermost run on *stack* if it waits for events, as the task at *base* sees it: that
    frame is the first of its coroutine's."""
    waits = len(stack) > 2 and runs(stack[0], "select", "/selectors.py")
    if not waits or not runs(stack[1], "_run_once", NESTED) or not _is_run(stack[2]):
        return None
    calls = [index for index, frame in enumerate(stack[:base]) if _is_run(frame)]
    future = frames.variables(stack[2]).get("f", 0)
    if not calls or not future:
        return None
    proof = (
        "it runs the loop until that is done"
        if len(calls) == 1
        else "a nested run of the loop, above it on the same stack, returns when that is done"
    )
    operation = "nested" if len(calls) > 1 else None
    return Nested(future, tuple(stack[calls[-1] : base + 1]), proof, operation)


def _is_run(frame: Frame) -> bool:
    return runs(frame, "run_until_complete", NESTED)
