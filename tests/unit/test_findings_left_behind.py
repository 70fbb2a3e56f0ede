"""What tasks wait for that nobody gives back any more, or that one was to end which has failed."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.lent_on import had_by_nobody
from hangtui.analysis.progress import with_progress
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    Ended,
    EventLoop,
    Evidence,
    Finding,
    LoopState,
    Nearness,
    NodeKind,
    NoHolder,
    Resource,
    Severity,
    Source,
    Surroundings,
    Task,
    TaskState,
    Unheld,
)
from tests.unit.factories import PID, capture, holds, lock, python_frame, thread, waits

LOCK = replace(
    lock("Log.lock (asyncio.Lock)", 0xF, NodeKind.LOCK),
    type_name="asyncio.Lock",
    no_holder=NoHolder.GONE,
)
ROOM = replace(lock("room (asyncio.Condition)", 0xC, NodeKind.CONDITION), wakers_known=True)
FAILED = Ended("task drain (drainer)", "OSError", "log.py:14", "drain")
SELECT = python_frame("select", 9, "/usr/lib/python3.12/selectors.py")
FLUSH, SERVE = python_frame("flush", 13), python_frame("main", 27)


def made(
    resource: Resource, *, watched: int = 1, others: int = 0, operation: str | None = None
) -> Capture:
    main = replace(thread("MainThread", python=[SELECT]), runs=7, cpu_ns=7000)
    tasks = [
        Task(PID, 0x101 + n, f"Task-{n}", "flush", TaskState.WAITING, 0x10, PID, (FLUSH,))
        for n in range(1 + others)
    ]
    found = capture(
        main,
        resources=[resource],
        waits=[replace(waits(task.id, resource), operation=operation) for task in tasks],
    )
    (process,) = found.processes
    process = replace(process, steady=True, around=Surroundings(handles_signals=()))
    loop = EventLoop(
        PID, 0x10, "asyncio.Loop", LoopState.IDLE, PID, timers=0, watched=watched, signal_handlers=0
    )
    return replace(found, processes=(process,), tasks=tuple(tasks), event_loops=(loop,))


def seen(one: Capture) -> list[Finding]:
    looks = [replace(one, taken_at=f"2026-01-02T03:04:0{n}+00:00") for n in range(3)]
    return list(findings.run(with_progress(looks)))


def told(one: Capture) -> Finding | None:
    return next((found for found in seen(one) if found.id == "left-behind"), None)


def test_a_lock_that_nobody_gives_back_is_told_with_who_failed() -> None:
    found = told(made(replace(LOCK, ended=(replace(FAILED, name="task rotate"),))))

    assert found is not None
    assert (found.severity, found.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert found.title.startswith("task flush waits at main.py:13 (flush) for Log.lock: nobody ")
    assert "holds it any more: task rotate, which was to release it, has ended with OSError" in (
        found.title
    )
    assert "The asyncio.Lock is locked, but none of the tasks and threads" in found.sentence
    assert found.sentence.endswith(
        "Task rotate, whose code would release Log.lock, has ended with OSError at log.py:14 "
        "(drain)."
    )
    assert "add_done_callback()" in found.advice[0]
    assert "try: ... finally: Log.lock.release()" in found.advice[1]


def test_who_took_it_need_not_be_known() -> None:
    found = told(made(replace(LOCK, kind=NodeKind.SEMAPHORE, type_name="tornado.Semaphore")))

    assert found is not None
    assert found.title.endswith(": whoever took it has ended, or went on, without giving it back")
    assert "The tornado.Semaphore has nothing left to give" in found.sentence
    assert "who took it: nothing records that" in found.unknown


def test_several_that_wait_are_told_once() -> None:
    found = told(made(LOCK, others=6))

    assert found is not None
    assert len(found.tasks) == 7
    assert ", as task flush (Task-1), " in found.sentence
    assert " more do, without a timeout." in found.sentence


@pytest.mark.parametrize("no_holder", [None, NoHolder.UNTOLD])
def test_a_lock_of_which_it_is_not_known_is_no_such(no_holder: NoHolder | None) -> None:
    assert told(made(replace(LOCK, no_holder=no_holder))) is None


def test_a_lock_that_somebody_has_is_not_left_behind() -> None:
    one = made(LOCK)
    owner = Task(PID, 0x200, "owner", "rotate", TaskState.WAITING, 0x10, PID, (SERVE,), "sleep")
    held = (holds(LOCK, owner.id, Certainty.INFERRED),)

    assert told(replace(one, tasks=(*one.tasks, owner), holds=held)) is None


def test_what_a_task_was_to_do_that_failed_is_told() -> None:
    found = told(made(replace(ROOM, ended=(FAILED,))))

    assert found is not None
    assert found.title.endswith(
        "for room: task drain (drainer), which was to notify it, has ended with OSError"
    )
    assert "whoever took it" not in found.sentence


def test_another_one_on_the_way_does_what_the_failed_one_was_to_do() -> None:
    one = made(replace(ROOM, ended=(FAILED,)))
    other = Task(PID, 0x200, "other", "drain", TaskState.WAITING, 0x10, PID, (SERVE,), "sleep")
    coming = CouldWake(
        ROOM.id,
        other.id,
        Complement.NOTIFY,
        Nearness.AHEAD,
        Evidence(Source.CPYTHON, Certainty.INFERRED, "its code reaches room.notify()"),
        "room.notify",
    )
    one = replace(one, tasks=(*one.tasks, other), could_wake=(coming,))

    assert told(one) is None
    assert told(replace(one, could_wake=())) is not None


def test_who_was_not_looked_for_may_be_there() -> None:
    assert told(made(replace(ROOM, ended=(FAILED,), wakers_known=False))) is None


def test_a_wait_with_a_timeout_ends() -> None:
    one = made(LOCK)
    (wait,) = one.waits

    assert told(replace(one, waits=(replace(wait, expires=True),))) is None


def test_a_loop_that_nothing_can_wake_tells_more() -> None:
    one = seen(made(replace(ROOM, ended=(FAILED,)), watched=0))

    assert [found.id for found in one] == ["event-loop-stalled"]
    assert "Task drain (drainer), whose code would notify room, has ended with OSError" in (
        one[0].sentence
    )


def test_who_keeps_a_server_alive_is_told_behind_who_waits_for_something() -> None:
    event = replace(lock("unnamed", 0xE, NodeKind.EVENT), name=None, unshared=True)
    answer = replace(lock("answer of handle", 0xF, NodeKind.FUTURE), wakers_known=True)
    one = made(answer)
    (handle,) = one.tasks
    main = replace(handle, address=0x300, name="Task-1", coroutine="main", python_stack=(SERVE,))
    one = replace(
        one,
        tasks=(main, handle),
        resources=(answer, event),
        waits=(*one.waits, waits(main.id, event)),
    )
    (found,) = seen(one)

    assert found.id == "quiet"
    assert "task flush waits at main.py:13 (flush) for the answer of handle" in found.title
    assert "Who should end that is not known: no thread and no task that is there is seen on" in (
        found.sentence
    )


def test_who_takes_more_and_more_may_have_it_all() -> None:
    """A request that takes four blocks of three: nobody else has left them taken."""
    blocks = replace(
        LOCK, kind=NodeKind.SEMAPHORE, name="Cache.blocks", no_holder=NoHolder.AGAIN,
        type_name="asyncio.Semaphore",
    )  # fmt: skip
    found = told(made(blocks))

    assert found is not None
    assert "it takes more and more in a loop that gives nothing back" in found.title
    assert "it has taken all of it itself, or others did" in found.sentence


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ([NoHolder.PASSING] * 2, True),
        ([NoHolder.GONE, NoHolder.PASSING], True),
        ([None, NoHolder.PASSING], False),
    ],
    ids=["nobody had it", "nor stood anybody beside it", "somebody had it"],
)
def test_what_nobody_gives_back_while_other_tasks_go_on(
    before: list[NoHolder | None], said: bool
) -> None:
    looks = [
        replace(made(replace(LOCK, no_holder=by)), taken_at=f"2026-01-02T03:04:0{n}+00:00")
        for n, by in enumerate([*before, NoHolder.PASSING])
    ]
    found = list(findings.run(with_progress(looks)))
    assert any(one.id == "left-behind" for one in found) is said
    alone = findings.run(looks[-1])
    assert not any(one.id == "left-behind" for one in alone)


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        ([NoHolder.PASSING] * 2, False),
        ([NoHolder.PASSING] * 4, True),
        ([NoHolder.GONE, NoHolder.PASSING, NoHolder.PASSING], True),
        ([NoHolder.PASSING, None, NoHolder.PASSING, NoHolder.PASSING], False),
    ],
    ids=["two looks", "four", "nor stood anybody beside it", "somebody had it"],
)
def test_what_nobody_had_in_any_of_several_looks(seen: list[NoHolder | None], said: bool) -> None:
    """Tasks with names of their own are not known again: their like may have come instead."""
    looks = [made(replace(LOCK, no_holder=by)) for by in seen]
    found = list(had_by_nobody(looks, [float(n) for n in range(len(looks))]))

    assert found == ([Unheld(LOCK.id, len(looks) - 1.0)] if said else [])


def test_that_is_a_warning_whoever_waits_for_it_now() -> None:
    one = made(replace(LOCK, no_holder=NoHolder.PASSING))
    found = findings.run(replace(one, unheld=(Unheld(LOCK.id, 2.0),)))

    assert "left-behind" not in {one.id for one in findings.run(one)}
    assert [one.severity for one in found if one.id == "left-behind"] == [Severity.WARNING]


ALONE = replace(
    lock("handed_over (asyncio.Event)", 0xE, NodeKind.EVENT),
    type_name="asyncio.Event",
    wakers_known=True,
    unshared=True,
)


def in_a_round(one: Capture, *, name: str = "Task-0") -> Capture:
    (task,) = one.tasks
    return replace(one, tasks=(replace(task, name=name, is_part=True),))


def test_an_event_that_nobody_else_has_is_set_by_nobody() -> None:
    found = told(in_a_round(made(ALONE), name="sender"))

    assert found is not None
    assert (found.severity, found.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert found.title == (
        "task flush (sender) waits at main.py:13 (flush) for handed_over: nobody else has that any "
        "more who could set it"
    )
    assert "no attribute, list, callback or timer" in found.sentence
    assert found.owed


def test_code_that_goes_by_the_name_of_what_nobody_else_has_is_told() -> None:
    found = told(in_a_round(made(replace(ALONE, alike=("Post.deliver (post.py:9)",)))))

    assert found is not None
    assert found.title.endswith("set it; by its name Post.deliver (post.py:9) would")


@pytest.mark.parametrize(
    "resource", [replace(ALONE, unshared=False), replace(ALONE, kind=NodeKind.LOCK)]
)
def test_what_others_may_have_is_not_lost(resource: Resource) -> None:
    assert told(in_a_round(made(resource))) is None


def test_who_only_stays_in_a_wait_of_its_own_is_left_there() -> None:
    assert told(made(ALONE)) is None


def test_who_has_it_besides_may_set_it() -> None:
    one = in_a_round(made(ALONE))
    other = Task(PID, 0x200, "other", "drain", TaskState.WAITING, 0x10, PID, (SERVE,), "sleep")
    has = CouldWake(
        ALONE.id,
        other.id,
        Complement.SET,
        Nearness.REFERS,
        Evidence(Source.CPYTHON, Certainty.INFERRED, "it has it"),
        "event.set",
    )

    assert told(replace(one, tasks=(*one.tasks, other), could_wake=(has,))) is None


def test_who_is_awaited_in_a_round_is_not_there_to_stay() -> None:
    one = made(ALONE)
    (task,) = one.tasks
    caller = Task(
        *(PID, 0x200, "Task-9", "run", TaskState.WAITING, 0x10, PID, (SERVE,)), is_part=True
    )
    joins = waits(caller.id, ALONE)
    joins = replace(joins, target=task.id)

    assert told(replace(one, tasks=(task, caller), waits=(*one.waits, joins))) is not None
    caller = replace(caller, is_part=False)
    assert told(replace(one, tasks=(task, caller), waits=(*one.waits, joins))) is None
