"""Who is to come to an end, and waits for what goes on: tasks that leave, loops that close."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.causes_first import causes_first
from hangtui.findings.resources import at_queue
from hangtui.findings.rest.tasks import TaskRests
from hangtui.findings.words import ref, words_of
from hangtui.model import (
    Certainty,
    EventLoop,
    Finding,
    LoopState,
    NodeId,
    NodeKind,
    Reason,
    Severity,
    Task,
    TaskState,
    Thread,
    Wait,
)
from tests.unit.factories import (
    PID,
    capture,
    evidence,
    holds,
    lock,
    python_frame,
    stood,
    thread,
    waits,
)

LOOP = 0x10
EVENTS = "/usr/lib/python3.12/asyncio/base_events.py"
QUEUES = "/usr/lib/python3.12/asyncio/queues.py"


def task(function: str, number: int, *inside: object) -> Task:
    frames = (*inside, python_frame(function, 10 + number, "/app/jobs.py", entry=None))
    return Task(
        PID, 0x100 + number, f"Task-{number}", function, TaskState.WAITING, LOOP, PID,
        python_stack=frames,  # type: ignore[arg-type]
    )  # fmt: skip


def loop() -> EventLoop:
    return EventLoop(PID, LOOP, "asyncio.Loop", LoopState.IDLE, PID, timers=1, watched=1)


@pytest.mark.parametrize(
    ("function", "rests"), [("Ledger.__aexit__", False), ("close", False), ("serve", True)]
)
def test_who_leaves_and_waits_for_a_task_that_takes_items_does_not_rest(
    function: str, rests: bool
) -> None:
    takes = task("write", 1, python_frame("Queue.get", 158, QUEUES))
    ends = task(function, 2)
    items = lock("Feed.out (asyncio.Queue)", 0xA, NodeKind.QUEUE)
    awaited = Wait(ends.id, takes.id, evidence("it awaits it", Certainty.PROVEN))
    base = capture(
        thread("MainThread"),
        resources=[items],
        waits=[waits(takes.id, items, Certainty.PROVEN, operation="get"), awaited],
    )
    made = replace(base, tasks=(takes, ends), event_loops=(loop(),))
    words = words_of(made, build(made))

    assert TaskRests(words).rests(ends, made.event_loops[0]) is rests
    assert words.goal(words.graph.waits_of(takes.id)[0]) == "for an item of Feed.out"


def test_of_a_loop_that_ends_with_its_executor_that_thread_is_told_first() -> None:
    select = python_frame("select", 468, "/usr/lib/python3.12/selectors.py")
    main = thread("MainThread", python=[select, python_frame("publish", 46)])
    clock = thread("clock", 101, python=[python_frame("tick", 9)])
    press = thread("asyncio_0", 102, python=[python_frame("roll", 13)])
    join = thread("Thread-1", 103, python=[python_frame("_do_shutdown", 575, EVENTS)])
    pages = lock("Press.pages (queue.Queue)", 0xA, NodeKind.QUEUE)
    line = lock("wake-up socket", 0xB, NodeKind.SOCKET)
    joins = Wait(join.id, NodeId(press.id), evidence("it joins it", Certainty.PROVEN))
    last = replace(
        task("x", 1), python_stack=(python_frame("shutdown_default_executor", 5, EVENTS),)
    )
    base = capture(
        *(replace(one, runs=7) for one in (main, clock, press, join)),
        resources=[pages, line],
        waits=[waits(main, line), waits(press, pages, operation="get"), joins],
    )  # fmt: skip
    found = findings.run(stood(replace(base, tasks=(last,), event_loops=(loop(),))), only={"quiet"})

    assert [one.title.partition(" waits")[0] for one in found] == ["asyncio_0"]
    ends = "while the event loop of MainThread ends, and waits for all threads of its executor"
    assert ends in found[0].title


@pytest.mark.parametrize("told", [True, False])
def test_a_child_that_waits_for_a_task_of_its_parent_comes_after_that_task(told: bool) -> None:
    asks = task("request", 1)
    main = thread("MainThread", python=[python_frame("select", 468, "/usr/lib/python3/sel.py")])
    child = thread("MainThread", 200, 200, python=[python_frame("receive", 14)])
    line = lock("the stdin pipe of process 200", 0xC, NodeKind.PIPE)
    reads = waits(child, line, Certainty.CERTAIN, operation="read")
    held = holds(line, asks.id, Certainty.CERTAIN)
    base = capture(main, child, resources=[line], waits=[reads], holds=[held])
    started = replace(base.processes[1], ppid=PID)
    made = replace(
        base, processes=(base.processes[0], started), tasks=(asks,), event_loops=(loop(),)
    )

    def note(of: Thread, *tasks: NodeId) -> Finding:
        return Finding(
            "quiet", Severity.NOTE, Certainty.INFERRED, "", "", threads=(ref(of),), tasks=tasks,
            reason=Reason.ONE_WAIT,
        )  # fmt: skip

    notes = [note(child), note(main, *[asks.id] * told)]
    found = causes_first(notes, made, build(made))

    assert [one.threads[0].pid for one in found] == ([PID, 200] if told else [200, PID])


@pytest.mark.parametrize(
    ("kind", "ways", "type_name", "says"),
    [
        (NodeKind.QUEUE, ("get", None), "asyncio.Queue", "for an item of pages"),
        (NodeKind.QUEUE, ("put", None), "queue.Queue", "for room in pages"),
        (NodeKind.QUEUE, (None, "put"), "anyio.MemoryObjectSendStream", "to send on pages"),
        (NodeKind.QUEUE, ("put", None), "trio.MemorySendChannel", "to send on pages"),
        (NodeKind.CONDITION, (None, "wait"), None, "for a notification of the Condition pages"),
        (NodeKind.CONDITION, (None, "acquire"), None, ""),
        (NodeKind.LOCK, ("get", "wait"), None, ""),
    ],
)
def test_what_one_waits_for_at_a_queue_or_a_condition(
    kind: NodeKind, ways: tuple[str | None, ...], type_name: str | None, says: str
) -> None:
    assert at_queue(kind, ways, type_name, "pages") == says
