"""Who could end a wait waits for a lock that nobody is seen to have."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    Finding,
    Nearness,
    NodeKind,
    NoHolder,
    Resource,
    Severity,
)
from tests.unit.factories import capture, evidence, lock, python_frame, stood, thread, waits

ORDERS = replace(lock("orders (queue.Queue)", 0x1, NodeKind.QUEUE), wakers_known=True)
STORE = replace(lock("Store.lock (threading.Lock)", 0x2), no_holder=NoHolder.GONE)
OTHER = replace(lock("Till.lock (threading.Lock)", 0x3), no_holder=NoHolder.UNTOLD)
TICKS = thread("ticker", 110, 100, still=False, python=[python_frame("tick", 32)])


def shop(*locks: Resource) -> Capture:
    """Tills that wait for a lock each, and alone could end what the main thread waits for."""
    main = thread("MainThread", 100, 100, python=[python_frame("main", 40)])
    tills = [
        thread(f"till-{n}", 101 + n, 100, python=[python_frame("sell", 8)])
        for n, _ in enumerate(locks)
    ]
    made = capture(
        *(main, TICKS, *tills),
        resources=[ORDERS, *dict.fromkeys(locks)],
        waits=[
            waits(main, ORDERS, Certainty.PROVEN, text="Queue.join: it waits"),
            *(waits(one, its) for one, its in zip(tills, locks, strict=True)),
        ],
    )
    would = tuple(
        CouldWake(
            *(ORDERS.id, one.id, Complement.TASK_DONE, Nearness.AHEAD),
            *(evidence(), "self.orders.task_done", "main.py:25"),
        )
        for one in tills
    )
    return replace(stood(made), could_wake=would)


def told(made: Capture) -> Finding:
    return next(one for one in findings.run(made) if one.id == "waker-busy")


def test_a_lock_that_nobody_gives_back_is_told_with_who_waits_for_it() -> None:
    finding = told(shop(STORE, STORE))

    assert finding.severity is not Severity.NOTE
    assert "; both wait for Store.lock; whoever took it has ended, or went on" in finding.title
    assert "Store.lock is locked, but none of the tasks and threads" in finding.sentence


@pytest.mark.parametrize(
    ("locks", "says"),
    [
        ((OTHER,), "for Till.lock, which nobody is seen to have"),
        ((OTHER, OTHER), "; both wait for Till.lock, which nobody is seen to have"),
        ((OTHER, STORE, OTHER), "; all 3 wait for locks that nobody is seen to have"),
    ],
)
def test_locks_that_nobody_is_seen_to_have(locks: tuple[Resource, ...], says: str) -> None:
    assert says in told(shop(*locks)).title


def test_a_lock_that_is_free_by_now_is_not_told() -> None:
    free = replace(OTHER, no_holder=None)
    assert "nobody is seen" not in told(shop(free, free)).title
