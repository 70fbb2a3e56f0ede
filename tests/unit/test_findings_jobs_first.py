"""Of notes, what tells of a job comes first, also where its code waits in a loop of its own."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.causes_first import causes_first
from hangtui.findings.words import ref
from hangtui.model import Certainty, Finding, Reason, Severity, ThreadRef
from tests.unit.factories import capture, python_frame, thread
from tests.unit.test_findings_library import SITE

CALLED = python_frame("_WorkerThread.process_message", 522, f"{SITE}/dramatiq/worker.py")


def note(identifier: str, *threads: ThreadRef) -> Finding:
    made = Finding(identifier, Severity.NOTE, Certainty.INFERRED, identifier, "", threads)
    return replace(made, reason=Reason.ONE_WAIT)


@pytest.mark.parametrize("job", [True, False])
def test_a_job_that_takes_from_a_pool_in_a_loop_does_not_rest(job: bool) -> None:
    stack = [python_frame("one", 19, "/app/pool.py"), *([CALLED] if job else [])]
    worker = replace(thread("Thread-9", 101, python=stack), takes_next=True)
    other = thread("MainThread", 100, python=[python_frame("main", 5)])
    made = capture(other, worker)
    ranked = [note("main", ref(other)), note("worker", ref(worker))]
    found = causes_first(ranked, made, build(made))

    assert [one.id for one in found] == (["worker", "main"] if job else ["main", "worker"])
