"""Greenlets of gevent that really hang, and such as do not.

The environments are made by script/libraries.
"""

import time

import pytest

from hangtui import findings
from hangtui.cli import series
from hangtui.model import Finding, LoopState, NodeKind, Severity, Sleep, TaskState
from hangtui.provider import CaptureRequest
from tests.integration.capturing import Diagnosis, diagnose, once_seen
from tests.integration.results import record_scheduler
from tests.integration.targets import Interpreter, running
from tests.integration.test_pools import VENVS, having
from tests.shares import captures
from tests.waiting import until

WITH_GEVENT = having("gevent")
EACH = pytest.mark.parametrize("interpreter", WITH_GEVENT, ids=lambda one: one.id)
pytestmark = pytest.mark.skipif(not WITH_GEVENT, reason=f"no gevent in {VENVS} (script/libraries)")
ERROR, WARNING = Severity.ERROR, Severity.WARNING
CAPTURES = captures(20)

HUNG = {
    "ring": ("deadlock", ERROR, ("left", "right", "gevent hub in MainThread")),
    "plain_ring": ("deadlock", ERROR, ("greenlet", "taking")),
    "threads_ring": ("deadlock", ERROR, ("one", "two", "three", "left", "right")),
    "twice": ("self-deadlock", ERROR, ("greenlet outer", "left")),
    "pool": ("pool-deadlock", ERROR, ("gevent's Pool (size 2, both out)", "outer")),
    "joined_within": (
        "pool-deadlock",
        ERROR,
        ("member waits until no place of gevent's Pool (size 2, 1 out) is out, and has",),
    ),
    "permit": (
        "mutual-wait",
        ERROR,
        ("database", "crawl_with", "or do nothing but sleep again and again"),
    ),
    "permit_renewed": ("mutual-wait", WARNING, ("database", "crawl_with")),
    "undone": ("tasks-not-done", ERROR, ("jobs.join()", "take_jobs", "jobs.task_done()")),
    "plain_native_queue": (
        "mutual-wait",
        ERROR,
        ("jobs", "greenlet give_jobs", "which runs its hub", "a call that stops its loop or hub"),
    ),
    "starved": (
        "executor-starvation",
        ERROR,
        ("have all places of ThreadPoolExecutor-0", "(2 workers, which are greenlets)", "(render)"),
    ),
    "queues": ("mutual-wait", ERROR, ("greenlet ask", "greenlet answer")),
    "killed": ("mutual-wait", ERROR, ("greenlet flush to end", "flushed.set()")),
    "blocked": ("event-loop-blocked", WARNING, ("gevent hub of MainThread", "other greenlet")),
    "left_locked": (
        "orphaned-lock",
        ERROR,
        ("greenlet want_lock waits for lock, whose owner has ended", "(want_lock)", "RLock"),
    ),
    "plain_lock": ("deadlock", ERROR, ("MainThread", "greenlet holder", "lock")),
    "plain_threads": (
        "mutual-wait",
        WARNING,
        ("(compress)", "greenlet feed", "the result of load(), which gevent.threadpool has to set"),
    ),
    "many": ("deadlock", ERROR, ("left", "right")),
}


@EACH
@pytest.mark.parametrize("name", HUNG)
def test_what_hangs_is_told_first(name: str, interpreter: Interpreter) -> None:
    identifier, severity, words = HUNG[name]

    def told() -> Diagnosis | None:
        found = diagnose(target.pid)
        first = found.findings[0] if found.findings else None
        # While what ticks runs, it may do anything.
        sure = first is not None and (severity is not ERROR or first.severity is ERROR)
        return found if first and first.id == identifier and sure else None

    with running("greenlets", interpreter.path, asleep=False, arguments=(name,)) as target:
        first = until(told).findings[0]

    text = f"{first.title} {first.sentence} {' '.join(first.advice)}"
    assert first.severity is severity
    assert [word for word in words if word not in text] == []
    assert "asyncio" not in text
    record_scheduler("gevent", name, interpreter.version, first)


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH
@pytest.mark.parametrize(
    "name",
    [
        "healthy_locks",
        "healthy_server",
        "healthy_pool",
        "healthy_executors",
        "healthy_killed",
        "plain_healthy_threads",
        "idle",
    ],
)
def test_what_gets_on_is_no_alarm(name: str, interpreter: Interpreter) -> None:
    with running("greenlets", interpreter.path, asleep=False, arguments=(name,)) as target:
        for _ in range(CAPTURES):
            found = diagnose(target.pid)
            alarms = [one.title for one in found.findings if one.severity is not Severity.NOTE]
            assert alarms == []
            time.sleep(0.003)


