"""Who waits for the end of a process that looks at something again and again."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import NodeKind, Polled, Progress, Resource, process_id
from hangtui.older_capture import named
from tests.unit.factories import capture, holds, python_frame, thread, waits


@pytest.mark.parametrize("looks", [True, False])
def test_what_the_process_looks_at_is_in_the_title(*, looks: bool) -> None:
    parent = thread("MainThread", 100, 100, python=[python_frame("run_all", 9)])
    child = thread("MainThread", 200, 200, python=[python_frame("meet", 38)])
    ends = named(Resource(process_id(200), NodeKind.PROCESS, "process 200", 200, 0))
    made = capture(
        *(parent, child),
        resources=[ends],
        waits=[waits(parent, ends, operation="end")],
        holds=[holds(ends, child)],
    )
    seen = Progress(child.id, 5, 2.0, 0.0, 0.0, same_stack=True)
    polled = (Polled(child.id, ("store.add()",), "meet.py:38"),) if looks else ()
    made = replace(made, polled=polled, progress=(seen,))
    found = next(one for one in findings.run(made) if one.id == "waiting-for-process")

    assert ("; there, MainThread of process 200 waits" in found.title) is looks
    assert ("store.add()" in found.title) is looks
