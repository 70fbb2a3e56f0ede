"""What a package runs of the application while a task of its own waits: literal captures."""

from dataclasses import replace

from hangtui.analysis.waitgraph import build
from hangtui.findings.run_by_package import run_meanwhile, told_meanwhile
from hangtui.findings.words import words_of
from hangtui.model import NodeKind, PythonFrame, Task, TaskState
from tests.unit.factories import PID, capture, lock, python_frame, thread, waits

METER = "/venv/lib/python3.12/site-packages/aiometer/_impl/meters.py"
OTHER = "/venv/lib/python3.12/site-packages/otherlib/pool.py"


def task(number: int, *stack: PythonFrame) -> Task:
    return Task(PID, number, f"t-{number}", "run", TaskState.WAITING, 0x1, PID, stack)


def told(runs: str) -> str:
    sender = task(1, python_frame("wait_can_start", 29, METER))
    builds = task(2, python_frame("build", 15, "/app/site.py"), python_frame("_worker", 9, runs))
    done = lock("done", 0xE, NodeKind.EVENT)
    made = capture(thread("MainThread", PID), resources=[done], waits=[waits(builds.id, done)])
    words = words_of(made := replace(made, tasks=(sender, builds)), build(made))
    found = run_meanwhile(sender, words)
    assert run_meanwhile(builds, words) is None
    return told_meanwhile(found, words) if found else ""


def test_only_what_the_same_package_runs_is_told() -> None:
    assert told(METER).startswith("; of what aiometer runs, task run (t-2) waits at site.py:15")
    assert told(OTHER) == ""