def sleep_of_tick(program: str, name: str, interpreter: Interpreter) -> Sleep:
    """That of the greenlet that only ticks, once it is met in one."""
    with running(program, interpreter.path, asleep=False, arguments=(name,)) as target:

        def asleep() -> list[Sleep]:
            tasks = diagnose(target.pid).capture.tasks
            return [one.sleep for one in tasks if one.function == "tick" and one.sleep]

        (sleep,) = until(asleep)
    return sleep


@EACH
def test_how_long_greenlets_sleep(interpreter: Interpreter) -> None:
    sleep = sleep_of_tick("greenlets", "forgotten", interpreter)
    assert sleep.total_s == pytest.approx(0.02)
    assert sleep.left_s is not None
    assert sleep.left_s <= 0.02


@EACH
def test_no_reassurance_while_greenlets_wait_for_nobody(interpreter: Interpreter) -> None:
    with running("greenlets", interpreter.path, asleep=False, arguments=("nobody",)) as target:
        found = diagnose(target.pid)
    titles = [one.title for one in found.findings]
    assert not any("idle" in title or "is working" in title for title in titles)


@pytest.mark.parametrize(
    ("name", "stands"),
    [
        ("forgotten", "greenlet consume waits"),
        ("channel", "greenlet offer waits at greenlets.py:{} (offer)"),
        ("unstarted", "greenlet compute awaits its start: nobody has called start()"),
    ],
)
@EACH
def test_who_waits_without_end_is_told_before_who_ticks(
    name: str, stands: str, interpreter: Interpreter
) -> None:
    with running("greenlets", interpreter.path, asleep=False, arguments=(name,)) as target:
        found = once_seen(
            lambda: findings.run(series.take(CaptureRequest((target.pid,)), series.Looks(5, 1.0))),
            lambda found: "quiet" in {one.id for one in found},
        )
        line = target.line("channel.put(1)")

    assert "idle" not in {one.id for one in found}
    (one,) = (one for one in found if one.id == "quiet")
    told = one.sentence.partition("Where it stands: ")[2]
    assert stands.format(line) in told
    assert "tick" not in one.title
    assert "tick" not in told[: told.index(stands.format(line))]


@EACH
def test_a_greenlet_waits_for_the_end_of_a_child(interpreter: Interpreter) -> None:
    with running("greenlets", interpreter.path, asleep=False, arguments=("child",)) as target:
        found = diagnose(target.pid)
    (task,) = (one for one in found.capture.tasks if one.function == "convert")
    (wait,) = found.graph.waits_of(task.id)
    assert (wait.target.kind, wait.expires) == (NodeKind.PROCESS, False)
    assert wait.target.pid != target.pid


@EACH
def test_where_greenlets_stand(interpreter: Interpreter) -> None:
    with running("greenlets", interpreter.path, asleep=False, arguments=("ring",)) as target:
        found = until(lambda: _whole(target.pid))
        waits = target.line("wants the second")
        takes = target.line("takes the first")

    (hub,) = found.capture.event_loops
    assert (hub.library, hub.tid, hub.state) == ("gevent", target.pid, LoopState.IDLE)
    assert hub.timers
    tasks = {task.function or task.name: task for task in found.capture.tasks}
    assert {"taking", "tick", "MainThread"} <= tasks.keys()
    for task in found.capture.tasks:
        assert task.kind is NodeKind.GREENLET
        assert task.state is TaskState.WAITING
    (wait,) = found.graph.waits_of(tasks["taking"].id)
    assert (wait.target.kind, wait.expires) == (NodeKind.LOCK, False)
    assert wait.evidence.where == f"greenlets.py:{waits}"
    (hold,) = found.graph.held_by(tasks["taking"].id)
    assert hold.evidence.where == f"greenlets.py:{takes}"
    assert "timer" in (tasks["tick"].awaits or "")
    assert [frame.function for frame in tasks["taking"].python_stack or ()][-1] == "taking"


@EACH
def test_who_is_handed_a_lock_waits_for_it_no_more(interpreter: Interpreter) -> None:
    def handed() -> list[tuple[TaskState, str | None]] | None:
        found = diagnose(target.pid).capture.tasks
        wanting = [(one.state, one.awaits) for one in found if one.function == "want"]
        return wanting if any(state is TaskState.READY for state, _ in wanting) else None

    arguments = ("plain_handed",)
    with running("greenlets", interpreter.path, asleep=False, arguments=arguments) as target:
        wanting = until(handed)

    assert sorted(wanting, key=str) == [
        (TaskState.READY, None),
        (TaskState.WAITING, "its turn, after others, at what was just released"),
    ]


def _whole(pid: int) -> Diagnosis | None:
    found = diagnose(pid)
    ready = all(task.state is TaskState.WAITING for task in found.capture.tasks)
    return found if found.capture.tasks and ready and found.graph.cycles else None


# -- eventlet -------------------------------------------------------------------------------------

