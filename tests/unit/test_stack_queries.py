"""What stacks tell in words."""

import pytest

from hangtui.findings.stack_queries import block_left
from hangtui.model import PythonFrame
from tests.unit.factories import python_frame, thread

GROUPS = "/usr/lib/python3.12/asyncio/taskgroups.py"
OWN = python_frame("Kitchen.serve", 26)


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
