"""What is said of waits for pools and limiters of libraries."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.progress import with_progress
from hangtui.analysis.waitgraph import build
from hangtui.findings.outside import waiting_for_pool
from hangtui.findings.pools import held, lost
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    Ends,
    EventLoop,
    Finding,
    Hold,
    LoopState,
    Nearness,
    NodeKind,
    PythonFrame,
    Resource,
    Severity,
    Sleep,
    Surroundings,
    Syscall,
    Task,
    TaskState,
    Thread,
    Traffic,
    Wait,
    Watched,
    resource_id,
    shared_id,
)
from tests.unit.factories import PID, capture, evidence, process, python_frame, stood, thread, waits

SITE = "/app/.venv/lib/python3.12/site-packages"
GET = python_frame("QueuePool._do_get", 155, f"{SITE}/somepool/impl.py")
AUDIT = python_frame("write_audit", 17, "/app/main.py")
ORDER = python_frame("place_order", 25, "/app/main.py")
QUERY = python_frame("run_report", 80, "/app/main.py")
STACK = (GET, AUDIT, ORDER)


def pool(size: int | None = 2, out: int | None = 2, accounted: int = 2) -> Resource:
    name = "SomePool's QueuePool"
    return Resource(
        resource_id(NodeKind.POOL, PID, 1),
        NodeKind.POOL,
        name,
        PID,
        1,
        name=name,
        type_name="somepool.QueuePool",
        package="SomePool 2.0",
        lends="connection",
        size=size,
        out=out,
        accounted=accounted,
    )


def has(resource: Resource, who: Thread, certainty: Certainty = Certainty.PROVEN) -> Hold:
    where = evidence("it is inside `with` in place_order", certainty, "main.py:22")
    return Hold(resource.id, who.id, where, "place_order")


def workers(count: int = 2) -> list[Thread]:
    return [thread(f"order-{n}", 101 + n, python=STACK) for n in range(count)]


def exhausted(
    resource: Resource,
    holders: list[Hold],
    waiters: list[Thread],
    others: tuple[Thread, ...] = (),
    *,
    expires: bool = False,
) -> Capture:
    made = [waits(one, resource, expires=expires, where="main.py:17") for one in waiters]
    return capture(*waiters, *others, resources=[resource], waits=made, holds=holders)


def first(made: Capture) -> Finding:
    return findings.run(made)[0]


def test_who_waits_for_what_it_has_is_told_so() -> None:
    resource, (one, other) = pool(1, 1), workers()
    made = exhausted(resource, [has(resource, one)], [one, other])
    words = words_of(made, build(made))

    assert held(resource, words, one.id) == ", which it has itself, at main.py:22 (place_order)"
    assert held(resource, words, other.id) == ", which order-0 at main.py:22 (place_order) has"


def looks(*captures: Capture) -> Capture:
    """The last of captures that were taken two seconds apart."""
    times = (f"2026-01-02T03:04:{2 * n:02}+00:00" for n in range(len(captures)))
    pairs = zip(captures, times, strict=True)
    return with_progress([replace(made, taken_at=at) for made, at in pairs])


def unmoved(threads: list[Thread]) -> list[Thread]:
    return [replace(one, runs=1, cpu_ns=1) for one in threads]


@pytest.mark.parametrize("expires", [False, True])
def test_all_that_is_out_is_held_by_those_who_wait(expires: bool) -> None:
    both, lends = unmoved(workers()), pool()
    made = exhausted(lends, [has(lends, one) for one in both], both, expires=expires)

    found = first(looks(made, made) if expires else made)

    assert (found.id, found.severity, found.certainty) == (
        "pool-deadlock",
        Severity.ERROR,
        Certainty.PROVEN,
    )
    assert found.title == (
        "Deadlock: order-0 and order-1 wait for a connection of SomePool's QueuePool (size 2, both "
        "out), and have all of it themselves"
    )
    end = " before a timeout ends the wait with an error." if expires else "."
    assert found.sentence == (
        "order-0 waits at main.py:17 (write_audit) for a connection of SomePool's QueuePool (size "
        "2, both out); so does order-1. They have both themselves: order-0 since main.py:22 "
        f"(place_order) and order-1 since main.py:22 (place_order). Neither can go on{end}"
    )
    assert found.resources == (lends.id,)


def test_a_timeout_may_come_before_it_lasted() -> None:
    both, lends = unmoved(workers()), pool()

    found = first(exhausted(lends, [has(lends, one) for one in both], both, expires=True))

    assert (found.id, found.severity) == ("pool-deadlock", Severity.WARNING)
    assert found.title.startswith("Deadlock until a timeout: order-0 and order-1 wait for")


def test_a_thread_that_has_the_only_one_waits_for_itself() -> None:
    (one,), lends = workers(1), pool(1, 1, 1)

    found = first(exhausted(lends, [has(lends, one)], [one]))

    assert (found.id, found.severity) == ("pool-deadlock", Severity.ERROR)
    assert "It has it itself since main.py:22 (place_order), and nobody else" in found.sentence


def test_a_ring_through_a_lock_as_well() -> None:
    both, lends = workers(), pool(1, 1, 1)
    first_one, second = both
    lock = Resource(
        resource_id(NodeKind.LOCK, PID, 9), NodeKind.LOCK, "ledger", PID, 9, name="ledger"
    )
    made = capture(
        *both,
        resources=[lends, lock],
        waits=[waits(first_one, lends), waits(second, lock)],
        holds=[has(lends, second), Hold(lock.id, first_one.id, evidence("inside with"))],
    )

    found = first(made)

    assert (found.id, found.severity) == ("pool-deadlock", Severity.ERROR)
    assert "order-1 waits at main.py:17 (write_audit) for ledger" in found.sentence
    assert set(found.resources) == {lends.id, lock.id}


def test_what_only_a_variable_shows_is_a_warning() -> None:
    both, lends = workers(), pool()

    found = first(exhausted(lends, [has(lends, one, Certainty.INFERRED) for one in both], both))

    assert (found.id, found.severity) == ("pool-deadlock", Severity.WARNING)
    assert found.title.startswith("Possible deadlock")
    assert len(found.unknown) == 2


def test_one_that_nobody_is_seen_to_have_is_counted() -> None:
    both, lends = workers(), pool(3, 3, 2)

    found = first(exhausted(lends, [has(lends, one) for one in both], both))

    assert (found.id, found.severity) == ("pool-deadlock", Severity.WARNING)
    assert "1 more connection is out, and no frame of a thread or task refers to it" in (
        found.sentence
    )


def test_a_pool_of_which_tasks_got_something_meanwhile_is_no_deadlock() -> None:
    both, lends = unmoved(workers()), pool()
    made = exhausted(lends, [has(lends, one) for one in both], both)
    assert first(made).id == "pool-deadlock"
    assert first(replace(made, given=(lends.id,))).id == "waiting-for-pool"


@pytest.mark.parametrize("renewed", [False, True])
def test_a_pool_that_is_lent_on_gives_each_a_turn(*, renewed: bool) -> None:
    """Seen from look to look, or since who has it comes back only after giving it back."""
    waiter, lends = replace(thread("order-0", 101, python=STACK), runs=1, cpu_ns=1), pool(1, 1, 1)
    call = Syscall("clock_nanosleep", sleep=Sleep(0.2, None))
    naps = thread("report", 102, python=(QUERY,), syscall=call)
    hold = replace(has(lends, naps), renewed=renewed)
    turns = [replace(naps, runs=9 * n, cpu_ns=n) for n in range(5)]
    made = looks(*(exhausted(lends, [hold], [waiter], (one,)) for one in turns))

    for one, on in ((made, renewed), (replace(made, given=(lends.id,)), True)):
        found = next(one for one in findings.run(one) if one.id == "waiting-for-pool")
        assert found.severity is (Severity.NOTE if on else Severity.WARNING)
        assert ("It was lent on while it was watched." in found.sentence) is on


def test_a_pool_that_has_one_more_is_no_deadlock() -> None:
    both, lends = workers(), pool(3, 2)

    found = findings.run(exhausted(lends, [has(lends, one) for one in both], both, expires=True))

    assert {one.severity for one in found} == {Severity.NOTE}


@pytest.mark.parametrize(("size", "out"), [(None, 2), (2, None), (None, None)])
def test_a_pool_that_does_not_count_is_a_warning(size: int | None, out: int | None) -> None:
    both, lends = workers(), pool(size, out)

    found = first(exhausted(lends, [has(lends, one) for one in both], both))

    assert (found.id, found.severity) == ("pool-deadlock", Severity.WARNING)


def test_a_holder_that_is_busy_elsewhere_is_told() -> None:
    waiter, lends = thread("order-0", 101, python=STACK), pool(1, 1, 1)
    busy = thread("report", 102, state="R", still=False, python=(QUERY,))

    found = first(exhausted(lends, [has(lends, busy)], [waiter], (busy,), expires=True))

    assert (found.id, found.severity) == ("waiting-for-pool", Severity.NOTE)
    assert found.sentence == (
        "order-0 waits at main.py:17 (write_audit) for a connection of SomePool's QueuePool (size "
        "1, which is out). report has one (at main.py:22 (place_order)) and runs at main.py:80 "
        "(run_report)."
    )


def test_what_nobody_refers_to_was_not_given_back() -> None:
    waiter, lends = thread("order-0", 101, python=STACK), pool(5, 5, 0)

    found = first(exhausted(lends, [], [waiter], expires=True))

    assert found.id == "waiting-for-pool"
    assert "5 connections are out, and no frame of a thread or task refers to them" in (
        found.sentence
    )
    assert found.advice == (
        (
            "Look for a connection that is taken and not given back on every way out; and whether "
            "the pool can make one at all."
        ),
    )


@pytest.mark.parametrize("parent", [None, 77])
def test_a_pool_whose_own_threads_a_fork_has_not_copied(parent: int | None) -> None:
    noted = ("SomePool._workers has thread maker",)
    waiter, lends = thread("order-0", 101, python=STACK), replace(pool(5, 1, 0), noted_ended=noted)
    made = exhausted(lends, [], [waiter])
    (process,) = made.processes
    around = Surroundings(forked_from=parent)
    made = replace(made, processes=(replace(process, around=around),))

    said = first(made).sentence

    told = "SomePool._workers has thread maker, which has ended. The process was forked from"
    assert (told in said) is (parent is not None)


def test_it_is_a_warning_once_it_lasted() -> None:
    waiter, lends = replace(thread("order-0", 101, python=STACK), runs=1, cpu_ns=1), pool(1, 1, 0)
    made = exhausted(lends, [], [waiter])

    found = first(looks(made, made))

    assert (found.id, found.severity) == ("waiting-for-pool", Severity.WARNING)
    assert "for 2 s or more" in found.title


@pytest.mark.parametrize(
    ("seconds", "severity"),
    [(30.0, Severity.NOTE), (90.0, Severity.WARNING), (None, Severity.WARNING)],
)
def test_those_who_have_one_may_give_it_back_within_the_minute(
    seconds: float | None, severity: Severity
) -> None:
    waiter, lends = replace(thread("order-0", 101, python=STACK), runs=1, cpu_ns=1), pool(1, 1, 1)
    call = Syscall("clock_nanosleep", sleep=Sleep(seconds, None) if seconds else None)
    slow = thread("report", 102, python=(QUERY,), syscall=call)
    made = exhausted(lends, [has(lends, slow)], [waiter], (slow,))

    found = next(one for one in findings.run(looks(made, made)) if one.id == "waiting-for-pool")

    assert found.severity is severity
    assert "for 2 s or more" in found.title


def test_holders_that_do_not_stand_still_are_no_deadlock() -> None:
    both, lends = [replace(one, still=False) for one in workers()], pool()

    found = findings.run(exhausted(lends, [has(lends, one) for one in both], both))

    assert "pool-deadlock" not in {one.id for one in found}


def test_one_free_holder_is_enough() -> None:
    both, lends = workers(), pool(3, 3, 3)
    free = thread("report", 103, state="S", still=True, python=(QUERY,))
    made = exhausted(lends, [has(lends, one) for one in (*both, free)], both, (free,))

    assert build(made).cycles == ()
    assert first(made).id == "waiting-for-pool"


def test_what_is_out_for_something_that_is_no_task_is_told_so() -> None:
    (one,) = workers(1)
    lends = replace(pool(1, 1, 0), on_behalf=("Session (alice)",))

    found = first(exhausted(lends, [], [one]))

    assert found.id == "waiting-for-pool"
    assert found.sentence == (
        "order-0 waits at main.py:17 (write_audit) for a connection of SomePool's QueuePool (size "
        "1, which is out). The connection that is out was taken on behalf of a Session (alice), "
        "which is no task: nothing records who gives it back."
    )
    assert found.unknown == ("who is to give back what was taken on behalf of something else",)


def test_so_is_what_is_out_beside_that() -> None:
    (one,) = workers(1)
    lends = replace(pool(4, 4, 1), on_behalf=("Session (alice)", "Order"))

    found = first(exhausted(lends, [has(lends, one)], [one]))

    assert (
        "2 connections that are out were taken on behalf of a Session (alice) and an Order, which "
        "are no tasks: nothing records who gives them back. 1 more is out."
    ) in found.sentence


def test_a_ring_through_two_pools_names_who_has_what_of_which() -> None:
    one, two = workers()
    first_pool = pool(1, 1, 1)
    other = replace(first_pool, id=resource_id(NodeKind.POOL, PID, 2), address=2)
    made = capture(
        one,
        two,
        resources=[first_pool, other],
        waits=[waits(one, first_pool), waits(two, other)],
        holds=[has(first_pool, two), has(other, one)],
    )

    found = first(made)

    assert (found.id, found.severity) == ("pool-deadlock", Severity.ERROR)
    assert found.title == (
        "Deadlock: order-0 and order-1 wait for what 2 pools lend (SomePool's QueuePool), and have "
        "it from one another"
    )
    assert found.sentence == (
        "order-0 waits at main.py:17 (write_audit) for a connection of SomePool's QueuePool (size "
        "1, which is out), which order-1 at main.py:22 (place_order) has; order-1 waits at "
        "main.py:17 (write_audit) for a connection of SomePool's QueuePool (size 1, which is out), "
        "which order-0 at main.py:22 (place_order) has. Neither can go on."
    )


def closing(held: bool) -> tuple[Capture, Resource]:
    """A task of the library's own waits until all is back, and the application's for that task."""
    lends = pool(3, 1, int(held))
    inner = Task(
        *(PID, 0x101, "Task-4", "wait_until_released", TaskState.WAITING, 9, PID),
        (python_frame("Holder.wait_until_released", 298, f"{SITE}/somepool/pool.py", entry=None),),
    )
    outer = Task(
        *(PID, 0x102, "Task-1", "main", TaskState.WAITING, 9, PID),
        (
            python_frame("Pool.close", 1092, f"{SITE}/somepool/pool.py", entry=None),
            python_frame("main", 18, "/app/main.py", entry=None),
        ),
    )
    user = thread("report", 102, python=[QUERY])
    loop = EventLoop(PID, 9, "loop", LoopState.IDLE, PID, timers=1, watched=1)
    made = exhausted(lends, [has(lends, user)] if held else [], [], (thread("MainThread"), user))
    back = waits(inner.id, lends, operation="join")
    end = Wait(outer.id, inner.id, evidence("gather"))
    return replace(made, tasks=(inner, outer), event_loops=(loop,), waits=(back, end)), lends


def test_who_closes_a_pool_is_the_task_that_awaits_its_own_ones() -> None:
    made, _ = closing(held=False)
    found = next(one for one in findings.run(stood(made)) if one.id == "waiting-for-pool")

    assert found.severity is Severity.WARNING
    assert found.title == (
        "task main waits at main.py:18 (main) until no connection of SomePool's QueuePool (size 3, "
        "1 out) is out for 2 s or more"
    )
    assert "no frame of a thread or task refers to it" in found.sentence
    assert found.advice[0].startswith("Look for a connection that is taken and not given back")


def test_who_closes_a_pool_waits_for_the_work_of_those_that_have_something_of_it() -> None:
    made, _ = closing(held=True)
    found = next(one for one in findings.run(stood(made)) if one.id == "waiting-for-pool")

    assert found.severity is Severity.NOTE
    assert "report has one (at main.py:22 (place_order)) and waits at main.py:80" in found.sentence


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ((), "refers to it: never given back, kept elsewhere, or not connected yet."),
        (("reports (a.py)",), "refers to it: the global variable reports (a.py) leads to it."),
        (
            ("reports (a.py)", "cache (b.py)"),
            "refers to it: the global variables reports (a.py) and cache (b.py) lead to it.",
        ),
        (
            ("shared by several: failed (a.py)",),
            "refers to it: failed (a.py), which several threads or tasks refer to: it leads to it.",
        ),
        (
            ("thread-locals of jobs_0",),
            (
                "refers to it: the thread-locals of jobs_0 lead to it, for as long as that thread "
                "lives, or until it is given back."
            ),
        ),
    ],
)
def test_where_what_nobody_has_is_kept(kept: tuple[str, ...], said: str) -> None:
    assert lost(replace(pool(out=1, accounted=0), kept_in=kept)).endswith(said)


def test_units_of_a_semaphore_are_only_counted() -> None:
    assert lost(replace(pool(out=2, accounted=0), lends="unit")) == (
        "2 units are out: a semaphore does not record who took them."
    )


@pytest.mark.parametrize("state", ["R", "S"])
def test_who_computes_for_a_task_that_has_all_of_it_goes_on(state: str) -> None:
    """A statement that takes long in C code, say: that is judged where it is done."""
    lends = pool(1, 1, 1)
    stack = (python_frame("query", 9, "/app/main.py", entry=None),)
    runner = Task(*(PID, 0x101, "Task-1", "query", TaskState.WAITING, 9, PID), stack)
    asker = replace(runner, address=0x102, name="Task-2")
    future = Resource(resource_id(NodeKind.FUTURE, PID, 5), NodeKind.FUTURE, "a future", PID, 5)
    ender = CouldWake(
        *(future.id, thread("worker", 102).id, Complement.SET, Nearness.AHEAD),
        *(evidence(), "future.set_result", "pool.py:50"),
    )
    loop = EventLoop(PID, 9, "loop", LoopState.IDLE, PID, timers=1, watched=1)
    hold = Hold(lends.id, runner.id, evidence("its frame refers to it"))
    pair = []
    for runs in (1, 2):
        worker = replace(thread("worker", 102, python=[QUERY]), runs=runs, cpu_ns=runs, state=state)
        here = replace(thread("MainThread", PID), runs=1, cpu_ns=1)
        made = capture(here, worker, resources=[lends, future], holds=[hold])
        waiting = (waits(runner.id, future), waits(asker.id, lends))
        made = replace(made, tasks=(runner, asker), event_loops=(loop,), waits=waiting)
        pair.append(replace(made, could_wake=(ender,)))

    found = next(one for one in findings.run(looks(*pair)) if one.id == "waiting-for-pool")

    assert "for 2 s or more" in found.title
    assert (found.severity is Severity.NOTE) is (state == "R")


@pytest.mark.parametrize(("moved", "packaged"), [(False, False), (True, False), (False, True)])
def test_what_threads_do_for_tasks_that_have_all_of_it(*, moved: bool, packaged: bool) -> None:
    """The tasks wait for those threads: nobody gave something back while these stood still. Where
    a package has asked for it, the threads' own line is in the title."""
    lends = pool(1, 1, 1)
    stack = (python_frame("to_thread", 9, "/app/main.py", entry=None),)
    runner = Task(*(PID, 0x101, "Task-1", "stream", TaskState.WAITING, 9, PID), stack)
    file = "/usr/lib/python3.12/site-packages/starlette/routing.py" if packaged else "/app/main.py"
    asks = (python_frame("page", 9, file, entry=None),)
    asker = Task(*(PID, 0x102, "Task-2", "page", TaskState.WAITING, 9, PID), asks)
    future = Resource(resource_id(NodeKind.FUTURE, PID, 5), NodeKind.FUTURE, "a future", PID, 5)
    ender = CouldWake(
        *(future.id, thread("worker", 102).id, Complement.SET, Nearness.AHEAD),
        *(evidence(), "future.set_result", "pool.py:50"),
    )
    loop = EventLoop(PID, 9, "loop", LoopState.IDLE, PID, timers=1, watched=1)
    hold = Hold(lends.id, runner.id, evidence("the limiter records it"))
    pair = []
    for runs in (1, 2 if moved else 1):
        worker = replace(thread("worker", 102, python=[QUERY]), runs=runs, cpu_ns=runs)
        made = capture(thread("MainThread", PID), worker, resources=[lends, future], holds=[hold])
        waiting = (waits(runner.id, future), waits(asker.id, lends))
        made = replace(made, tasks=(runner, asker), event_loops=(loop,), waits=waiting)
        pair.append(replace(made, could_wake=(ender,)))

    found = next(one for one in findings.run(looks(*pair)) if one.id == "waiting-for-pool")

    assert "waits for what a thread does for it: worker waits at " in found.sentence
    kept = ", and nobody gave one back for 2 s or more"
    assert (kept in found.title, found.severity is Severity.WARNING) == (not moved, not moved)
    assert ("; with one, worker waits at " in found.title) == packaged
    assert found.where is not None
    assert (found.where.function == QUERY.function) == packaged


