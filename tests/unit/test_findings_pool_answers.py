"""Greenlets that have all of a pool, and await answers that the clock brings elsewhere."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.outside.waiting_for_pool import _answer_comes
from hangtui.findings.words import words_of
from hangtui.model import Ends, NodeKind, Sleep, Syscall, Task, TaskState
from tests.unit.factories import PID, capture, holds, lock, python_frame, thread, waits


@pytest.mark.parametrize(
    ("left_s", "port", "comes"), [(9.0, "80", True), (90.0, "80", False), (9.0, "81", False)]
)
def test_the_answer_comes_over_what_the_thread_of_its_loop_waits_at(
    left_s: float, port: str, *, comes: bool
) -> None:
    asks = Task(
        *(PID, 0x7, "ask", "ask", TaskState.WAITING, 9, PID, (python_frame("ask", 32),)),
        kind=NodeKind.GREENLET,
        ends=Ends(None, f"127.0.0.1:{port}"),
    )
    hub = thread("MainThread", python=[python_frame("run", 5)])
    nap = Syscall("clock_nanosleep", sleep=Sleep(left_s, left_s))
    serves = replace(thread("Thread-2", 202, 200), syscall=nap)
    accepts, door = thread("MainThread", 200, 200), lock("port", 6, NodeKind.SOCKET)
    link = replace(lock("link", 5, NodeKind.SOCKET), ends=Ends("127.0.0.1:9", "127.0.0.1:80"))
    made = capture(
        *(hub, serves, accepts),
        resources=[link, door],
        waits=[waits(hub, link), waits(accepts, door, operation="accept")],
        holds=[holds(link, serves), holds(link, accepts)],
    )
    made = replace(made, tasks=(asks,))
    assert _answer_comes(asks, words_of(made, build(made))) is comes
