"""What stacks tell in words."""

import pytest

from hangtui.findings.stack_queries import block_left, idle_worker
from hangtui.model import PythonFrame
from tests.unit.factories import python_frame, thread

GROUPS = "/usr/lib/python3.12/asyncio/taskgroups.py"
OWN = python_frame("Kitchen.serve", 26)
SITE = "/venv/lib/python3.12/site-packages"


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        ([python_frame("TaskGroup.__aexit__", 110, GROUPS)], ", at the end of its TaskGroup,"),
        ([python_frame("TaskGroup.create_task", 150, GROUPS)], ""),
        ([python_frame("Kitchen.__aexit__", 12)], ""),
        ([], ""),
    ],
)
def test_who_waits_at_the_end_of_a_block_of_a_library_is_told_so(
    inside: list[PythonFrame], told: str
) -> None:
    actor = thread("MainThread", python=[*inside, OWN])

    assert block_left(actor) == told


@pytest.mark.parametrize(("inside", "idle"), [((), True), ((OWN,), False)])
@pytest.mark.parametrize(
    ("worker", "file"),
    [
        ("worker", "/usr/lib/python3.12/multiprocessing/pool.py"),
        ("Worker.workloop", f"{SITE}/billiard/pool.py"),
    ],
)
def test_a_worker_that_runs_no_task_is_idle(
    worker: str, file: str, inside: tuple[PythonFrame, ...], *, idle: bool
) -> None:
    takes = python_frame("SimpleQueue.get", 386, file.replace("pool.py", "queues.py"))
    one = thread("MainThread", python=[takes, *inside, python_frame(worker, 114, file)])

    assert idle_worker(one) is idle
