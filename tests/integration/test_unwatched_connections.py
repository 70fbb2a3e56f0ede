"""What an event loop of asyncio does not watch, or gives to nobody, although tasks wait for it."""

from pathlib import Path

import pytest

from tests.integration.capturing import Diagnosis, diagnose
from tests.integration.targets import running


def seen(name: str, python: Path) -> Diagnosis:
    with running("unwatched", python, arguments=(name,)) as target:
        return diagnose(target.pid)


def test_another_call_for_the_same_socket_takes_the_place_of_the_first(some_python: Path) -> None:
    if "3.6" in str(some_python):
        pytest.skip("there sock_accept() is no coroutine: nothing tells what the task awaits")
    found = seen("accept", some_python)
    (waiting,) = (task for task in found.capture.tasks if "sock_accept" in (task.awaits or ""))
    assert "which the loop does not watch: another call for the same socket" in str(waiting.awaits)


def test_a_child_takes_a_connection_out_of_what_is_watched(some_python: Path) -> None:
    found = seen("forked", some_python)
    (loop,) = found.capture.event_loops
    assert (loop.watched, loop.dropped) == (0, 1)
    first = found.findings[0]
    assert first.id == "event-loop-stalled"
    assert "The loop holds 1 connection to be watched that the kernel's epoll" in first.sentence


@pytest.mark.parametrize(("name", "there"), [("open", True), ("closed", False)])
def test_to_whom_it_gives_what_comes(name: str, there: bool, some_python: Path) -> None:
    found = seen(name, some_python)
    (loop,) = found.capture.event_loops
    assert loop.protocols is not None
    assert ("Line" in loop.protocols) is there
    said = " ".join(one.sentence for one in found.findings)
    told = "over an open connection of Line, and it has none: that was closed, or never opened"
    assert (told in said) is not there
