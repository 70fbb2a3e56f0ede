"""Tasks of trio that really hang, and such as do not; alone and under anyio.

The environments are made by script/libraries.
"""

import time

import pytest

from hangtui import findings
from hangtui.backends.cpython.task_facts import TaskResolver
from hangtui.cli import series
from hangtui.model import Certainty, LoopState, NodeKind, Severity, Task, Wait
from hangtui.provider import CaptureRequest
from tests.integration import families
from tests.integration.capturing import Diagnosis, diagnose
from tests.integration.results import record_scheduler
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_pools import VENVS, having, worst
from tests.shares import captures

WITH_TRIO = [*having("trio"), *having("trio", ("3.9",))]
EACH = pytest.mark.parametrize("interpreter", WITH_TRIO, ids=lambda one: one.id)
BOTH = pytest.mark.parametrize("library", ["trio", "anyio"])
pytestmark = pytest.mark.skipif(not WITH_TRIO, reason=f"no trio in {VENVS} (script/libraries)")
ERROR, WARNING = Severity.ERROR, Severity.WARNING
CAPTURES = captures(20)

HUNG = {
    "ring": ("deadlock", ERROR, ("move", "left", "right", "trio event loop in MainThread")),
    "limiter": ("pool-deadlock", ERROR, ("CapacityLimiter (size 2, both out)", "crawl", "fetch")),
    "threads": ("pool-deadlock", ERROR, ("CapacityLimiter (size 2, both out)", "render", "load")),
    "child": ("mutual-wait", None, ("done", "child")),
    "start": (
        "mutual-wait",
        WARNING,
        ("task start", "for task begin to call task_status.started()", ".set()"),
    ),
    "loop_over": ("mutual-wait", ERROR, ("produce", "work", "items", "closed.set()")),
    "close": ("mutual-wait", None, ("task use", "task close", "close(), trio_tasks.py")),
    "jobs": ("mutual-wait", None, (".put()", "take", "task jobs")),
    "channels": ("mutual-wait", WARNING, ("pump", "inbox", "outbox.send()")),
    "from_thread_run": (
        "deadlock",
        ERROR,
        ("from_thread_run", "lock", "(save)", "(taken at trio_tasks.py"),
    ),
    "cancelled": (
        "mutual-wait",
        ERROR,
        ("go_on", "(scan)", "although its cancel scope was cancelled", "only task main could set"),
    ),
    "block": ("event-loop-blocked", WARNING, ("task block", "trio event loop")),
}


def test_every_released_layout_is_tried() -> None:
    here = {one.version for one in interpreters(("3.9", "3.12"))}

    assert {one.version for one in WITH_TRIO} >= here


@EACH
@BOTH
@pytest.mark.parametrize("name", HUNG)
def test_what_hangs_is_told_first(name: str, library: str, interpreter: Interpreter) -> None:
    identifier, severity, words = HUNG[name]
    with running("trio_tasks", interpreter.path, arguments=(library, name)) as target:
        first = worst(target.pid, identifier)

    text = f"{first.title} {first.sentence} {' '.join(first.advice)}"
    assert first.severity in ((severity,) if severity else (ERROR, WARNING))
    assert [word for word in words if word not in text] == []
    assert "asyncio" not in text
    scheduler = "trio" if library == "trio" else "anyio on trio"
    record_scheduler(scheduler, name, interpreter.version, first)


