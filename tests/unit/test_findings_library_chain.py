"""What is behind the only one who could end a wait in a package."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.outside.library_enders import at_its_end
from hangtui.findings.words import words_of
from hangtui.model import Complement, CouldWake, Nearness, NodeKind
from tests.unit.factories import capture, evidence, lock, python_frame, thread, waits

ONLY = "; only desk could end that"


@pytest.mark.parametrize(
    ("last", "says"),
    [
        ("approved", f"{ONLY}, behind which calendar waits at main.py:3 (do) for approved"),
        ("booked", f"{ONLY}: desk and calendar wait for each other"),
        ("", ""),
    ],
)
def test_the_last_of_a_chain_in_which_one_alone_could_end_each_wait(last: str, says: str) -> None:
    main, desk, calendar = (
        thread(name, 100 + n, python=[python_frame("do", 1 + n)])
        for n, name in enumerate(("MainThread", "desk", "calendar"))
    )
    asked, booked, approved = (
        lock(name, n, NodeKind.EVENT) for n, name in enumerate(("asked", "booked", "approved"), 1)
    )
    made = capture(
        *(main, desk, calendar),
        resources=[asked, booked, approved],
        waits=[
            waits(main, asked),
            *([waits(desk, booked)] if last else []),
            *([waits(calendar, approved)] if last == "approved" else []),
        ],
    )
    could = [(asked, desk), *([(booked, calendar)] if last else [])]
    if last == "booked":
        answered = lock("answered", 9, NodeKind.EVENT)
        made = replace(
            made,
            resources=(*made.resources, answered),
            waits=(*made.waits, waits(calendar, answered)),
        )
        could.append((answered, desk))
    made = replace(
        made,
        could_wake=tuple(
            CouldWake(what.id, who.id, Complement.SET, Nearness.AHEAD, evidence())
            for what, who in could
        ),
    )
    words = words_of(made, build(made))

    assert at_its_end(words.graph.wait_of(main.id), words) == says
    alone = "; only calendar could end that, and waits at main.py:3 (do) for approved"
    of_desk = words.graph.wait_of(desk.id)
    if last == "approved":
        assert at_its_end(of_desk, words, one=True) == alone
        assert at_its_end(of_desk, words) == ""