WITH_EVENTLET = having("eventlet")
EACH_EVENTLET = pytest.mark.parametrize("interpreter", WITH_EVENTLET, ids=lambda one: one.id)
HUNG_IN_EVENTLET = {
    "ring": ("deadlock", ERROR, ("greenlet take", "eventlet hub in MainThread")),
    "reentrant": ("deadlock", ERROR, ("greenlet take", "eventlet hub in MainThread")),
    "queues": ("mutual-wait", ERROR, ("greenlet ask", "greenlet answer")),
    "semaphores": ("mutual-wait", ERROR, ("greenlet transfer", "left", "right", "release")),
    "pools": (
        "pool-deadlock",
        ERROR,
        ("what 2 pools lend (eventlet's GreenPool)", "greenlet parse", "greenlet download"),
    ),
    "blocked": ("event-loop-blocked", WARNING, ("eventlet hub of MainThread", "other greenlet")),
    "quiet": ("event-loop-stalled", WARNING, ("the hub of MainThread", "greenlet want", "(want)")),
    "in_thread": (
        "event-loop-stalled",
        WARNING,
        ("nor eventlet.tpool", "which waits at", "(load)", "eventlet hub of MainThread is idle"),
    ),
    "across": (
        "mutual-wait",
        ERROR,
        ("eventlet.tpool", "MainThread waits at", "(book) for ledger", "closed.set()"),
    ),
}

HEALTHY_IN_EVENTLET = ("healthy", "in_order", "roomy_pools", "idle", "nobody", "threads_in_turn")


@EACH_EVENTLET
@pytest.mark.parametrize("name", HUNG_IN_EVENTLET)
def test_what_hangs_in_eventlet_is_told_first(name: str, interpreter: Interpreter) -> None:
    identifier, severity, words = HUNG_IN_EVENTLET[name]

    def told() -> Diagnosis | None:
        found = diagnose(target.pid)
        first = found.findings[0] if found.findings else None
        # While another thread ends, what the hub does is told, or less surely who waits for whom.
        sure = first is not None and (severity is not ERROR or first.severity is ERROR)
        return found if first and first.id == identifier and sure else None

    arguments = (name,)
    with running(
        "eventlet_greenlets", interpreter.path, asleep=False, arguments=arguments
    ) as target:
        first = until(told).findings[0]

    text = f"{first.title} {first.sentence} {' '.join(first.advice)}"
    assert first.severity is severity
    assert [word for word in words if word not in text] == []
    record_scheduler("eventlet", name, interpreter.version, first)


@EACH_EVENTLET
def test_how_long_greenlets_of_eventlet_sleep(interpreter: Interpreter) -> None:
    sleep = sleep_of_tick("eventlet_greenlets", "nobody", interpreter)
    assert sleep.total_s == pytest.approx(0.02)


@EACH_EVENTLET
def test_a_wait_for_one_another_is_told_beside_threads_that_come_and_go(
    interpreter: Interpreter,
) -> None:
    """One look tells that the hub is blocked; several, that nobody who came has changed it."""

    def told() -> Finding | None:
        found = _looks(target.pid)
        return found[0] if found[0].id == "mutual-wait" else None

    arguments = ("across_beside_others",)
    with running(
        "eventlet_greenlets", interpreter.path, asleep=False, arguments=arguments
    ) as target:
        first = until(told)

    assert first.severity is WARNING
    assert "MainThread waits at" in first.sentence
    assert "closed.set()" in first.sentence


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH_EVENTLET
def test_who_gets_on_beside_threads_that_come_and_go_is_no_alarm(interpreter: Interpreter) -> None:
    arguments = ("in_turn_beside_others",)
    with running(
        "eventlet_greenlets", interpreter.path, asleep=False, arguments=arguments
    ) as target:
        found = [one for _ in range(4) for one in _looks(target.pid)]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


def _looks(pid: int) -> tuple[Finding, ...]:
    return findings.run(series.take(CaptureRequest((pid,)), series.Looks(5, 1.2)))


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH_EVENTLET
@pytest.mark.parametrize("name", HEALTHY_IN_EVENTLET)
def test_no_alarm_and_no_comfort_in_eventlet(name: str, interpreter: Interpreter) -> None:
    arguments = (name,)
    with running(
        "eventlet_greenlets", interpreter.path, asleep=False, arguments=arguments
    ) as target:
        for _ in range(CAPTURES // 2):
            found = diagnose(target.pid).findings
            assert [one.title for one in found if one.severity is not Severity.NOTE] == []
            assert name != "nobody" or "idle" not in {one.id for one in found}
            time.sleep(0.003)


@EACH_EVENTLET
def test_a_server_of_eventlet_that_waits_for_connections_is_idle(interpreter: Interpreter) -> None:
    arguments = ("accepts",)

    def idle() -> bool:
        return diagnose(target.pid).findings[0].id == "idle"

    with running(
        "eventlet_greenlets", interpreter.path, asleep=False, arguments=arguments
    ) as target:
        assert until(idle)
