"""Processes whose end is waited for, and whose handlers of signals only set a flag."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import NodeKind, Resource, Surroundings, process_id
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
