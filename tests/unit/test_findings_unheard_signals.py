"""Processes whose end is waited for, and whose handlers of signals only set a flag, or run in an
event loop that is blocked."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import EventLoop, LoopState, NodeKind, Resource, Surroundings, process_id
from hangtui.older_capture import named
from tests.unit.factories import capture, holds, lock, python_frame, stood, thread, waits

PARENT, CHILD = 100, 200
TOLD = (
    " Its handler of SIGTERM only sets what somebody may look at: the signal alone does not end "
    "its wait."
)


@pytest.mark.parametrize(
    ("marking", "waiting", "told"),
    [
        (("SIGTERM",), True, True),
        (("SIGUSR1",), True, False),
        ((), True, False),
        (("SIGTERM",), False, False),
    ],
    ids=["it only sets a flag", "it is another signal", "it has no such", "it does not wait"],
)
def test_a_signal_that_only_sets_a_flag(
    marking: tuple[str, ...], *, waiting: bool, told: bool
) -> None:
    parent = thread("MainThread", PARENT, PARENT, python=[python_frame("stop_worker", 56)])
    child = thread("MainThread", CHILD, CHILD, still=waiting, python=[python_frame("serve", 27)])
    ends = named(Resource(process_id(CHILD), NodeKind.PROCESS, "process 200", CHILD, 0))
    callers = lock("callers", 0x1, NodeKind.QUEUE)
    own = [waits(child, callers, operation="get")] if waiting else []
    made = capture(
        *(parent, child),
        resources=[ends, callers],
        waits=[waits(parent, ends, operation="end"), *own],
        holds=[holds(ends, child)],
    )
    around = Surroundings(handles_signals=marking, marking_signals=marking)
    first, second = made.processes
    made = stood(replace(made, processes=(first, replace(second, around=around))))
    found = next(one for one in findings.run(made) if one.threads[0].pid == PARENT)

    assert found.id == "waiting-for-process"
    assert (TOLD in found.sentence) is told


@pytest.mark.parametrize(
    ("handled", "state", "told"),
    [
        (("SIGTERM",), LoopState.BUSY, True),
        (("SIGTERM",), LoopState.IDLE, False),
        (("SIGUSR1",), LoopState.BUSY, False),
        (("SIGTERM", "SIGUSR1"), LoopState.BUSY, False),
    ],
    ids=["the loop is blocked", "the loop turns", "another signal", "one of them elsewhere"],
)
def test_a_signal_that_a_blocked_loop_would_handle(
    handled: tuple[str, ...], state: LoopState, *, told: bool
) -> None:
    parent = thread("MainThread", PARENT, PARENT, python=[python_frame("stop", 32)])
    child = thread("MainThread", CHILD, CHILD, python=[python_frame("next_job", 16)])
    ends = named(Resource(process_id(CHILD), NodeKind.PROCESS, "process 200", CHILD, 0))
    line = lock("TCP connection to 127.0.0.1:80", 0x1, NodeKind.SOCKET)
    made = capture(
        *(parent, child),
        resources=[ends, line],
        waits=[waits(parent, ends, operation="end"), waits(child, line, operation="receive")],
        holds=[holds(ends, child), holds(line, parent)],
    )
    made = stood(made)
    first, second = made.processes
    around = Surroundings(handles_signals=handled)
    loop = EventLoop(CHILD, 1, "SelectorEventLoop", state, tid=CHILD, signal_handlers=1)
    made = replace(made, processes=(first, replace(second, around=around)), event_loops=(loop,))
    found = findings.run(made)[0]

    assert found.id == "deadlock"
    said = "handles SIGTERM in its event loop, which does not turn while MainThread of process 200"
    assert (said in found.sentence) is told
    assert found.advice[0].startswith("Do not block the event loop of") is told
