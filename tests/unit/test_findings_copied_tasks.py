"""Tasks of an event loop that a fork has copied into a child, where nobody runs them."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.victims import _tasks_behind
from hangtui.findings.words import words_of
from hangtui.model import EventLoop, LoopState, Task, TaskState
from tests.unit.factories import PID, capture, python_frame, thread

LIB = "/usr/lib/python3.12"
RUNS = python_frame("BaseEventLoop.run_forever", 639, f"{LIB}/asyncio/base_events.py")
CHILD = (
    python_frame("BaseProcess._bootstrap", 314, f"{LIB}/multiprocessing/process.py"),
    python_frame("Popen._launch", 71, f"{LIB}/multiprocessing/popen_fork.py"),
)


@pytest.mark.parametrize("forked", [True, False])
def test_a_copy_of_the_parents_task_waits_behind_nobody(*, forked: bool) -> None:
    stack = (python_frame("lay", 8), *(CHILD if forked else ()), RUNS)
    waits = (python_frame("build", 21),)
    task = Task(PID, 0x7, "Task-1", "build", TaskState.WAITING, 0x9, PID, waits)
    loop = EventLoop(PID, 0x9, "Loop", LoopState.BUSY, PID, None, 0, 0, 0)
    made = replace(capture(thread("MainThread", python=stack)), tasks=(task,), event_loops=(loop,))
    words = words_of(made, build(made))

    assert ("task build" in _tasks_behind([task.id], words)) is not forked
