"""Tasks that await data of what their own process alone has the other end of: literal captures."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.other_end import has_both_ends
from hangtui.findings.rest.by_whom import by_whom
from hangtui.findings.words import words_of
from hangtui.model import Inward, Task, TaskState
from tests.unit.factories import PID, capture, python_frame, thread

READS = "data (StreamReader.read, until the connection ends)"


@pytest.mark.parametrize(
    ("awaits", "ends", "accepts", "own"),
    [
        (READS, (PID,), (), True),
        (READS, (PID, 200), (), False),
        (READS, (PID,), ("TCP port 0.0.0.0:80",), False),
        ("sleep", (PID,), (), False),
    ],
)
def test_who_reads_what_only_its_own_process_could_write(
    awaits: str, ends: tuple[int, ...], accepts: tuple[str, ...], own: bool
) -> None:
    main = thread("MainThread", PID)
    bore = Task(PID, 0x900, "Task-4", "bore", TaskState.WAITING, 0x1, main.tid)
    stack = (python_frame("bore", 32, "/app/party.py"),)
    bore = replace(bore, awaits=awaits, python_stack=stack)
    made = replace(capture(main), tasks=(bore,), inward=(Inward(main.id, ends, accepts),))
    words = words_of(made, build(made))

    assert has_both_ends(bore.id, words) is own
    assert ("only this very process has the other end open" in by_whom(bore.id, words)) is own
    assert not has_both_ends(bore.id, words_of(replace(made, inward=()), build(made)))
