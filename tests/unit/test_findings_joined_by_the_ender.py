"""A thread that waits for what only code would end in which another one waits for its end."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.backends.cpython.wakers.asked import with_joining
from hangtui.model import NodeKind, Severity
from tests.unit.factories import capture, lock, python_frame, stood, thread, waits

MAIN = thread("MainThread", python=[python_frame("run", 28, "/app/press.py")])
FEEDER = thread("Thread-5", 105, python=[python_frame("baskets", 14, "/app/press.py")])
CLOCK = thread("clock", 106, python=[python_frame("tick", 3, "/app/clock.py")], still=False)
INSIDE, BESIDE = "run (press.py:31)", "refund (till.py:9)"


@pytest.mark.parametrize(
    ("enders", "expires", "told"),
    [
        ((INSIDE,), False, True),
        ((INSIDE, BESIDE), False, False),
        ((BESIDE,), False, False),
        ((), False, False),
        ((INSIDE,), True, False),
    ],
)
def test_who_would_end_the_wait_waits_for_the_end_of_who_waits(
    enders: tuple[str, ...], expires: bool, told: bool
) -> None:
    places = lock("Press.places (threading.Semaphore)", 0x1, NodeKind.SEMAPHORE)
    places = replace(places, enders=enders, wakers_known=True)
    made = capture(
        MAIN, FEEDER, CLOCK, resources=[places],
        waits=[waits(FEEDER, places), replace(waits(MAIN, FEEDER), expires=expires)],
    )  # fmt: skip
    (found,) = (one for one in findings.run(stood(made)) if one.id == "waiting-for-others")

    end = "for it to end, inside of run (press.py:31), which would end that"
    assert (end in found.title) is told
    assert (found.severity is not Severity.NOTE) is told


def test_who_waits_for_the_end_of_a_thread_goes_on_no_sooner_than_that() -> None:
    stuck = {(FEEDER.id, 0x1)}
    first, second = waits(MAIN, FEEDER), waits(CLOCK, MAIN)

    assert with_joining(stuck, []) == stuck
    assert with_joining(stuck, [first]) == {*stuck, (MAIN.id, 0x1)}
    assert with_joining(stuck, [second, first]) == {*stuck, (MAIN.id, 0x1), (CLOCK.id, 0x1)}
    assert with_joining(stuck, [replace(first, expires=True)]) == stuck