@EACH
def test_who_ended_a_wait_meanwhile_is_not_left_out_of_those_who_could(
    interpreter: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wait that is over once its wakers were looked for may have been ended by one more."""
    with running("trio_tasks", interpreter.path, arguments=("trio", "start")) as target:
        assert diagnose(target.pid).capture.could_wake
        monkeypatch.setattr(TaskResolver, "gone_on", lambda _, nodes: set(nodes))
        found = diagnose(target.pid)

    assert found.capture.could_wake == ()
    assert [one for one in found.capture.resources if one.wakers_known] == []
    assert [one.title for one in found.findings if one.id == "mutual-wait"] == []


@EACH
def test_who_was_told_to_end_is_not_there_to_rest(interpreter: Interpreter) -> None:
    with running("trio_tasks", interpreter.path, arguments=("trio", "cancelled")) as target:
        found = findings.run(series.take(CaptureRequest((target.pid,)), series.Looks(5, 2.0)))

    assert (found[0].id, found[0].severity) == ("mutual-wait", ERROR)
    assert "although its cancel scope was cancelled" in found[0].sentence


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH
@BOTH
@pytest.mark.parametrize("name", [*HUNG, "clients", "rest"])
def test_what_gets_on_is_no_alarm(name: str, library: str, interpreter: Interpreter) -> None:
    arguments = (library, name, "healthy")
    with running("trio_tasks", interpreter.path, asleep=False, arguments=arguments) as target:
        found = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


@EACH
@BOTH
def test_who_refers_to_what_has_a_token_does_not_have_it(
    library: str, interpreter: Interpreter
) -> None:
    arguments = (library, "on_behalf")
    with running("trio_tasks", interpreter.path, arguments=arguments) as target:
        found = diagnose(target.pid)

    (pool,) = (one for one in found.capture.resources if one.kind is NodeKind.LIMITER)
    assert (pool.on_behalf, pool.accounted) == (("Session (alice)",), 0)
    assert not [one for one in found.capture.holds if one.resource == pool.id]
    assert [one.id for one in found.findings if "deadlock" in one.id] == []


@EACH
def test_a_loop_whose_tasks_rest_is_idle(interpreter: Interpreter) -> None:
    with running("trio_tasks", interpreter.path, arguments=("trio", "rest")) as target:
        found = diagnose(target.pid)

    finding = found.finding("idle")
    assert "runs a trio event loop that waits for 1 connection and 1 timer" in finding.sentence
    assert "its 5 tasks at rest" in finding.sentence


@EACH
def test_every_wait_is_told_for_what_it_is(interpreter: Interpreter) -> None:
    with running("trio_tasks", interpreter.path, arguments=("trio", "every_wait")) as target:
        found = diagnose(target.pid)

    capture = found.capture
    (loop,) = capture.event_loops
    assert (loop.library, loop.state, loop.tid) == ("trio", LoopState.IDLE, target.pid)
    kinds = {
        "want_lock": NodeKind.LOCK,
        "want_token": NodeKind.LIMITER,
        "want_unit": NodeKind.LIMITER,
        "want_event": NodeKind.EVENT,
        "want_notify": NodeKind.CONDITION,
        "want_item": NodeKind.QUEUE,
        "want_room": NodeKind.QUEUE,
        "want_child": NodeKind.TASK,
        "want_thread": NodeKind.FUTURE,
    }
    assert {name: wait_of(found, name).target.kind for name in kinds} == kinds
    assert wait_of(found, "want_time").expires
    assert not wait_of(found, "want_shielded").expires
    assert "whose other end is open in this process itself" in (
        task(found, "want_data").awaits or ""
    )
    keeper = task(found, "keep").id
    for name in ("want_lock", "want_token"):
        target_node = wait_of(found, name).target
        (hold,) = (one for one in capture.holds if one.resource == target_node)
        assert (hold.holder, hold.evidence.certainty) == (keeper, Certainty.CERTAIN)
    (work,) = (h for h in capture.holds if h.resource == wait_of(found, "want_thread").target)
    assert work.holder.kind is NodeKind.THREAD
    assert work.evidence.certainty is Certainty.PROVEN


@EACH
def test_thousands_of_tasks_are_read_in_a_second(interpreter: Interpreter) -> None:
    with running("trio_tasks", interpreter.path, arguments=("trio", "many")) as target:
        diagnose(target.pid)
        began = time.process_time()
        found = diagnose(target.pid)
        used = time.process_time() - began

    assert len(found.capture.tasks) == 2002
    assert not any(notice.message.startswith("there are more") for notice in found.capture.notices)
    assert used < 5  # a second and less where nothing else runs


def task(found: Diagnosis, function: str) -> Task:
    """The only task that runs this function."""
    (one,) = (task for task in found.capture.tasks if task.function == function)
    return one


def wait_of(found: Diagnosis, function: str) -> Wait:
    """The only wait of the task that runs this function."""
    (one,) = (w for w in found.capture.waits if w.waiter == task(found, function).id)
    return one


# -- as a guest of asyncio -------------------------------------------------------------------------


@EACH
def test_a_ring_in_guest_mode_is_told(interpreter: Interpreter) -> None:
    with running("trio_guest", interpreter.path, asleep=False, arguments=("ring",)) as target:
        first = worst(target.pid, "deadlock")
        found = diagnose(target.pid).capture

    assert first.severity is ERROR
    assert "They are tasks of the trio event loop in MainThread" in first.sentence
    loops = {loop.library: loop for loop in found.event_loops}
    assert loops.keys() == {"asyncio", "trio"}
    assert {loop.tid for loop in loops.values()} == {target.pid}
    assert {task.function for task in found.tasks} == {"host", "ring", "move"}
    record_scheduler("trio in guest mode", "ring", interpreter.version, first)


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH
@pytest.mark.parametrize("name", ["ring", "serve", "serve_nobody"])
def test_what_gets_on_in_guest_mode_is_no_alarm(name: str, interpreter: Interpreter) -> None:
    arguments = (name, "healthy")
    with running("trio_guest", interpreter.path, asleep=False, arguments=arguments) as target:
        found = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
    assert [one.title for one in found if one.id == "idle"] == []
    assert not any("whose tasks are not read" in one.sentence for one in found)


@EACH
def test_a_child_process_that_a_task_reads_from_is_told(interpreter: Interpreter) -> None:
    with running("trio_pipes", interpreter.path, asleep=False) as target:
        found = families.diagnose(target.pid, follow=True).findings[0]
    assert "data from the stdout pipe of process" in found.title
    assert "(cat) has the other end" in found.sentence
