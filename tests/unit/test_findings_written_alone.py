"""What nothing but the wait for it leads to any more."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Capture, NodeKind, Resource, Severity, Syscall
from tests.unit.factories import capture, lock, python_frame, stood, thread, waits

COME = replace(lock("come (threading.Event)", 0x1, NodeKind.EVENT), wakers_known=True)
SETTER = ("messenger (main.py:18)",)


def waiting(event: Resource) -> Capture:
    """The main thread waits, and another one only sleeps, again and again."""
    main = thread("MainThread", python=[python_frame("next_act", 22)])
    stage = thread("stage", 101, syscall=Syscall("nanosleep"), python=[python_frame("play", 5)])
    return stood(capture(main, stage, resources=[event], waits=[waits(main, event)]))


def test_the_function_that_would_set_it_is_gone() -> None:
    made = waiting(replace(COME, unshared=True, enders=SETTER))
    (finding,) = (one for one in findings.run(made) if one.id == "waiting-for-others")

    assert finding.severity is Severity.WARNING
    assert finding.title.endswith("; nothing but this wait leads to it any more")
    assert "The program does so in messenger (main.py:18), which nobody runs" in finding.sentence


@pytest.mark.parametrize(
    "event",
    [replace(COME, unshared=True), replace(COME, enders=SETTER), COME],
    ids=["to wait for good", "others lead to it", "nothing is known"],
)
def test_others_may_set_it_or_nobody_was_meant_to(event: Resource) -> None:
    found = findings.run(waiting(event))

    assert all(one.severity is Severity.NOTE for one in found)
    assert not any("nothing but this wait" in one.title for one in found)
