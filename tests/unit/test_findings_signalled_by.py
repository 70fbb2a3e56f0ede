"""A process that waits for a signal, and a child of its that waits for it meanwhile."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.rest.signalled_by import short_children, told_children
from hangtui.findings.words import words_of
from hangtui.model import Capture, NodeKind, Resource, Syscall, resource_id
from tests.unit.factories import capture, holds, python_frame, stood, thread, waits

PARENT, CHILD = 100, 200


def ordered(signal: str, *, ppid: int = PARENT, third: bool = False) -> Capture:
    """The parent waits for *signal*; the child, for its next order."""
    call = Syscall("rt_sigtimedwait", signals=(signal,))
    main = thread("MainThread", PARENT, PARENT, python=[python_frame("order", 29)], syscall=call)
    mast = thread("MainThread", CHILD, CHILD, python=[python_frame("answer", 11)])
    other = thread("MainThread", 300, 300, python=[python_frame("rest", 1)])
    pipe = Resource(resource_id(NodeKind.PIPE, CHILD, 1), NodeKind.PIPE, "stdin pipe", CHILD, 1)
    made = capture(
        *(main, mast, other),
        resources=[pipe],
        waits=[waits(mast, pipe, operation="read")],
        holds=[holds(pipe, main), *([holds(pipe, other)] if third else [])],
    )
    family = (replace(one, ppid=ppid if one.pid == CHILD else 1) for one in made.processes)
    return stood(replace(made, processes=tuple(family)))


def test_the_child_may_have_sent_it_before() -> None:
    made = ordered("SIGUSR1")
    words = words_of(made, build(made))
    first = made.processes[0].threads[0].id

    assert short_children(first, words).startswith(
        "; its child waits for it: MainThread of process 200 waits at main.py:11 (answer)"
    )
    assert "if that has been so, each waits for the other" in told_children(first, words)
    assert all(one.severity.value == "note" for one in findings.run(made))


@pytest.mark.parametrize(
    "made",
    [ordered("SIGTERM"), ordered("SIGUSR1", ppid=1), ordered("SIGUSR1", third=True)],
    ids=["anybody sends that", "no child", "another process may write"],
)
def test_it_is_not_said_of_others(made: Capture) -> None:
    words = words_of(made, build(made))

    assert not short_children(made.processes[0].threads[0].id, words)
    assert not told_children(made.processes[0].threads[0].id, words)
