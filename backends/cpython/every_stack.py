"""The stacks of a process's threads, tasks and greenlets together, as many as are looked through
for what some of them do to one another."""

from collections.abc import Mapping, Sequence
from itertools import chain, islice

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.model import NodeId, thread_id

_MOST_STACKS, _MOST_FRAMES = 200, 60


def every_stack(
    pid: int, python: PythonReader, suspended: Mapping[NodeId, tuple[Frame, ...]]
) -> dict[NodeId, Sequence[Frame]]:
    """By thread, task or greenlet, innermost first. *suspended*: those that do not run."""
    threads = ((thread_id(pid, tid), frames) for tid, frames in python.stacks.items())
    every = islice(chain(threads, suspended.items()), _MOST_STACKS)
    return {node: frames[:_MOST_FRAMES] for node, frames in every}
