"""Tasks of trio in the graph and the findings."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.schedulers import unread_on
from hangtui.analysis.task_moves import threads_whose_tasks_moved
from hangtui.analysis.waitgraph import build
from hangtui.capture_file import decode, encode
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    EventLoop,
    Finding,
    LoopState,
    Nearness,
    NodeKind,
    PythonFrame,
    Resource,
    Severity,
    Syscall,
    Task,
    TaskState,
    Thread,
    Wait,
    resource_id,
    thread_id,
)
from tests.unit.factories import PID, capture, evidence, holds, lock, python_frame, thread, waits

RUNNER = 0x10
SITE = "/venv/lib/python3.12/site-packages"
RUN = python_frame("run", 2407, f"{SITE}/trio/_core/_run.py")
EPOLL = python_frame("get_events", 238, f"{SITE}/trio/_core/_io_epoll.py")
MAIN = python_frame("<module>", 9)
TRAPS = python_frame("_async_yield", 71, f"{SITE}/trio/_core/_traps.py")
SLEEP = python_frame("sleep_until", 85, f"{SITE}/trio/_timeouts.py")
TURN = python_frame("checkpoint", 3017, f"{SITE}/trio/_core/_run.py")
RECEIVE = python_frame("MemoryReceiveChannel.receive", 312, f"{SITE}/trio/_channel.py")
STREAM = python_frame("MemoryObjectReceiveStream.receive", 117, f"{SITE}/anyio/streams/memory.py")
EVENT = python_frame("Event.wait", 97, f"{SITE}/trio/_sync.py")
ACCEPT = python_frame("SocketListener.accept", 398, f"{SITE}/trio/_highlevel_socket.py")
SIGNAL = python_frame("SignalReceiver.__anext__", 97, f"{SITE}/trio/_signals.py")
HTTP = python_frame("AsyncConnectionPool.request", 40, f"{SITE}/httpcore/_async/pool.py")
WORK, FETCH = python_frame("work", 20), python_frame("fetch", 30)
WORKER = python_frame("WorkerThread._work", 211, f"{SITE}/trio/_core/_thread_cache.py")
POLL = Syscall("epoll_wait", timed=True)


def task(number: int, *stack: PythonFrame, name: str | None = None) -> Task:
    name = name or f"#{number}"
    function, waiting = stack[-1].function, TaskState.WAITING
    return Task(PID, 0x100 + number, name, function, waiting, RUNNER, PID, stack, "something")


def of(
    *tasks: Task,
    others: Iterable[Thread] = (),
    base: Capture | None = None,
    library: str = "trio",
    timers: int = 0,
    watched: int = 0,
) -> Capture:
    main = thread("MainThread", python=(EPOLL, RUN, MAIN), syscall=POLL)
    base = base or capture(main, *others)
    loop = EventLoop(PID, RUNNER, "trio.Runner", LoopState.IDLE, PID, None, timers, watched, 0,
                     library)  # fmt: skip
    return replace(base, tasks=tasks, event_loops=(loop,))


def told(made: Capture) -> dict[str, Finding]:
    return {one.id: one for one in findings.run(made, build(made))}


def await_(waiter: Task, *targets: Task, together: bool = True) -> list[Wait]:
    proof = evidence("nursery", Certainty.PROVEN)
    return [Wait(waiter.id, one.id, proof, together=together) for one in targets]


def abba() -> Capture:
    first, second = task(1, TRAPS, WORK), task(2, TRAPS, WORK)
    left, right = lock("left (trio.Lock)", 0xA), lock("right (trio.Lock)", 0xB)
    base = capture(
        thread("MainThread", python=(EPOLL, RUN, MAIN), syscall=POLL),
        resources=[left, right],
        waits=[waits(first.id, right), waits(second.id, left)],
        holds=[holds(left, first.id), holds(right, second.id)],
    )
    return of(first, second, base=base)


def test_a_ring_of_locks_is_told_in_the_words_of_trio() -> None:
    finding = told(abba())["deadlock"]

    assert finding.severity is Severity.ERROR
    assert "tasks of the trio event loop in MainThread" in finding.sentence
    text = f"{finding.title} {finding.sentence} {finding.advice}"
    assert "trio.move_on_after()" in text
    assert "asyncio" not in text


def test_a_loop_is_the_same_after_a_file() -> None:
    made = abba()
    again = decode(encode(made))

    assert (again.event_loops, again.tasks, again.waits) == (
        made.event_loops,
        made.tasks,
        made.waits,
    )


def test_a_loop_that_is_not_read_is_told_apart_from_one_that_is() -> None:
    made = of()
    (main,) = made.threads()

    assert unread_on(main, made) is None
    assert unread_on(main, replace(made, event_loops=())) == ("trio", "tasks")
    assert unread_on(main, of(library="asyncio")) == ("trio", "tasks")
    assert unread_on(main, made, ()) is None


@pytest.mark.parametrize(
    ("stack", "idle"),
    [
        ((TRAPS, SLEEP, WORK), True),
        ((TRAPS, SLEEP, FETCH, WORK), True),
        ((TRAPS, TURN, SLEEP, WORK), False),
        ((TRAPS, RECEIVE, WORK), True),
        ((TRAPS, EVENT, STREAM, WORK), True),
        ((TRAPS, RECEIVE, FETCH, WORK), False),
        ((TRAPS, EVENT, WORK), False),
        ((TRAPS, SIGNAL, WORK), True),
        ((TRAPS, ACCEPT, WORK), True),
        ((TRAPS, ACCEPT), True),
        ((TRAPS, EVENT, HTTP, WORK), False),
        ((WORK,), False),
    ],
    ids=[
        *("sleeps", "sleeps deeper", "has its turn", "takes items", "takes items of anyio"),
        *("takes one", "event"),
        *("signal", "accepts", "accepts by itself", "within a library", "nothing known"),
    ],
)
def test_a_loop_rests_only_with_all_its_tasks(stack: tuple[PythonFrame, ...], idle: bool) -> None:
    found = told(of(task(1, *stack), timers=1, watched=1))

    assert ("idle" in found) is idle
    if idle:
        assert "runs a trio event loop that waits for 1 connection and 1 timer" in (
            found["idle"].sentence
        )


@pytest.mark.parametrize("resting", [True, False])
def test_who_opened_a_nursery_rests_if_all_in_it_do(resting: bool) -> None:
    parent = task(1, TRAPS, WORK)
    children = task(2, TRAPS, SLEEP, FETCH), task(3, TRAPS, SLEEP if resting else EVENT, FETCH)
    made = replace(of(parent, *children, timers=1), waits=tuple(await_(parent, *children)))

    assert ("idle" in told(made)) is resting


def test_a_task_without_a_line_of_the_application_does_not_rest_in_a_lock() -> None:
    one, event = task(1, TRAPS, EVENT), resource_id(NodeKind.EVENT, PID, 0xE)
    resource = Resource(event, NodeKind.EVENT, "done (trio.Event)", PID, 0xE, name="done")
    made = replace(of(one, timers=1), waits=(waits(one.id, resource),), resources=(resource,))

    assert "idle" not in told(made)


@pytest.mark.parametrize("together", [True, False])
def test_one_child_in_a_ring_is_enough_where_all_have_to_end(together: bool) -> None:
    parent, child, other = task(1, TRAPS, WORK), task(2, TRAPS, FETCH), task(3, TRAPS, SLEEP)
    left = lock("left (trio.Lock)", 0xA)
    base = capture(
        thread("MainThread", python=(EPOLL, RUN, MAIN), syscall=POLL),
        resources=[left],
        waits=[*await_(parent, child, other, together=together), waits(child.id, left)],
        holds=[holds(left, parent.id)],
    )
    found = told(of(parent, child, other, base=base, timers=1))

    assert ("deadlock" in found) is together


def stalled(*others: Thread, holder: bool = True) -> dict[str, Finding]:
    """An event that nobody sets, and threads beside the loop: the last waits for a result."""
    one = task(1, TRAPS, EVENT, WORK)
    asker = others[-1]
    event = resource_id(NodeKind.EVENT, PID, 0xE)
    future = resource_id(NodeKind.FUTURE, PID, 0xF)
    made = Resource(event, NodeKind.EVENT, "done (trio.Event)", PID, 0xE, name="done")
    result = Resource(future, NodeKind.FUTURE, "result of load()", PID, 0xF, name="result of load")
    main = thread("MainThread", python=(EPOLL, RUN, MAIN), syscall=POLL)
    base = capture(
        main,
        *others,
        resources=[made, result],
        waits=[waits(one.id, made), waits(asker, result)],
        holds=[holds(result, one.id)] if holder else [],
    )
    return told(of(one, base=base))


def other(tid: int, *stack: PythonFrame) -> Thread:
    return thread(f"Trio thread {tid}", PID + tid, python=stack, syscall=Syscall("futex"))


def test_threads_that_wait_for_the_loop_cannot_wake_it() -> None:
    found = stalled(other(1, WORKER), other(2, FETCH))["event-loop-stalled"]

    assert "all other threads wait for its tasks, or for work" in found.sentence
    assert found.certainty is not Certainty.INFERRED
    assert found.subject == found.tasks[0]


def test_another_thread_may_wake_the_loop() -> None:
    assert "event-loop-stalled" not in stalled(other(1, FETCH), other(2, FETCH))


def test_a_thread_that_waits_for_a_third_one_that_is_not_there_cannot_wake_the_loop() -> None:
    found = stalled(other(2, FETCH), holder=False)["event-loop-stalled"]

    assert "nor Trio thread 2, which waits at" in found.title
    assert "and all other threads wait as well" in found.sentence


@pytest.mark.parametrize(
    ("before", "after", "moves"),
    [
        ((TRAPS, SLEEP, WORK), (TRAPS, SLEEP, WORK), False),
        ((TRAPS, SLEEP, WORK), (TRAPS, EVENT, WORK), False),
        ((TRAPS, SLEEP, WORK), (TRAPS, SLEEP, FETCH, WORK), True),
        ((TRAPS, SLEEP), (TRAPS, EVENT), False),
    ],
    ids=["stays", "stays in the application", "calls something", "nothing of the application"],
)
def test_a_loop_gets_on_with_its_tasks(
    before: tuple[PythonFrame, ...], after: tuple[PythonFrame, ...], moves: bool
) -> None:
    looks = [of(task(1, *before)), of(task(1, *after))]

    assert threads_whose_tasks_moved(looks) == ({thread_id(PID, PID)} if moves else set())


def test_a_loop_gets_on_where_a_task_is_new() -> None:
    looks = [of(task(1, TRAPS, WORK)), of(task(2, TRAPS, WORK))]

    assert threads_whose_tasks_moved(looks) == {thread_id(PID, PID)}


def channel(*, type_name: str = "trio.MemoryReceiveChannel", waits_for_it: bool = True) -> Finding:
    """A task waits for an item, and the one that refers to the channel as well for its end."""
    store, crawl = task(1, TRAPS, RECEIVE, WORK, name="store"), task(2, TRAPS, FETCH, name="crawl")
    pages = replace(
        lock("receive", 0xA, NodeKind.QUEUE),
        type_name=type_name,
        note="1 sending end of its channel is open: closing the last one ends the wait as well",
    )
    event = lock("an event", 0xB, NodeKind.EVENT)
    takes = replace(waits(store.id, pages, Certainty.PROVEN), operation="get")
    behind = await_(crawl, store) if waits_for_it else [waits(crawl.id, event)]
    base = capture(
        thread("MainThread", python=(EPOLL, RUN, MAIN), syscall=POLL),
        resources=[pages, event],
        waits=[takes, *behind],
    )
    refers = CouldWake(
        pages.id, crawl.id, Complement.PUT, Nearness.REFERS, evidence("", Certainty.INFERRED)
    )
    made = of(store, crawl, base=replace(base, could_wake=(refers,)))
    return told(made)["event-loop-stalled"]


def test_who_has_an_end_of_the_channel_and_waits_for_its_reader_is_told() -> None:
    found = channel()

    assert found.sentence.endswith(
        " 1 sending end of its channel is open: closing the last one ends the wait as well. Task "
        "fetch (crawl) refers to the channel, and waits at main.py:30 (fetch) for task work "
        "(store) to end: if it has that end, it would have to close it before."
    )
    assert found.advice[-1].startswith(
        "Close what task fetch (crawl) has of the other end of receive"
    )


@pytest.mark.parametrize(
    ("type_name", "waits_for_it"),
    [("asyncio.queues.Queue", True), ("trio.MemoryReceiveChannel", False)],
)
def test_another_that_refers_to_it_need_not_have_an_end(type_name: str, waits_for_it: bool) -> None:
    found = channel(type_name=type_name, waits_for_it=waits_for_it)

    assert "refers to the channel" not in found.sentence
