"""Who looks again and again for what others would change, with the lock held that these want."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Capture, Changer, Looking, Polled, Progress, Severity, Sleep, Syscall
from tests.unit.factories import capture, holds, lock, python_frame, thread, waits

NAPS = Syscall("clock_nanosleep", sleep=Sleep(0.1, 0.05))
FERRY = replace(
    thread("ferry", 101, python=[python_frame("Quota.spend", 16)], syscall=NAPS, still=False),
    runs=40,
)
REFILL = thread("refill", 102, python=[python_frame("Quota.refill", 23)])
LOCK = lock("Quota.lock", 0x5000)
POLLED = Polled(
    FERRY.id, ("self.left",), "main.py:16", (Changer(REFILL.id, "Quota.refill (main.py:24)"),)
)


def look(polled: Polled = POLLED, *, stayed_s: float = 2.0, held: bool = True) -> Capture:
    made = capture(
        FERRY,
        REFILL,
        waits=[waits(REFILL, LOCK)],
        holds=[holds(LOCK, FERRY)] if held else [],
        resources=[LOCK],
    )
    seen = Progress(FERRY.id, 5, stayed_s, 0.0, 0.0, same_stack=True, same_line=True, wakes=20)
    looking = Looking(FERRY.id, endless=True, alters=False)
    return replace(made, polled=(polled,), progress=(seen,), looking=(looking,))


def test_each_waits_for_the_other() -> None:
    first = findings.run(look())[0]

    assert (first.id, first.severity) == ("ring-with-timeout", Severity.WARNING)
    assert first.title == (
        "ferry polls self.left at main.py:16 (Quota.spend) and holds Quota.lock meanwhile, for "
        "which refill waits, who would change that in Quota.refill (main.py:24)"
    )


@pytest.mark.parametrize(
    "made",
    [
        look(stayed_s=0.2),
        look(held=False),
        look(replace(POLLED, written=("Quota.grow (main.py:30)",))),
        replace(look(), looking=()),
    ],
)
def test_others_may_end_it(made: Capture) -> None:
    assert all(one.id != "ring-with-timeout" for one in findings.run(made))
