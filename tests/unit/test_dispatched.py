"""A task that waits in an object whose own loop has called it for a message."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.dispatched import dispatches_itself
from hangtui.findings.words import words_of
from hangtui.model import Dispatched, NodeKind, Resource, Traffic, Watched
from tests.unit.factories import capture, lock, python_frame, thread
from tests.unit.test_tasks import await_, loop, running, task

ASKS = task("on_message", 1)
CALLED = Dispatched(
    ASKS.id, "wire", "jobs.py:12 (on_message)", "client.py:9 (Client.serve)", alone=True
)


@pytest.mark.parametrize(
    ("called", "traffic", "shows", "told"),
    [
        (CALLED, Traffic(3.0, 1.0, False), True, True),
        (CALLED, Traffic(1.0, 3.0, True), False, True),
        (replace(CALLED, alone=False), Traffic(3.0, 1.0, False), False, False),
    ],
    ids=["nothing is due", "an answer is due", "another one takes what comes"],
)
def test_who_is_called_for_a_message_waits_for_the_next_one(
    called: Dispatched, traffic: Traffic, shows: bool, told: bool
) -> None:
    answer: Resource = lock("Client.answered", 0xA, NodeKind.FUTURE)
    selects = python_frame("select", 9, "/usr/lib/python3.12/selectors.py")
    main = replace(thread("MainThread", python=[selects]), runs=7)
    watched = Watched(main.id, "TCP connection to 10.0.0.1:80", traffic, ())
    base = replace(capture(main, resources=[answer]), dispatched=(called,), watched=(watched,))
    made = running(ASKS, base=base, one=loop(watched=1))
    made = replace(made, waits=(await_(ASKS, answer.id),))
    quiet = next(one for one in findings.run(made) if one.id == "quiet")

    assert dispatches_itself(ASKS.id, words_of(made, build(made))) is shows
    short = "; wire's serve has called on_message for a message, and takes no other"
    assert (short in quiet.title) is told
    assert ("task on_message waits for itself" in quiet.sentence) is told
