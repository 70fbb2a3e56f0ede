"""The wait of whoever waits for a pool, with all of its frames."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hangtui.backends.cpython.application import before_application
from hangtui.backends.cpython.frames import Frame
from hangtui.model import NodeId, Wait


def whole_waits(
    waits: Sequence[Wait], stacks: Mapping[NodeId, Sequence[Frame]]
) -> Iterator[tuple[Wait, Sequence[Frame]]]:
    """Each wait with its frames; up to 3.11 ``asyncio.wait_for`` runs what it waits for as a task
    of its own, which has nothing but frames of asyncio: that is the wait of whoever called it."""
    by_waiter = {wait.waiter: wait for wait in waits}
    for wait in waits:
        frames = stacks.get(wait.waiter, ())
        inner = by_waiter.get(wait.target)
        within = stacks.get(wait.target, ())
        if inner is not None and within and all(frame.in_library for frame in within):
            yield (
                replace(inner, waiter=wait.waiter, expires=wait.expires or inner.expires),
                (*within, *frames),
            )
        else:
            yield wait, frames


def way_to(frames: Sequence[Frame]) -> tuple[int, ...]:
    """The code through which an application came to wait: the same for thousands of tasks."""
    return tuple(frame.code.address for frame in before_application(frames))
