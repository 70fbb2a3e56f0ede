"""Who waits in what a library has called to handle something does not rest there."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.beyond_doubt import no_rest
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    Evidence,
    Nearness,
    NodeKind,
    Source,
    Syscall,
    Thread,
)
from tests.unit.factories import capture, lock, python_frame, thread, waits

FUTEX = Syscall("futex", timed=False)
THREADING = "/usr/lib/python3.12/threading.py"
DRIVER = "/venv/lib/python3.12/site-packages/cassandra/io/libevreactor.py"
DONE = lock("Catalogue.done", 0x10, NodeKind.EVENT)


def waiting(calls: str) -> tuple[Thread, Capture]:
    """A library's thread has called the application in *calls*, which waits for its own event."""
    stack = [
        python_frame("Event.wait", 655, THREADING),
        python_frame("Catalogue.price_goods", 36),
        python_frame(f"LibevConnection.{calls}", 372, DRIVER),
        python_frame("LibevLoop._run_loop", 90, DRIVER),
        python_frame("Thread.run", 1010, THREADING),
    ]
    one = thread("event_loop", 101, python=stack, syscall=FUTEX)
    return one, capture(one, resources=[DONE], waits=[waits(one, DONE)])


@pytest.mark.parametrize(
    ("calls", "rests"),
    [("handle_read", False), ("_dispatch", False), ("run_job", True), ("handler_for", True)],
)
def test_nobody_rests_in_what_handles_what_came(calls: str, rests: bool) -> None:
    one, made = waiting(calls)
    words = words_of(made, build(made))
    wait = words.graph.wait_of(one.id)

    assert wait is not None
    assert no_rest(one, wait, "wait", words) is not rests


def test_who_sets_it_after_its_own_wait_is_no_way_out_of_that() -> None:
    one, made = waiting("run_job")
    evidence = Evidence(Source.CPYTHON, Certainty.INFERRED, "once its own wait for that is over")
    after = CouldWake(DONE.id, one.id, Complement.SET, Nearness.AFTER, evidence, "done.set")
    made = replace(made, could_wake=(after,))
    graph = build(made)

    assert graph.could_wake == ()
    assert graph.comes_afterwards(one.id, DONE.id)
    assert "mutual-wait" not in {found.id for found in findings.run(made)}
