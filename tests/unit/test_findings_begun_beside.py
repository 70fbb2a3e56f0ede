"""The task that a library began beside the one at the other end of a connection."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    EventLoop,
    LoopState,
    NodeKind,
    Progress,
    PythonFrame,
    Task,
    TaskState,
)
from tests.unit.factories import capture, holds, lock, python_frame, thread, waits

LIBRARY = "/venv/lib/python3.11/site-packages/starlette/responses.py"
HTTP = python_frame("HTTPConnection.getresponse", 638, "/usr/lib/python3.11/http/client.py")
SELECT = python_frame("select", 468, "/usr/lib/python3.11/selectors.py")
SENDS = python_frame("__call__.<locals>.wrap", 281, LIBRARY)


def _task(number: int, *stack: PythonFrame) -> Task:
    return Task(
        *(100, number, f"Task-{number}", "run", TaskState.WAITING, 0x10, 100),
        python_stack=stack,
    )


def _program(*, below: PythonFrame, known: bool) -> Capture:
    """A client in a thread asks its own process, where one task hears whether it has gone and the
    other one waits for what is to be sent."""
    main = thread("MainThread", 100, 100, python=[SELECT, python_frame("main", 81)])
    client = thread("client", 101, 100, python=[HTTP, python_frame("ask", 61)])
    hears = _task(7, python_frame("listen_for_disconnect", 249, LIBRARY), SENDS)
    sends = _task(8, python_frame("next_token", 33), below)
    socket = lock("the TCP connection to 127.0.0.1:80", 1, NodeKind.SOCKET)
    event = lock("next event", 2, NodeKind.EVENT)
    stream = replace(lock("stream", 3, NodeKind.QUEUE), wakers_known=known)
    made = capture(
        *(main, client),
        resources=[socket, event, stream],
        waits=[
            replace(waits(client, socket), operation="receive"),
            waits(hears.id, event),
            waits(sends.id, stream),
        ],
        holds=[holds(socket, hears.id)],
    )
    loop = EventLoop(100, 0x10, "asyncio.SelectorEventLoop", LoopState.IDLE, 100)
    seen = tuple(Progress(one.id, 5, 2.0, 2.0, 0.0, same_line=True) for one in (main, client))
    return replace(made, tasks=(hears, sends), event_loops=(loop,), progress=seen)


@pytest.mark.parametrize(
    ("below", "known", "said"),
    [
        (SENDS, True, True),
        (SENDS, False, False),  # somebody may be on the way
        (python_frame("other", 5, LIBRARY), True, False),
    ],
)
def test_what_the_same_call_began_is_told_beside_it(
    below: PythonFrame, *, known: bool, said: bool
) -> None:
    made = _program(below=below, known=known)

    finding = next(one for one in findings.run(made) if one.id == "waiting-for-peer")

    assert ("Beside it, inside of the same call, task run (Task-8)" in finding.sentence) is said
    assert ("; there task run (Task-8) waits at main.py:33" in finding.title) is said
