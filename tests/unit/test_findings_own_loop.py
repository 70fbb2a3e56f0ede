"""Waits for a result in the thread whose event loop may have to bring it: literal captures."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    EventLoop,
    Finding,
    LoopState,
    NodeKind,
    PythonFrame,
    Task,
    TaskState,
)
from tests.unit.factories import PID, capture, holds, lock, python_frame, stood, thread, waits

SENDING = replace(lock("sending", 0x1, NodeKind.FUTURE), wakers_known=True)
SLOT = python_frame("OrderWindow.save_order", 28)
HANDLE = python_frame("Handle._run", 84, "/usr/lib/python3.12/asyncio/events.py")
RUNS = python_frame("_QEventLoop.run_forever", 404, "/site-packages/qasync/__init__.py")


def waiting(*below: PythonFrame) -> Capture:
    main = thread("MainThread", python=[SLOT, *below, python_frame("<module>", 45)])
    return capture(
        main, resources=[SENDING], waits=[waits(main, SENDING, Certainty.PROVEN, "main.py:28")]
    )


def found(made: Capture, rule: str) -> Finding:
    return next(one for one in findings.run(made) if one.id == rule)


def test_a_loop_of_any_library_runs_what_it_is_given_after_its_callback() -> None:
    told = found(waiting(HANDLE, RUNS), "nobody-left-to-wake")
    assert told.title.endswith("inside of a callback of the event loop that it runs itself")
    assert "that it runs itself at qasync/__init__.py:404 (_QEventLoop.run_forever)" in (
        told.sentence
    )
    assert told.advice[0].startswith("Do not wait for a result in the thread of the event loop")


@pytest.mark.parametrize("others", [True, False])
def test_tasks_that_could_end_it_and_cannot_run(others: bool) -> None:
    """Whatever the thread waits for, if only a task of its own loop is left to bring it."""
    turn = lock("turn", 0x2)
    stack = [SLOT, HANDLE, RUNS, python_frame("<module>", 45)]
    main = thread("MainThread", python=stack)
    made = capture(main, resources=[turn], waits=[waits(main, turn, Certainty.PROVEN)])
    at_work, left = (
        Task(
            *(PID, address, name, name, state, 9, PID),
            (python_frame(name, 9, "/app/main.py", entry=None),),
        )
        for address, name, state in (
            (0x101, "orders", TaskState.RUNNING),
            (0x102, "labels", TaskState.READY),
        )
    )
    loop = EventLoop(PID, 9, "loop", LoopState.BUSY, main.tid, task=at_work.id)
    tasks = (at_work, left) if others else (at_work,)
    made = replace(made, tasks=tasks, event_loops=(loop,))
    told = found(stood(made), "nobody-left-to-wake")

    assert ("inside of a callback of the event loop" in told.title) is others
    assert ("comes only after it: task labels " in told.sentence) is others
    assert ("asyncio.to_thread" in " ".join(told.advice)) is others


def test_outside_of_a_callback_no_loop_is_told() -> None:
    for below in ((), (RUNS,)):
        assert "event loop" not in found(waiting(*below), "nobody-left-to-wake").sentence


def test_a_finalizer_that_waits_for_its_own_loop_does_not_hold_the_result() -> None:
    stack = [python_frame("Session.__del__", 40), python_frame("Session.fetch", 28)]
    loop = thread("loop", python=stack)
    made = capture(
        loop,
        resources=[SENDING],
        waits=[waits(loop, SENDING, Certainty.PROVEN)],
        holds=[holds(SENDING, loop, Certainty.PROVEN)],
    )
    told = found(made, "finalizer-blocked")
    assert "which only the same thread could bring. It goes on to that only after" in told.sentence
    assert "RLock" not in " ".join(told.advice)


def test_a_finalizer_that_waits_for_a_lock_of_c_code_is_told_as_its_holder() -> None:
    stack = [python_frame("Session.__del__", 40), python_frame("Session.fetch", 28)]
    main = thread("MainThread", python=stack)
    word = lock("mutex", 0x1, NodeKind.MUTEX)
    made = capture(
        main,
        resources=[word],
        waits=[waits(main, word)],
        holds=[holds(word, main)],
    )
    told = found(made, "finalizer-blocked")
    assert "which the same thread already holds" in told.sentence
    deeper = replace(main, python_stack=(python_frame("Pool.free", 16), *stack))
    inside = found(replace(made, processes=capture(deeper).processes), "finalizer-blocked")
    assert "there it waits at main.py:16 (Pool.free) for " in inside.sentence
