"""A lock whose owner has gone on to wait for work; who ticks; code that nobody runs, by name."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Finding,
    NodeKind,
    Progress,
    PythonFrame,
    Severity,
    Syscall,
    Thread,
)
from tests.unit.factories import capture, holds, lock, python_frame, stood, thread, waits

QUEUE = PythonFrame("Queue.get", "/usr/lib/python3.12/queue.py", 171)
START = PythonFrame("Thread._bootstrap", "/usr/lib/python3.12/threading.py", 1012)
KEY = replace(lock("Room.key (threading.RLock)", 0x1, NodeKind.RLOCK), name="Room.key")
WISHES = lock("wishes (queue.Queue)", 0x2, NodeKind.QUEUE)


CLOCK = replace(
    thread("clock", 99, 100, still=False, python=[python_frame("tick", 5)]),
    syscall=Syscall("nanosleep", timed=True),
)
TICKS = Progress(CLOCK.id, 5, 2.0, 0.0, 0.0, same_line=True, same_stack=True, wakes=4)


def counted(*threads: Thread) -> list[Thread]:
    return [replace(one, runs=7) for one in threads]


def watched(made: Capture) -> Capture:
    """At the end of several looks, in which the clock alone ran."""
    seen = stood(made)
    others = [one for one in seen.progress if one.thread != CLOCK.id]
    return replace(seen, progress=(TICKS, *others))


def room(*, taken: str | None = None, get: int = 25, asks: int = 25) -> Capture:
    """ivo takes its next wish at line *get*, with the key, which it took at *taken*; jana, at
    *asks* in the same function, waits for that."""
    ivo = thread("ivo", 101, 100, python=[QUEUE, python_frame("run", get), START])
    jana = thread("jana", 102, 100, python=[python_frame("enter", 14), python_frame("run", asks)])
    main = thread("MainThread", 100, 100, python=[python_frame("main", 21)])
    return watched(
        capture(
            *counted(CLOCK, main, ivo, jana),
            resources=[KEY, WISHES],
            waits=[
                waits(main, ivo),
                waits(ivo, WISHES, text="Queue.get: it waits"),
                waits(jana, KEY),
            ],
            holds=[holds(KEY, ivo, where=taken)],
        )
    )


def quiet(made: Capture) -> Finding:
    return next(one for one in findings.run(made) if one.id == "quiet")


def test_a_lock_whose_owner_has_gone_on_to_its_next_item_is_a_warning() -> None:
    finding = quiet(room())

    assert finding.severity is Severity.WARNING
    assert finding.title.startswith("jana waits at main.py:14 (enter) for Room.key; ivo holds it")
    assert "No function that took Room.key is seen on the holder's stack" in finding.sentence


@pytest.mark.parametrize(
    "made",
    [room(taken="/app/main.py:24"), room(get=25, asks=24)],
    ids=["it is inside of what took it", "they take turns to take items"],
)
def test_an_owner_that_may_still_give_it_back_is_a_note(made: Capture) -> None:
    assert quiet(made).severity is Severity.NOTE


def test_who_only_ticks_comes_last() -> None:
    finding = quiet(room(taken="/app/main.py:24"))

    assert finding.title.startswith("jana waits at main.py:14 (enter)")
    assert "clock sleeps at main.py:5 (tick)" in finding.sentence


@pytest.mark.parametrize(
    ("inside", "told"),
    [(False, "would, and no stack is in it"), (True, "would, but nothing leads from there to it")],
)
def test_code_that_would_by_its_name_and_that_nobody_runs(inside: bool, told: str) -> None:
    seen = replace(
        lock("Patient.seen (threading.Event)", 0x3, NodeKind.EVENT),
        wakers_known=True,
        alike=("examine (main.py:37)",),
    )
    visitor = thread("visitor", 101, 100, python=[python_frame("consult", 53)])
    main = thread("MainThread", 100, 100, python=[python_frame("main", 21)])
    doctor = thread("doctor", 102, 100, python=[python_frame("examine", 30)])
    made = capture(
        *counted(CLOCK, main, visitor, *([doctor] if inside else [])),
        resources=[seen],
        waits=[waits(main, visitor), waits(visitor, seen)],
    )
    found = [one for one in findings.run(watched(made)) if "visitor" in one.title]

    assert any(f"by its name examine (main.py:37) {told}" in one.title for one in found)
