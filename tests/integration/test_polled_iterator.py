"""Who comes back to the ``for`` of a module for the next item of a package's iterator has got one;
who stays there has not."""

import time

import pytest

from hangtui.analysis.progress import with_progress
from hangtui.backends.capture.collector import collect
from hangtui.model import Progress
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running

PYTHONS = interpreters(("3.8", "3.11", "3.12", "3.13"))


def progress_of(name: str, interpreter: Interpreter) -> Progress:
    with running("polled_iterator", interpreter.path, asleep=False, arguments=(name,)) as target:
        captures = []
        for _ in range(4):
            captures.append(list(collect(CaptureRequest(pids=(target.pid,))))[-1])
            time.sleep(0.2)
    (found,) = with_progress(captures).progress
    return found


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
@pytest.mark.parametrize(("name", "returned"), [("comes", True), ("stays", False)])
def test_who_got_items_of_an_iterator_came_back_for_the_next(
    name: str, returned: bool, interpreter: Interpreter
) -> None:
    found = progress_of(name, interpreter)
    assert found.same_line
    assert found.returned is returned
