"""The pipe of a child that failed, whose writing end a child that was forked later has as well."""

from dataclasses import replace

import pytest

from hangtui.analysis.progress import with_progress
from hangtui.analysis.waitgraph import build
from hangtui.findings.outside import waiting_for_process
from hangtui.model import Capture, Child, NodeKind, Severity, Surroundings
from tests.unit.factories import capture, holds, lock, process, python_frame, thread, waits

READS = thread("MainThread", 100, 100, python=[python_frame("wait_for_ready", 43)])
SERVES = thread("MainThread", 300, 300, python=[python_frame("serve_steps", 34)])
FAILED = Child(200, "python", "Z", exit_status=1, called="Worker_TP0")
LIVES = Child(300, "python", "S")


def looked(*children: Child, script: str = "main.py", seconds: int = 2) -> Capture:
    looks = []
    reads, serves = (replace(one, runs=7, cpu_ns=7000) for one in (READS, SERVES))
    for second in (0, seconds):
        own = replace(process(100, reads), around=Surroundings(children=children))
        pipe = lock("the pipe", 0, NodeKind.PIPE, pid=100)
        made = replace(
            capture(
                reads,
                resources=[pipe],
                waits=[waits(reads, pipe, operation="read")],
                holds=[holds(pipe, serves)],
            ),
            processes=(own, process(300, serves, script=script)),
            taken_at=f"2026-01-02T03:04:{second:02}+00:00",
        )
        looks.append(made)
    return with_progress(looks)


@pytest.mark.parametrize(
    ("made", "warns"),
    [
        (looked(FAILED, LIVES), True),
        (looked(replace(FAILED, exit_status=0), LIVES), False),
        (looked(replace(FAILED, pid=400), LIVES), False),
        (looked(FAILED), False),
        (looked(FAILED, LIVES, script="other.py"), False),
        (looked(FAILED, LIVES, seconds=0), False),
    ],
    ids=["so", "ended well", "started later", "no child", "not forked", "a moment"],
)
def test_a_later_child_may_have_its_writing_end(made: Capture, *, warns: bool) -> None:
    (found,) = waiting_for_process.check(made, build(made))

    assert (found.severity is Severity.WARNING) is warns
    assert ("and process 200 (Worker_TP0), its child, ended with status 1" in found.title) is warns
    assert ("One that was forked later" in found.sentence) is warns
