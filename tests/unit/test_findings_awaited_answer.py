"""A task that waits inside of a package while an answer is due over one connection of its loop."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    EventLoop,
    Finding,
    LoopState,
    NodeKind,
    Progress,
    PythonFrame,
    Severity,
    Sleep,
    Syscall,
    Task,
    TaskState,
    Thread,
    Traffic,
    Watched,
)
from tests.unit.factories import capture, lock, process, python_frame, thread, waits

SELECT = python_frame("select", 9, "/usr/lib/python3.12/selectors.py")
OWN = python_frame("load_users", 4)
CONNECT = replace(
    python_frame("connect", 80, "/venv/lib/python3.12/site-packages/asyncpg/connection.py"),
    package="asyncpg 0.30.0",
)
SILENT = Traffic(sent_s=9.0, received_s=None, sent_last=True)


def client(
    *traffic: Traffic | None,
    stack: tuple[PythonFrame, ...] = (CONNECT, OWN),
    kind: NodeKind = NodeKind.FUTURE,
    peer: Thread | None = None,
) -> Capture:
    """Its only task waits; *traffic*: of the connections that its loop watches."""
    main = replace(thread("MainThread", 100, python=[SELECT]), runs=7)
    task = Task(100, 0x70, "Task-1", "load_users", TaskState.WAITING, 0x60, 100, stack)
    answer = lock("the asyncio.Future awaited in connect", 0x80, kind)
    loop = EventLoop(100, 0x60, "loop", LoopState.IDLE, 100, None, 0, len(traffic), 0)
    made = capture(main, resources=[answer], waits=[waits(task.id, answer)])
    peers = () if peer is None else (peer.pid,)
    watched = tuple(
        Watched(main.id, f"TCP connection to 10.0.0.{n}:5432", one, peers)
        for n, one in enumerate(traffic)
    )
    seen = Progress(main.id, 5, 2.0, 2.0, 0.0, same_stack=True, same_line=True)
    others = () if peer is None else (process(peer.pid, peer),)
    return replace(
        made,
        processes=(*made.processes, *others),
        tasks=(task,),
        event_loops=(loop,),
        watched=watched,
        progress=(seen,),
    )


def quiet(made: Capture) -> Finding:
    return next(one for one in findings.run(made) if one.id == "quiet")


def test_the_one_connection_with_an_answer_due_is_told() -> None:
    heard = Traffic(sent_s=20.0, received_s=3.0, sent_last=False)
    found = quiet(client(heard, SILENT))

    assert found.severity is Severity.WARNING
    assert found.title.endswith(
        "task load_users waits at main.py:4 (load_users), in asyncpg, for an answer over the TCP "
        "connection to 10.0.0.1:5432, silent for 9 s"
    )


@pytest.mark.parametrize(
    "made",
    [
        client(None),
        client(SILENT, SILENT),
        client(Traffic(sent_s=0.2, received_s=None, sent_last=True)),
        client(Traffic(sent_s=20.0, received_s=3.0, sent_last=False)),
        client(SILENT, stack=(OWN,)),
        client(SILENT, stack=(replace(CONNECT, function="serve"), OWN)),
        client(SILENT, kind=NodeKind.QUEUE),
    ],
)
def test_without_one_that_is_known_nothing_is_said_of_an_answer(made: Capture) -> None:
    found = findings.run(made)

    assert all("for an answer over" not in one.title for one in found)


SLEEPS = thread(
    "MainThread", 200, 200, python=[python_frame("answer", 3)],
    syscall=Syscall("clock_nanosleep", sleep=Sleep(30.0, 20.0)),
)  # fmt: skip
AWAKE = thread("MainThread", 200, 200, state="R", still=False, python=[python_frame("answer", 3)])


@pytest.mark.parametrize("peer", [SLEEPS, AWAKE])
def test_a_peer_that_goes_on_by_itself_is_no_reason_to_warn(peer: Thread) -> None:
    found = quiet(client(SILENT, peer=peer))

    assert "(open in process 200)" in found.title
    assert found.severity is Severity.NOTE
