"""Advice is given only where what it mends is what was seen."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    EventLoop,
    Finding,
    LoopState,
    NativeFrame,
    NodeKind,
    PythonFrame,
    Syscall,
)
from tests.unit.factories import (
    PID,
    capture,
    holds,
    lock,
    native_frame,
    python_frame,
    thread,
    waits,
)

SITE = "/srv/.venv/lib/python3.12/site-packages"
CALL = python_frame("get", 73, f"{SITE}/requests/api.py")
FINALIZER = python_frame("Session.__del__", 12, f"{SITE}/client/session.py")
FETCH = python_frame("fetch", 12, "/srv/shop.py")
EVAL = native_frame("_PyEval_EvalFrameDefault")
COLLECTS = [native_frame("futex_wait"), native_frame("gc_collect_main"), EVAL]
WAITS = [native_frame("futex_wait"), EVAL]


def blocked_loop(stack: tuple[PythonFrame, ...], native: list[NativeFrame] | None) -> Capture:
    main = thread("MainThread", python=stack, native=native, syscall=Syscall("futex"))
    loop = EventLoop(PID, 9, "loop", LoopState.BUSY, PID)
    return replace(capture(main), event_loops=(loop,))


def finding(made: Capture, identifier: str) -> Finding:
    return next(one for one in findings.run(made) if one.id == identifier)


@pytest.mark.parametrize(
    ("stack", "native", "advised"),
    [
        ((CALL, FETCH), None, True),
        ((FETCH,), WAITS, True),
        ((FETCH,), COLLECTS, False),
        ((FETCH,), None, False),
    ],
    ids=["a call", "C code", "the collector", "not read"],
)
def test_a_call_is_to_be_awaited_only_if_there_is_one(
    stack: tuple[PythonFrame, ...], native: list[NativeFrame] | None, advised: bool
) -> None:
    advice = finding(blocked_loop(stack, native), "event-loop-blocked").advice
    assert any("asyncio.to_thread" in line for line in advice) is advised
    assert all("shop.py:12 (fetch)" in line for line in advice)


@pytest.mark.parametrize(
    ("stack", "advice"),
    [
        ((CALL, FETCH), "Do not call requests in fetch while guard is taken: requests takes it"),
        ((FETCH,), "Make guard a threading.RLock, which its owner may take again, or split fetch"),
    ],
)
def test_who_takes_a_lock_again_in_a_package_cannot_change_that(
    stack: tuple[PythonFrame, ...], advice: str
) -> None:
    guard, main = lock("guard", 1), thread("MainThread", python=stack)
    made = capture(main, resources=[guard], waits=[waits(main, guard)], holds=[holds(guard, main)])
    assert finding(made, "self-deadlock").advice[0].startswith(advice)


@pytest.mark.parametrize(
    ("kind", "advised"), [(NodeKind.LOCK, True), (NodeKind.IMPORT_LOCK, False)]
)
def test_a_finalizer_is_to_take_no_lock_only_if_it_took_one_itself(
    kind: NodeKind, advised: bool
) -> None:
    main = thread(
        "MainThread", python=(FINALIZER, FETCH), native=COLLECTS, syscall=Syscall("futex")
    )
    held = lock("the lock", 1, kind)
    made = capture(main, resources=[held], waits=[waits(main, held)])
    advice = finding(made, "finalizer-blocked").advice
    assert any("take no lock" in line for line in advice) is advised
