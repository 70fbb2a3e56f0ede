"""Healthy programs whose parts wait for each other are no warning, however often they are looked
at; the same programs with a part that never goes on are told with where that is waited for."""

import time

import pytest

from hangtui.model import Severity
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_mechanisms import looks
from tests.shares import captures

HUNG = {
    "event_stream": "(listen)",
    "both_ways": "deliver-1 waits",
    "leaders": "(lead)",
    "permits": "(call)",
    "drained": "(close)",
    "mapped": "(mapped)",
    "conversation": "(ask)",
    "task_permits": "(call)",
    "task_queues": "(order)",
    "closing": "(run)",
}
"""The programs in tests/targets/at_work.py, and a line that waits in the hung one."""
CELLS = [(name, one) for one in interpreters(("3.8", "3.12", "3.13")) for name in HUNG]
_SETTLE_S = 20.0

# A false alarm is one, however rare: no second try.
pytestmark = pytest.mark.flaky(reruns=0)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "interpreter"), CELLS, ids=lambda one: getattr(one, "id", one))
def test_what_goes_on_at_its_own_pace_is_no_warning(name: str, interpreter: Interpreter) -> None:
    with running("at_work", interpreter.path, asleep=False, arguments=(name,)) as target:
        for _ in range(captures(3)):
            found = looks(target.pid)
            assert {one.severity for one in found} <= {Severity.NOTE}, found[0].sentence


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", HUNG)
def test_the_same_that_hangs_is_told_with_its_line(name: str) -> None:
    (interpreter, *_) = interpreters(("3.12", "3.13"))
    with running("at_work", interpreter.path, asleep=False, arguments=(name, "hung")) as target:
        until = time.monotonic() + _SETTLE_S
        told = looks(target.pid)[0]
        while HUNG[name] not in told.sentence and time.monotonic() < until:
            told = looks(target.pid)[0]
    assert HUNG[name] in told.sentence, told.title
