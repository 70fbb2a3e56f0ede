"""Functions of Twisted that wait for Deferreds and really hang, and such as do not.

The environments are made by script/libraries.
"""

import pytest

from hangtui.model import Certainty, LoopState, NodeKind, Severity, Task, Wait
from tests.integration.capturing import Diagnosis, diagnose
from tests.integration.results import record_scheduler
from tests.integration.targets import Interpreter, running
from tests.integration.test_pools import VENVS, having, worst
from tests.shares import captures

WITH_TWISTED = having("twisted")
EACH = pytest.mark.parametrize("interpreter", WITH_TWISTED, ids=lambda one: one.id)
pytestmark = pytest.mark.skipif(
    not WITH_TWISTED, reason=f"no Twisted in {VENVS} (script/libraries)"
)
ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE
CAPTURES = captures(20)

HUNG = {
    "ring": ("deadlock", WARNING, ("tasks sell and sell", "(sell)", "Twisted reactor in Main")),
    "ring_of_coroutines": ("deadlock", WARNING, ("tasks move and move", "(move)")),
    "nested": ("deadlock", WARNING, ("tasks order and charge", "gate", "(order)")),
    "pool": ("executor-starvation", WARNING, ("all 2 workers", "(job)", "blockingCallFromThread")),
    "call_from_thread": ("deadlock", ERROR, ("the result of look_up()", "(write)", "ledger")),
    "lock_over_yield": ("deadlock", ERROR, ("task update", "the result of refresh()", "cache")),
    "blocked": ("event-loop-blocked", WARNING, ("Twisted reactor of MainThread", "(stop)")),
    "cache": ("mutual-wait", WARNING, ("task build waits", "could finish (publish())")),
    "ticking_cache": ("mutual-wait", NOTE, ("the Deferred awaited in build", "(publish())")),
    "queue": ("event-loop-stalled", WARNING, ("task take", "jobs", "(take)", "Twisted")),
}


@EACH
@pytest.mark.parametrize("name", HUNG)
def test_what_hangs_is_told_first(name: str, interpreter: Interpreter) -> None:
    identifier, severity, words = HUNG[name]
    with running("twisted_flows", interpreter.path, asleep=False, arguments=(name,)) as target:
        first = worst(target.pid, identifier)

    text = f"{first.title} {first.sentence} {' '.join(first.advice)}"
    assert first.severity is severity
    assert [word for word in words if word not in text] == []
    record_scheduler("Twisted", name, interpreter.version, first)


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH
@pytest.mark.parametrize("name", HUNG)
def test_what_gets_on_is_no_alarm(name: str, interpreter: Interpreter) -> None:
    arguments = (name, "healthy")
    with running("twisted_flows", interpreter.path, asleep=False, arguments=arguments) as target:
        found = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


ON_ASYNCIO = {
    "ring": ("deadlock", ("tasks sell and sell", "(sell)")),
    "lock_over_yield": ("deadlock", ("task update", "the result of refresh()", "cache")),
}
"""On a reactor that leaves its connections and timers to a loop of asyncio."""


@EACH
@pytest.mark.parametrize("name", ON_ASYNCIO)
def test_what_hangs_on_a_loop_of_asyncio_is_told_first(name: str, interpreter: Interpreter) -> None:
    identifier, words = ON_ASYNCIO[name]
    arguments = (name, "asyncio")
    with running("twisted_flows", interpreter.path, asleep=False, arguments=arguments) as target:
        first = worst(target.pid, identifier)

    text = f"{first.title} {first.sentence}"
    assert [word for word in words if word not in text] == []


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH
@pytest.mark.parametrize("name", ON_ASYNCIO)
def test_what_gets_on_in_a_loop_of_asyncio_is_no_alarm(name: str, interpreter: Interpreter) -> None:
    arguments = (name, "healthy", "asyncio")
    with running("twisted_flows", interpreter.path, asleep=False, arguments=arguments) as target:
        found = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


@EACH
def test_what_a_connection_may_bring_is_no_ring(interpreter: Interpreter) -> None:
    with running("twisted_flows", interpreter.path, arguments=("answered_cache",)) as target:
        found = diagnose(target.pid)

    (loop,) = found.capture.event_loops
    assert (loop.watched, loop.accepting) == (3, 1)
    assert [one.title for one in found.findings if one.id == "mutual-wait"] == []


