"""Orders that go from one thread to another, by loops, executors and lock files of a program's own:
what hangs in one state is healthy in the next."""

import pytest

from hangtui.model import Finding, Severity
from tests.integration.targets import Interpreter, interpreters
from tests.integration.test_shapes import looked_at, seen

PYTHONS = interpreters(("3.9", "3.12", "3.13"))
EACH = pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
LOOPS = ("queue", "deque", "list", "poll")
HEALTHY = [
    *((kind, state) for kind in LOOPS for state in ("idle", "busy", "slow", "kept")),
    *(("errand", "slow"), ("last", "slow"), ("last", "busy"), ("lock", "free"), ("name", "free")),
    *(("web", "slow"), ("web", "busy")),
    *(("counter", "slow"), ("counter", "busy")),
]


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH
@pytest.mark.parametrize(("kind", "state"), HEALTHY)
def test_an_office_at_work_is_no_alarm(kind: str, state: str, interpreter: Interpreter) -> None:
    found = looked_at("dispatch", interpreter, kind, state)

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


@EACH
@pytest.mark.parametrize("kind", LOOPS)
def test_an_order_of_which_nobody_told_the_loop(kind: str, interpreter: Interpreter) -> None:
    first = seen("dispatch", interpreter, kind, "unwoken")

    assert (first.id, first.severity) == ("nobody-left-to-wake", Severity.ERROR)
    assert "MainThread waits for it at dispatch.py:" in first.title
    assert "1 item lies in self.orders (work), from which only dispatcher takes" in first.sentence
    assert "once something wakes it: nobody is left to do so" in first.sentence
    assert "Wake who takes from self.orders" in first.advice[0]


@EACH
def test_whose_errand_it_is_is_told_of_executors_of_the_program(interpreter: Interpreter) -> None:
    first = seen("dispatch", interpreter, "errand", "silent")

    assert first.severity is Severity.ERROR
    assert "MainThread" in first.title
    assert "fetch)" in first.sentence  # qualified from 3.11 on
    assert "asyncio_0 has to" not in first.sentence


@EACH
def test_a_worker_that_owes_a_result_is_told_first(interpreter: Interpreter) -> None:
    first = seen("dispatch", interpreter, "last", "silent")

    assert (first.id, first.severity) == ("nobody-left-to-wake", Severity.ERROR)
    assert first.title.startswith("Nobody is left to put into Post.stamps: parcel_")
    assert "it has to finish" in first.title


@EACH
def test_a_clerk_who_owes_an_answer_does_not_rest(interpreter: Interpreter) -> None:
    first = seen("dispatch", interpreter, "counter", "silent", looks=5)

    assert (first.id, first.severity) == ("nobody-left-to-wake", Severity.ERROR)
    assert "clerk waits for it at dispatch.py:" in first.title


@EACH
@pytest.mark.parametrize(("kind", "file"), [("lock", "drawer.lock"), ("name", "office.pid")])
def test_who_has_the_file_itself_is_told_so(kind: str, file: str, interpreter: Interpreter) -> None:
    first = seen("dispatch", interpreter, kind, "itself")

    assert (first.id, first.severity) == ("file-locked", Severity.WARNING)
    assert first.title.startswith("Possible deadlock: MainThread waits at dispatch.py:")
    assert first.title.endswith(f"{file}, and has it itself")
    assert ("names this very process" in first.sentence) is (kind == "name")


@EACH
def test_threads_that_have_ended_are_counted(interpreter: Interpreter) -> None:
    first = seen("dispatch", interpreter, "sensor", "silent")

    assert (first.id, first.severity) == ("event-loop-stalled", Severity.ERROR)
    assert "1 thread that ran Python in process" in first.sentence


@EACH
def test_what_a_clerk_does_whose_end_is_waited_for(interpreter: Interpreter) -> None:
    first: Finding = looked_at("dispatch", interpreter, "joined", "idle")[0]

    assert first.severity is Severity.WARNING  # nothing leads to the letters but the clerk itself
    assert "for an item of" in first.title
    assert "and nobody is left to put one" in first.title
    assert "It is left to that thread to end: clerk waits at dispatch.py:" in first.sentence
