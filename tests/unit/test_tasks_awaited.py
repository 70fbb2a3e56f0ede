"""Which tasks with names of their own are the same in two looks: those that a known one awaits."""

from dataclasses import replace

import pytest

from hangtui.analysis.task_moves import tasks_that_stayed
from hangtui.model import Capture, PythonFrame, Task, TaskState
from tests.unit.factories import PID, capture, lock, python_frame, thread, waits


def task(name: str, number: int, function: str = "day") -> Task:
    frames = (python_frame(function, 10 + number, entry=None),)
    return Task(PID, 0x100 + number, name, "day", TaskState.WAITING, 0x10, PID, frames)


def look(first: str = "Task-1", inside: str = "gather", bed: str = "flowers") -> Capture:
    """A task that the program began with awaits one that has a name of its own."""
    main, named = task(first, 1), task(bed, 2)
    inner = PythonFrame(inside, "/usr/lib/python3.12/asyncio/taskgroups.py", 7)
    main = replace(main, python_stack=(inner, *(main.python_stack or ())))
    turn = lock("Paths.turn", 0xA)
    made = capture(
        thread("MainThread"),
        resources=[turn],
        waits=[waits(main.id, named.id), waits(named.id, turn)],
    )
    return replace(made, tasks=(main, named))


@pytest.mark.parametrize(
    ("before", "after", "stayed"),
    [
        (look(), look(), ["Task-1", "flowers"]),
        (look(inside="TaskGroup.__aexit__"), look(inside="TaskGroup.__aexit__"), ["Task-1"]),
        (look("main"), look("main"), []),
        (look(bed="roses"), look(), ["Task-1"]),
    ],
)
def test_who_is_awaited_by_one_that_is_known_is_not_exchanged(
    before: Capture, after: Capture, stayed: list[str]
) -> None:
    found = tasks_that_stayed([before, after], [0.0, 2.0], [set()])
    stays = {one.task for one in found if one.sure}
    assert [one.name for one in after.tasks if one.id in stays] == stayed