@pytest.mark.parametrize("serves", [True, False])
def test_who_serves_a_client_asks_for_nothing(serves: bool) -> None:
    """It waits for what the client sends next, not for what a task there waits for."""
    lends = pool()
    asker = Task(
        *(PID, 0x102, "Task-2", "page", TaskState.WAITING, 9, PID),
        (python_frame("page", 9, "/app/main.py", entry=None),),
    )
    loop = EventLoop(PID, 9, "loop", LoopState.IDLE, PID, timers=1, watched=1)
    line = Resource(
        *(resource_id(NodeKind.SOCKET, 0, 7), NodeKind.SOCKET, "TCP connection to ::1:9", 200, 7),
        traffic=Traffic(1.0, 1.0, sent_last=False, accepted=serves),
    )
    peer = thread("peer", 200, 200, python=[QUERY])
    here = thread("MainThread", PID)
    made = capture(here, resources=[lends, line], holds=[Hold(line.id, here.id, evidence())])
    made = replace(
        made,
        processes=(*made.processes, process(200, peer)),
        tasks=(asker,),
        event_loops=(loop,),
        waits=(waits(asker.id, lends), waits(peer, line)),
    )

    found = next(one for one in findings.run(stood(made)) if one.id == "waiting-for-pool")

    assert ("peer of process 200 waits for it" in found.title) is not serves
    assert ("behind that" in found.sentence) is not serves


