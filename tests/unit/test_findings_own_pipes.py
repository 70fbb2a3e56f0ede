"""Of a pipe that only its reader's own process has open, it is said that nobody else can end it."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.own_pipes import told_left_by_children, told_own_pipe
from hangtui.findings.words import words_of
from hangtui.model import Child, Inward, NodeKind, Surroundings
from tests.unit.factories import capture, lock, python_frame, thread, waits


@pytest.mark.parametrize(
    ("ends", "name", "note", "told"),
    [
        ((100,), "pipe within process 100", None, True),
        ((100, 200), "pipe within process 100", None, False),
        ((100,), "wake-up pipe within process 100", None, False),
        ((100,), "pipe within process 100", "any process may open it by its name", False),
    ],
)
def test_of_one_that_nobody_else_has_open(
    ends: tuple[int, ...], name: str, note: str | None, told: bool
) -> None:
    reader = thread("reader", 101, python=[python_frame("read", 7)])
    main = thread("MainThread", python=[python_frame("post", 9)])
    pipe = replace(lock(name, 1, NodeKind.PIPE), name=name, note=note)
    wait = waits(reader, pipe, operation="read")
    made = replace(
        capture(main, reader, resources=[pipe], waits=[wait]), inward=(Inward(reader.id, ends),)
    )
    graph = build(made)
    edge = graph.wait_of(reader.id)
    assert edge is not None
    said = told_own_pipe(edge, words_of(made, graph))
    assert ("Only this same process has the writing end" in said) is told


def test_who_waits_at_its_own_connection_is_told_which_children_have_ended() -> None:
    main = thread("MainThread", python=[python_frame("ask", 9)])
    made = capture(main)
    child = Child(101, "worker", "Z", exit_status=0)
    around = Surroundings(children=(child,))
    ended = replace(made, processes=(replace(made.processes[0], around=around),))
    said = [told_left_by_children(main, words_of(one, build(one))) for one in (made, ended)]
    assert said[0] == ""
    assert said[1].startswith(" Of its children, process 101 (worker) ended with status 0.")
