"""Who waits at the end of a ``with`` for a child, while it handles an error."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Handled, NodeKind, PythonFrame, Resource, Severity, process_id
from hangtui.older_capture import named
from tests.unit.factories import capture, holds, lock, python_frame, stood, thread, waits

PARENT, CHILD = 100, 200
LIB = "/usr/lib/python3.12/subprocess.py"
LEAVES = (python_frame("Popen.wait", 1264, LIB), python_frame("Popen.__exit__", 1118, LIB))


@pytest.mark.parametrize(
    ("leaves", "failed", "rests", "told"),
    [
        (LEAVES, True, True, True),
        (LEAVES[:1], True, True, False),
        (LEAVES, False, True, False),
        (LEAVES, True, False, False),
    ],
    ids=["an error has left it", "it is in no with", "there is no error", "the child is at work"],
)
def test_what_a_block_was_to_do_about_a_child(
    leaves: tuple[PythonFrame, ...], *, failed: bool, rests: bool, told: bool
) -> None:
    parent = thread("MainThread", PARENT, PARENT, python=[*leaves, python_frame("visit", 27)])
    child = thread("MainThread", CHILD, CHILD, still=rests, python=[python_frame("serve", 9)])
    ends = named(Resource(process_id(CHILD), NodeKind.PROCESS, "process 200", CHILD, 0))
    callers = lock("callers", 0x1, NodeKind.QUEUE)
    own = [waits(child, callers, operation="get")] if rests else []
    made = capture(
        *(parent, child),
        resources=[ends, callers],
        waits=[waits(parent, ends, operation="end"), *own],
        holds=[holds(ends, child)],
    )
    error = Handled(parent.id, "CalledProcessError", "main.py:24", inner=False)
    made = stood(replace(made, handled=(error,) if failed else ()))
    found = next(one for one in findings.run(made) if one.threads[0].pid == PARENT)

    assert found.id == "waiting-for-process"
    assert (found.severity is Severity.WARNING) is told
    assert ("would have done about process 200 was left out" in found.sentence) is told