def test_a_pool_that_cannot_connect_has_none_out() -> None:
    waiter = thread("MainThread", PID, python=STACK)
    lends = replace(pool(4, 0, 0), failed=8)
    found = first(exhausted(lends, [], [waiter], expires=True))

    assert "(size 4, none is out)" in found.title
    assert "None is out: 8 attempts of the pool to make one failed." in found.sentence
    assert any("can be reached from here" in one for one in found.advice)


@pytest.mark.parametrize(
    ("lends", "due_s", "severity"),
    [
        ("item", 30.0, Severity.NOTE),
        ("item", 300.0, Severity.WARNING),
        ("connection", 30.0, Severity.WARNING),
    ],
)
def test_what_an_unknown_limiter_lends_by_the_clock_is_no_warning(
    lends: str, due_s: float, severity: Severity
) -> None:
    main = thread("MainThread", python=[python_frame("select", 9, "/usr/lib/python3.12/s.py")])
    (main,) = unmoved([main])
    stack = (python_frame("Limiter.acquire", 9, f"{SITE}/somepool/limit.py"), AUDIT)
    asks = Task(*(PID, 0x101, "Task-1", "call", TaskState.WAITING, 9, PID), stack)
    loop = EventLoop(PID, 9, "loop", LoopState.IDLE, PID, timers=1, due_s=due_s)
    lent = replace(pool(None, None, 0), lends=lends)
    made = capture(main, resources=[lent], waits=[waits(asks.id, lent)])
    made = replace(made, tasks=(asks,), event_loops=(loop,))

    found = next(one for one in findings.run(looks(made, made)) if one.id == "waiting-for-pool")

    assert found.severity is severity


