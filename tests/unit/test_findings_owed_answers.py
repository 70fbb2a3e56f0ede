"""Who waits for the answer of a process whose event loop is kept from going on."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.owed_answers import with_owed
from hangtui.findings.words import ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    EventLoop,
    Finding,
    LoopState,
    Severity,
    Traffic,
    Watched,
)
from tests.unit.factories import capture, process, python_frame, thread

SERVER = thread("MainThread", 200, 200, python=[python_frame("hand_out", 25)])
CLIENT = thread("MainThread", 100, 100, python=[python_frame("order", 43)])
ASKED = Traffic(sent_s=9.0, received_s=12.0, sent_last=True)


def blocked(severity: Severity = Severity.WARNING) -> Finding:
    return Finding(
        id="event-loop-blocked",
        severity=severity,
        certainty=Certainty.PROVEN,
        title="Hub blocked",
        sentence="It is blocked.",
        threads=(ref(SERVER),),
        processes=(200,),
    )


def captured(traffic: Traffic, *, peers: tuple[int, ...] = (200,), loop: int = 200) -> Capture:
    made = capture(CLIENT)
    return replace(
        made,
        processes=(*made.processes, process(200, SERVER)),
        event_loops=(EventLoop(200, 0x60, "Hub", LoopState.BUSY, loop, None, 1, 0, 0),),
        watched=(Watched(CLIENT.id, "TCP connection to 127.0.0.1:80", traffic, peers),),
    )


def told(made: Capture, finding: Finding) -> Finding:
    return with_owed(finding, words_of(made, build(made)))


def test_who_has_asked_it_is_told_with_where_that_waits() -> None:
    found = told(captured(ASKED), blocked())

    assert found.title.startswith("Hub blocked; process 100")
    assert found.title.endswith(", which hears nothing from it, waits at main.py:43 (order)")
    assert "over the TCP connection to 127.0.0.1:80" in found.sentence


@pytest.mark.parametrize(
    "made",
    [
        captured(replace(ASKED, sent_last=False)),
        captured(replace(ASKED, sent_s=0.2)),
        captured(replace(ASKED, accepted=True)),
        captured(ASKED, peers=(200, 300)),
        captured(ASKED, loop=201),
    ],
)
def test_who_asked_nothing_or_a_thread_that_runs_no_loop_is_not_told(made: Capture) -> None:
    assert told(made, blocked()) == blocked()


def test_a_note_is_left_as_it_is() -> None:
    assert told(captured(ASKED), blocked(Severity.NOTE)) == blocked(Severity.NOTE)


def test_of_one_that_sent_and_heard_at_one_moment_it_is_told_that_an_answer_may_be_due() -> None:
    found = told(captured(replace(ASKED, sent_last=None)), blocked())

    assert found.title.endswith(", which is connected to it, waits at main.py:43 (order)")
    assert "an answer may be due" in found.sentence
