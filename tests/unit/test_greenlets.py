"""Greenlets in the graph, the findings and the reports."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.progress import compare
from hangtui.analysis.waitgraph import build
from hangtui.capture_file import decode, encode
from hangtui.diagnosis import diagnose
from hangtui.model import (
    Capture,
    Certainty,
    EventLoop,
    LoopState,
    NodeId,
    NodeKind,
    Severity,
    Syscall,
    Task,
    TaskState,
    Thread,
)
from hangtui.report.json_report import to_dict
from hangtui.report.text_report import to_text
from tests.unit.factories import PID, capture, holds, lock, only, python_frame, thread, waits

HUB = 0x10
GEVENT = "/srv/app/lib/python3.12/site-packages/gevent"


def greenlet(
    function: str,
    number: int,
    state: TaskState = TaskState.WAITING,
    *,
    still: bool | None = None,
    inside: tuple[str, str] | None = None,
) -> Task:
    """*inside*: the function of gevent that it waits in, and its file."""
    own = python_frame(function, 10 + number, "/app/jobs.py", entry=None)
    library = [python_frame(inside[0], 1, f"{GEVENT}/{inside[1]}", entry=None)] if inside else []
    name, frames = f"Greenlet at {0x100 + number:#x}", (*library, own)
    return Task(
        PID,
        0x100 + number,
        name,
        function,
        state,
        HUB,
        PID,
        frames,
        kind=NodeKind.GREENLET,
        still=still,
    )


def hub(state: LoopState = LoopState.IDLE, task: NodeId | None = None) -> EventLoop:
    return EventLoop(PID, HUB, "gevent.hub.Hub", state, PID, task, 1, 1, 0, "gevent")


def main(*, still: bool = False) -> Thread:
    run = python_frame("run", 647, f"{GEVENT}/hub.py")
    syscall = Syscall("epoll_wait")
    return replace(thread("MainThread", still=still, python=[run], syscall=syscall), runs=5)


def ring(
    *, still: bool | None, moves: bool = True, certainty: Certainty = Certainty.CERTAIN
) -> Capture:
    """Two greenlets that took two locks in opposite orders; *moves*: their hub ticks meanwhile."""
    move, back = greenlet("move", 1, still=still), greenlet("back", 2, still=still)
    left, right = lock("left (threading.Lock)", 0xA), lock("right (threading.Lock)", 0xB)
    made = capture(
        main(still=not moves),
        resources=[left, right],
        waits=[waits(move.id, right, certainty), waits(back.id, left, certainty)],
        holds=[
            holds(left, move.id, Certainty.PROVEN, "jobs.py:3"),
            holds(right, back.id, Certainty.PROVEN, "jobs.py:7"),
        ],
    )
    return replace(made, tasks=(move, back, greenlet("tick", 3)), event_loops=(hub(),))


def test_a_ring_that_was_so_at_one_moment_though_its_hub_ticks() -> None:
    finding = only(ring(still=True), "deadlock")
    assert finding.severity is Severity.ERROR
    assert "greenlets move and back" in finding.title
    assert "They are greenlets of the gevent hub in MainThread." in finding.sentence
    assert (
        "these greenlets were read once more, all at once: nothing had changed" in finding.evidence
    )
    assert any("gevent.Timeout()" in line for line in finding.advice)


def test_what_was_read_one_after_the_other_is_no_ring() -> None:
    assert not build(ring(still=None)).cycles


def test_a_hub_that_stood_still_needs_no_second_reading() -> None:
    finding = only(ring(still=None, moves=False), "deadlock")
    assert finding.severity is Severity.ERROR
    assert "the thread of the event loop never ran while watched for 250 ms" in finding.evidence


def test_what_only_looked_the_same_at_each_look_is_possible() -> None:
    finding = only(ring(still=True, certainty=Certainty.INFERRED), "deadlock")
    assert (finding.severity, finding.certainty) == (Severity.WARNING, Certainty.INFERRED)


def test_a_greenlet_that_blocks_the_hub() -> None:
    crunch = greenlet("crunch", 1, TaskState.RUNNING)
    sleeping = replace(main(still=True), python_stack=crunch.python_stack)
    busy = hub(LoopState.BUSY, crunch.id)
    tasks = (crunch, greenlet("tick", 2))
    finding = only(replace(capture(sleeping), tasks=tasks, event_loops=(busy,)), "event-loop")
    assert finding.title.startswith("Hub blocked: greenlet crunch makes MainThread wait")
    assert "(1 other greenlet)" in finding.sentence
    assert "asyncio" not in f"{finding.sentence}{finding.advice}"


def test_a_hub_that_nobody_needs_is_not_blocked() -> None:
    waits_alone = greenlet("wait_for_workers", 1, TaskState.RUNNING)
    sleeping = replace(main(still=True), python_stack=waits_alone.python_stack)
    loop = hub(LoopState.BUSY, waits_alone.id)
    made = replace(capture(sleeping), tasks=(waits_alone,), event_loops=(loop,))
    assert "event-loop-blocked" not in {found.id for found in findings.run(made)}


@pytest.mark.parametrize(
    "inside",
    [("serve_forever", "baseserver.py"), ("sleep", "hub.py"), ("socket.accept", "_socket3.py")],
)
def test_a_hub_whose_greenlets_rest_is_idle(inside: tuple[str, str]) -> None:
    serves = greenlet("<module>", 1, inside=inside)
    made = replace(capture(main(still=True)), tasks=(serves,), event_loops=(hub(),))
    (found,) = findings.run(made)
    assert found.id == "idle"
    assert (
        "runs a gevent hub that waits for 1 connection and 1 timer, its 1 greenlet" in found.title
    )


@pytest.mark.parametrize(
    "inside", [("wait", "event.py"), ("acquire", "lock.py"), ("run", "subprocess.py"), None]
)
def test_a_hub_whose_greenlets_wait_for_each_other_is_not_idle(
    inside: tuple[str, str] | None,
) -> None:
    fetch = greenlet("fetch", 1, inside=inside)
    made = replace(capture(main(still=True)), tasks=(fetch,), event_loops=(hub(),))
    assert "idle" not in {found.id for found in findings.run(made)}


def test_a_hub_that_ran_while_it_was_read_is_not_called_idle() -> None:
    serves = greenlet("<module>", 1, inside=("serve_forever", "baseserver.py"))
    made = replace(capture(main(still=False)), tasks=(serves,), event_loops=(hub(),))
    assert "idle" not in {found.id for found in findings.run(made)}


def test_who_waits_for_the_end_of_a_librarys_greenlet_does_not_rest() -> None:
    stack = (python_frame("wait", 5, f"{GEVENT}/event.py", entry=None),)
    inner = replace(greenlet("wait", 2), python_stack=stack)
    joins = greenlet("<module>", 1)
    made = capture(main(still=True), waits=[waits(joins.id, inner.id)])
    made = replace(made, tasks=(joins, inner), event_loops=(hub(),))
    assert "idle" not in {found.id for found in findings.run(made)}


def test_a_hub_whose_greenlets_move_does_not_stand_still() -> None:
    looks = []
    for second in range(3):
        tasks = (greenlet("work", second), greenlet("rest", 9))
        looks.append(
            replace(
                capture(replace(main(), cpu_ns=second, runs=second)),
                taken_at=f"2030-01-02T03:04:0{second}+00:00",
                tasks=tasks,
                event_loops=(hub(),),
            )
        )
    (moved,) = compare(looks)
    assert not moved.same_line
    (stood,) = compare([replace(look, tasks=looks[0].tasks) for look in looks])
    assert stood.same_line


def test_reports_call_them_greenlets() -> None:
    made = decode(encode(ring(still=True)))
    told = to_dict(diagnose(made))
    (process,) = told["processes"]
    assert {task["kind"] for task in process["tasks"]} == {"greenlet"}
    assert process["event_loops"][0]["library"] == "gevent"
    kinds = {node["kind"] for node in told["nodes"]}
    assert {"greenlet", "lock", "thread"} <= kinds
    text = to_text(diagnose(made))
    assert "CYCLE 1: 2 greenlets wait for each other" in text
    assert "HUB OF GEVENT  in MainThread" in text


def test_where_a_process_stands_is_told_by_who_waits_last() -> None:
    event = lock("done (gevent.event.Event)", 0xE, NodeKind.EVENT)
    joins, fetch = greenlet("<module>", 1), greenlet("fetch", 2)
    made = capture(
        main(still=True),
        resources=[event],
        waits=[waits(joins.id, fetch.id), waits(fetch.id, event)],
    )
    (found,) = findings.run(replace(made, tasks=(joins, fetch), event_loops=(hub(),)))
    assert found.id == "quiet"
    assert "greenlet fetch waits at jobs.py:12 (fetch) for done" in found.title


def of_executor(number: int, *, still: bool = True) -> Task:
    """A worker of a patched executor, which waits inside of a task."""
    worker = python_frame("_worker", 92, "/usr/lib/python3.12/concurrent/futures/thread.py")
    made = greenlet("parent", number, still=still, inside=("LockType.acquire", "thread.py"))
    stack = (*(made.python_stack or ()), worker)
    return replace(made, name=f"Pool-0_{number}", python_stack=stack)


def starved(
    workers: list[Task], certainty: Certainty = Certainty.PROVEN, *, expires: bool = False
) -> Capture:
    """Each of *workers* waits for a task that any of them would have to do."""
    futures = [lock("concurrent.futures.Future", 0x900 + n, NodeKind.FUTURE) for n in range(2)]
    pairs = list(zip(workers, futures, strict=False))
    made = capture(
        thread("MainThread", PID, still=False),
        resources=futures,
        waits=[waits(one.id, future, expires=expires) for one, future in pairs],
        holds=[holds(future, one.id, certainty) for one in workers for _, future in pairs],
    )
    return replace(made, tasks=tuple(workers), event_loops=(hub(),))


def test_greenlets_that_are_all_of_a_pool_wait_for_what_is_queued_behind() -> None:
    (found,) = findings.run(starved([of_executor(0), of_executor(1)]))

    assert (found.id, found.severity, found.certainty) == (
        "executor-starvation",
        Severity.ERROR,
        Certainty.PROVEN,
    )
    assert "have all places of the pool Pool-0 (a ThreadPoolExecutor) (2 workers" in found.sentence


def test_a_greenlet_that_is_all_of_a_pool_may_have_queued_it_elsewhere() -> None:
    (found,) = findings.run(starved([of_executor(0)], Certainty.INFERRED))

    assert (found.id, found.severity) == ("executor-starvation", Severity.WARNING)
    assert found.unknown


@pytest.mark.parametrize(
    "made",
    [
        starved([of_executor(0), of_executor(1, still=False)]),
        starved([of_executor(0), of_executor(1)], expires=True),
    ],
)
def test_no_pool_of_greenlets_is_starved_that_goes_on(made: Capture) -> None:
    assert "executor-starvation" not in {one.id for one in findings.run(made)}