@EACH
@pytest.mark.parametrize("name", ["serve", "serve_without_answer"])
def test_who_takes_what_comes_in_a_server_rests(name: str, interpreter: Interpreter) -> None:
    with running("twisted_flows", interpreter.path, arguments=(name,)) as target:
        found = [one for one in diagnose(target.pid).findings if one.id == "idle"]

    assert bool(found) == (name == "serve")
    assert all("a Twisted reactor that waits for 1 connection" in one.sentence for one in found)


@EACH
def test_whose_request_waits_for_a_deferred(interpreter: Interpreter) -> None:
    """No frame of the server is below the coroutine that is to answer it."""
    with running("twisted_flows", interpreter.path, arguments=("answer_later",)) as target:
        first = worst(target.pid, "request-waits")
        found = diagnose(target.pid)

    assert first.title.startswith("Inside a request, task look waits at twisted_flows.py:")
    assert "(Shelf.look) for Shelf.ready" in first.title.replace("answer_later.<locals>.", "")
    (task,) = found.capture.tasks
    assert task.answers.startswith("127.0.0.1:")
    assert [one.ends for one in found.capture.watched if one.leads_to(task.answers)]


@EACH
def test_a_request_that_only_a_callback_is_to_answer(interpreter: Interpreter) -> None:
    """No coroutine has it in hand: who has such a one does not rest."""
    with running("twisted_flows", interpreter.path, arguments=("answer_by_callback",)) as target:
        found = diagnose(target.pid)

    (loop,) = found.capture.event_loops
    (owed,) = loop.owes
    assert owed.startswith("the request of 127.0.0.1:")
    assert ", which " in owed
    assert "Shelf.answer (twisted_flows.py:" in owed
    assert "idle" not in [one.id for one in found.findings]


@EACH
def test_every_wait_is_told_for_what_it_is(interpreter: Interpreter) -> None:
    with running("twisted_flows", interpreter.path, arguments=("every_wait",)) as target:
        found = diagnose(target.pid)

    capture = found.capture
    (loop,) = capture.event_loops
    assert (loop.library, loop.state, loop.tid) == ("Twisted", LoopState.IDLE, target.pid)
    waits = [wait for task in capture.tasks for wait in waits_of(found, task)]
    kinds = {wait.target.kind for wait in waits}
    assert kinds == {*(NodeKind.LOCK, NodeKind.SEMAPHORE, NodeKind.QUEUE), *_FUTURES}
    (keeper,) = (task for task in capture.tasks if task.function == "every_wait")
    holds = {h.resource.kind: h for h in capture.holds if h.resource.kind in _LOCKS}
    assert {kind: hold.holder for kind, hold in holds.items()} == dict.fromkeys(_LOCKS, keeper.id)
    assert len(waits_of(found, keeper)) == len(wants(found)) == 7
    assert sum("timer" in (one.awaits or "") for one in wants(found)) == 2
    (work,) = (h for h in capture.holds if h.resource.kind is NodeKind.FUTURE)
    assert work.holder.kind is NodeKind.THREAD
    assert work.evidence.certainty is Certainty.PROVEN


_FUTURES = (NodeKind.FUTURE, NodeKind.TASK)
_LOCKS = (NodeKind.LOCK, NodeKind.SEMAPHORE)


def wants(found: Diagnosis) -> list[Task]:
    return [task for task in found.capture.tasks if task.function == "want"]


def waits_of(found: Diagnosis, task: Task) -> list[Wait]:
    return [wait for wait in found.capture.waits if wait.waiter == task.id]


@EACH
def test_what_a_deferred_gives_back_when_it_fires(interpreter: Interpreter) -> None:
    with running("twisted_flows", interpreter.path, asleep=False, arguments=("by_run",)) as target:
        found = diagnose(target.pid)

    (wait,) = (one for one in found.capture.waits if one.target.kind is NodeKind.SEMAPHORE)
    (hold,) = (one for one in found.capture.holds if one.resource == wait.target)
    assert hold.holder != wait.waiter
    assert hold.evidence.certainty is Certainty.PROVEN
