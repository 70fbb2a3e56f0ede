"""Workers of a queue that all wait, while more work lies in it."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Complement,
    CouldWake,
    Finding,
    Inward,
    Nearness,
    NodeKind,
    OwnQueue,
    Polled,
    Progress,
    Severity,
    Syscall,
    WorkerQueue,
)
from tests.unit.factories import capture, evidence, holds, lock, python_frame, thread, waits

MAIN = thread("MainThread", 100, 100, python=[python_frame("run", 46)])


def desk(
    *,
    stood_s: float = 2.0,
    polls: bool = True,
    coming: bool = False,
    work: tuple[str, ...] = (),
    enders: tuple[str, ...] = (),
) -> Capture:
    """Two clerks wait for answers, and two orders lie in their queue."""
    clerks = [
        thread(name, tid, 100, python=[python_frame("ask", 17), python_frame("serve", 9)])
        for name, tid in (("clerk-1", 102), ("clerk-0", 101))
    ]
    answers = replace(lock("Desk.answers", 0x1, NodeKind.QUEUE), enders=enders)
    made = capture(
        *(MAIN, *clerks),
        resources=[answers],
        waits=[waits(one, answers, text="Queue.get: it waits for an item") for one in clerks],
    )
    seen = [Progress(one.id, 5, 2.0, stood_s, 0.0) for one in clerks]
    seen.append(Progress(MAIN.id, 5, 2.0, 0.0, 0.0, same_stack=True))
    takers = tuple(one.id for one in clerks)
    queue = WorkerQueue(100, "self.orders", "Desk.serve (desk.py:9)", 2, takers, work)
    polled = Polled(MAIN.id, ("orders.qsize()",), "main.py:46") if polls else None
    ender = CouldWake(
        *(answers.id, MAIN.id, Complement.PUT, Nearness.AHEAD),
        *(evidence(), "self.answers.put", "main.py:50"),
    )
    return replace(
        made,
        progress=tuple(seen),
        worker_queues=(queue,),
        polled=(polled,) if polled else (),
        could_wake=(ender,) if coming else (),
    )


def told(made: Capture) -> Finding | None:
    return next((one for one in findings.run(made) if one.id == "pool-starvation"), None)


def test_all_who_take_work_wait_while_more_lies_there() -> None:
    finding = told(desk())

    assert finding is not None
    assert finding.severity is Severity.WARNING
    assert finding.title == (
        "Workers starved: both threads that take from self.orders wait, and 2 items lie behind: "
        "clerk-0 waits at main.py:17 (ask) for an item of Desk.answers"
    )
    assert "from which only clerk-0 and clerk-1 take (Desk.serve (desk.py:9))" in finding.sentence
    assert finding.sentence.endswith(
        "Meanwhile MainThread waits at main.py:46 (run), by polling orders.qsize()."
    )


def test_where_another_thread_does_something_it_is_a_note() -> None:
    finding = told(desk(polls=False))

    assert finding is not None
    assert finding.severity is Severity.NOTE


@pytest.mark.parametrize(("stood_s", "coming"), [(0.2, False), (2.0, True)])
def test_who_has_just_begun_to_wait_or_is_to_be_answered_holds_up_nothing(
    stood_s: float, *, coming: bool
) -> None:
    assert told(desk(stood_s=stood_s, coming=coming)) is None


@pytest.mark.parametrize(
    ("enders", "said", "severity"),
    [
        (("reply (desk.py:20)",), "reply there would end that wait.", Severity.WARNING),
        (("reply (desk.py:20)", "call (a.py:2)"), "what is waited for may be", Severity.NOTE),
        ((), "what is waited for may be", Severity.NOTE),
    ],
)
def test_what_lies_behind_is_told_and_whether_it_would_end_the_wait(
    enders: tuple[str, ...], said: str, severity: Severity
) -> None:
    finding = told(desk(polls=False, work=("ask", "reply"), enders=enders))

    assert finding is not None
    assert finding.severity is severity
    assert "2 items lie in the queue self.orders (ask and reply) meanwhile" in finding.sentence
    assert said in finding.sentence


def polling_pool(*, written: tuple[str, ...] = ("Cache.fetch (cache.py:16)",)) -> Capture:
    """Both workers of a pool look again and again for what a piece of work behind them brings."""
    workers = [
        thread(name, tid, 100, python=[python_frame("await_hits", 23), python_frame("_worker", 83)])
        for name, tid in (("cache_1", 102), ("cache_0", 101))
    ]
    main = thread("MainThread", 100, 100, python=[python_frame("serve", 35)])
    future = lock("call", 0x1, NodeKind.FUTURE)
    made = capture(
        *(main, *workers),
        resources=[future],
        waits=[waits(main, future, text="Future.result: it waits for the task to be done")],
        holds=[holds(future, workers[0])],
    )
    takers = tuple(one.id for one in workers)
    queue = WorkerQueue(100, "work_queue", "_worker (thread.py:83)", 2, takers, ("Cache.fetch",))
    return replace(
        made,
        progress=tuple(
            Progress(one.id, 5, 2.0, 0.0, 0.0, same_stack=True, same_line=True) for one in workers
        ),
        worker_queues=(queue,),
        polled=tuple(
            Polled(one.id, ("self.hits",), "cache.py:23", written=written, values=("empty",))
            for one in workers
        ),
    )


def test_workers_look_again_and_again_for_what_work_behind_them_brings() -> None:
    finding = told(polling_pool())

    assert finding is not None
    assert finding.severity is Severity.WARNING
    assert "by polling self.hits (empty)" in finding.title
    assert "Cache.fetch there would end that wait." in finding.sentence
    assert "Meanwhile" not in finding.sentence
    behind = "Behind it MainThread waits at main.py:35 (serve) for the result of call"
    assert behind in finding.sentence


def test_workers_that_look_for_what_others_bring_are_not_starved_by_their_queue() -> None:
    assert told(polling_pool(written=("Feed.arrived (feed.py:3)",))) is None


def test_work_behind_comes_to_what_may_end_the_wait() -> None:
    made = desk(polls=False)
    queue = replace(made.worker_queues[0], work=("answer",), may_end=("Desk.answer",))
    going_on = Progress(MAIN.id, 5, 2.0, 0.0, 0.0)

    finding = told(
        replace(
            made,
            worker_queues=(queue,),
            progress=(*(one for one in made.progress if one.thread != MAIN.id), going_on),
        )
    )

    assert finding is not None
    assert finding.severity is Severity.WARNING
    assert "2 items lie behind, with Desk.answer, which may end that: clerk-0" in finding.title
    assert "that comes to Desk.answer, which may end that wait" in finding.sentence


def office(
    *, ends: tuple[int, ...] = (100,), stood_s: float = 2.0, unwoken: bool = True
) -> Capture:
    """An order lies in the queue of a loop that waits at its wake-up socket, and somebody waits
    until that is done."""
    main = thread("MainThread", 100, 100, python=[python_frame("ask", 35)])
    loop = thread("loop", 101, 100, python=[python_frame("run", 9)], syscall=Syscall("epoll_wait"))
    done = lock("done", 0x1, NodeKind.EVENT)
    bell = lock("wake-up socket", 0x2, NodeKind.SOCKET)
    made = capture(
        *(main, loop),
        resources=[done, bell],
        waits=[waits(main, done, text="Event.wait: it waits for a set()"), waits(loop, bell)],
    )
    queue = WorkerQueue(100, "self.orders", "run (main.py:9)", 1, (loop.id,), unwoken=unwoken)
    seen = [Progress(one.id, 5, 2.0, stood_s, 0.0) for one in (main, loop)]
    inward = (Inward(loop.id, ends),)
    return replace(made, progress=tuple(seen), worker_queues=(queue,), inward=inward)


def test_an_order_of_which_nobody_told_the_loop() -> None:
    first = findings.run(office())[0]

    assert (first.id, first.severity) == ("nobody-left-to-wake", Severity.WARNING)
    assert "1 item lies in self.orders, from which only loop takes (run (main.py:9))" in (
        first.sentence
    )
    assert first.advice[0].startswith("Wake who takes from self.orders")


@pytest.mark.parametrize(
    "made",
    [office(ends=(100, 7)), office(stood_s=0.2), office(unwoken=False)],
    ids=["others may wake it", "it woke up a moment ago", "it is no loop"],
)
def test_a_loop_that_may_be_woken_is_no_alarm(made: Capture) -> None:
    found = findings.run(made)

    assert [one.id for one in found if one.severity is Severity.ERROR] == []
    assert not any("once something wakes it" in one.sentence for one in found)


@pytest.mark.parametrize(
    ("kind", "severity"),
    [
        (NodeKind.SEMAPHORE, Severity.WARNING),
        (NodeKind.QUEUE, Severity.WARNING),
        (NodeKind.EVENT, Severity.NOTE),
    ],
)
@pytest.mark.parametrize("outside", [False, True])
def test_what_code_would_end_that_nobody_runs_is_told(
    kind: NodeKind, severity: Severity, *, outside: bool
) -> None:
    made = desk(polls=False)
    if outside:
        (process,) = made.processes
        main, *others = process.threads
        main, severity = replace(main, syscall=Syscall("accept4")), Severity.NOTE
        made = replace(made, processes=(replace(process, threads=(main, *others)),))
    tokens = replace(
        lock("Desk.tokens", 0x1, kind), wakers_known=True, alike=("pour (main.py:35)",)
    )
    says = "Queue.get: it waits for an item"
    clerks = [one for one in made.threads() if one.name != "MainThread"]
    asked = tuple(waits(one, tokens, text=says) for one in clerks)
    finding = told(replace(made, resources=(tokens,), waits=asked))

    assert finding is not None
    assert finding.severity is severity
    would = "by its name pour (main.py:35) would, and no stack is in it"
    assert finding.title.endswith(f"Desk.tokens; {would}")
    by_name = "By its name, pour (main.py:35) would do so; no stack is inside of that."
    assert by_name in finding.sentence


@pytest.mark.parametrize(
    ("taken_in", "severity"),
    [("Desk.serve (desk.py:9)", Severity.WARNING), ("Desk.sell (desk.py:30)", Severity.NOTE)],
)
def test_who_waits_for_what_lies_in_the_own_queue(taken_in: str, severity: Severity) -> None:
    made = desk(polls=False)
    (answers,) = made.resources
    own = replace(answers, own_queue=OwnQueue("self.orders", taken_in))
    finding = told(replace(made, resources=(own,)))

    assert finding is not None
    assert finding.severity is severity
    here = severity is Severity.WARNING
    assert (", with what would end that: clerk-0 waits" in finding.title) is here
    assert ("end the wait of clerk-0 and clerk-1 lies there." in finding.sentence) is here