@pytest.mark.parametrize(("left_s", "severity"), [(20.0, Severity.NOTE), (99.0, Severity.WARNING)])
def test_who_has_it_and_waits_for_one_who_goes_on_gives_it_back(
    left_s: float, severity: Severity
) -> None:
    lent = pool(1, 1, 1)
    user, asker = unmoved([thread("fetch-0", 111, python=(QUERY,)), workers(1)[0]])
    nap = Syscall("clock_nanosleep", sleep=Sleep(left_s, left_s))
    (peer,) = unmoved([thread("handler", 900, 900, python=(ORDER,), syscall=nap)])
    link = Resource(shared_id(NodeKind.SOCKET, "0x5"), NodeKind.SOCKET, "link", PID, 5)
    made = exhausted(lent, [has(lent, user)], [asker], (user,))
    other = Hold(link.id, peer.id, evidence("its end"))
    made = replace(
        made,
        processes=(*made.processes, process(900, peer)),
        resources=(lent, link),
        waits=(*made.waits, waits(user, link)),
        holds=(*made.holds, other),
    )

    found = next(one for one in findings.run(looks(made, made)) if one.id == "waiting-for-pool")

    assert found.severity is severity


@pytest.mark.parametrize(("left_s", "severity"), [(20.0, Severity.NOTE), (99.0, Severity.WARNING)])
def test_a_task_that_has_it_and_awaits_an_answer_of_one_who_goes_on_gives_it_back(
    left_s: float, severity: Severity
) -> None:
    lent, ends = pool(1, 1, 1), Ends(None, "127.0.0.1:80")
    (main,) = unmoved([thread("MainThread", PID)])
    stack = (python_frame("fetch", 30),)
    user = Task(*(PID, 0x101, "Task-1", "fetch", TaskState.WAITING, 9, PID), stack)
    asker = replace(user, address=0x102, name="Task-2")
    user = replace(user, awaits=f"the {ends.name}", ends=ends)
    nap = Syscall("clock_nanosleep", sleep=Sleep(left_s, left_s))
    (peer,) = unmoved([thread("handler", 900, 900, python=(ORDER,), syscall=nap)])
    hold = Hold(lent.id, user.id, evidence("its frame refers to it"))
    made = capture(main, resources=[lent], waits=[waits(asker.id, lent)], holds=[hold])
    made = replace(
        made,
        processes=(*made.processes, process(900, peer)),
        tasks=(user, asker),
        event_loops=(EventLoop(PID, 9, "loop", LoopState.IDLE, PID, timers=1, watched=1),),
        watched=(
            Watched(main.id, ends.name, Traffic(9.0, None, sent_last=True), (900,), ends=ends),
        ),
    )

    found = next(one for one in findings.run(looks(made, made)) if one.id == "waiting-for-pool")

    assert found.severity is severity


@pytest.mark.parametrize(
    ("stack", "severity"), [((GET,), Severity.NOTE), ((GET, AUDIT), Severity.WARNING)]
)
def test_what_a_package_asks_for_itself_may_be_its_own_limit(
    stack: tuple[PythonFrame, ...], severity: Severity
) -> None:
    asks, lends = thread("sender", 101, python=stack), pool(None, None, 0)
    made = stood(exhausted(lends, [], unmoved([asks])))

    (found,) = waiting_for_pool.check(made, build(made))

    assert found.severity is severity
