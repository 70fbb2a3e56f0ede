"""Findings about one process name the application's line that waits for it in another one."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.analysis.whereabouts import where_of
from hangtui.findings.own_line_first import with_askers
from hangtui.findings.rest.quiet_order import told_order
from hangtui.findings.rest.rests import Rests
from hangtui.findings.words import ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Ends,
    FarEnd,
    Finding,
    Inward,
    NodeId,
    NodeKind,
    Resource,
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

SITE = "/venv/lib/python3.12/site-packages"
SERVER = thread("MainThread", 200, 200, python=[python_frame("ask", 19)])


def title(made: Capture) -> str:
    says, told = ("it stands", "It stands."), (ref(SERVER),)
    found = Finding("quiet", Severity.WARNING, Certainty.INFERRED, *says, told)
    return with_askers(found, (), words_of(made, build(made))).title


def two(*client: Thread) -> Capture:
    return replace(capture(), processes=(process(100, *client), process(200, SERVER)))


@pytest.mark.parametrize(
    ("ends", "accepts", "told"),
    [((100, 200), (), True), ((200, 300), (), False), ((200,), ("TCP port ::1:5",), False)],
)
def test_a_loop_that_hears_from_nobody_else(
    ends: tuple[int, ...], accepts: tuple[str, ...], told: bool
) -> None:
    inner = python_frame("Session.request", 136, f"{SITE}/pynvim/session.py")
    stack = [python_frame("select", 468, "/usr/lib/python3.12/selectors.py"), inner]
    client = thread("MainThread", 100, 100, python=[*stack, python_frame("save", 53)])
    made = replace(two(client), inward=(Inward(client.id, ends, accepts),))
    says = "; MainThread of process 100 hears from nobody else at main.py:53 (save), in pynvim"
    assert title(made) == f"it stands{says if told else ''}"


def test_a_task_whose_executors_thread_waits_for_an_answer() -> None:
    inner = python_frame("parse", 9, f"{SITE}/feedparser/api.py")
    client = thread("asyncio_0", 101, 100, python=[inner])
    node = NodeId.of(NodeKind.SOCKET, 100, "0x7")
    line = Resource(node, NodeKind.SOCKET, "", 100, 7, name="the TCP connection to ::1:80")
    frames = (python_frame("fetch", 47),)
    task = Task(100, 0x10, "Task-2", "fetch", TaskState.WAITING, 0x1000, 100, frames)
    asks = replace(waits(client, line, operation="receive"), answering=(SERVER.id,))
    made = replace(
        two(thread("MainThread", 100, 100, python=[]), client),
        resources=(line,),
        tasks=(task,),
        waits=(asks, waits(task.id, client)),
    )
    says = "; task fetch waits for its answer at main.py:47 (fetch), in feedparser"
    assert title(made) == f"it stands{says}"


@pytest.mark.parametrize(("sent_last", "peers"), [(True, (200,)), (False, (200,)), (True, (9,))])
def test_of_a_note_a_task_that_awaits_the_answer_is_told(
    sent_last: bool, peers: tuple[int, ...]
) -> None:
    loop = thread("MainThread", 100, 100, python=[])
    frames = (python_frame("call", 25),)
    task = Task(100, 0x10, "Task-2", "call", TaskState.WAITING, 0x1000, 100, frames)
    ends = Ends(None, "[::1]:80")
    task = replace(task, awaits="data from [::1]:80 (StreamReader.readline)", ends=ends)
    link = Watched(loop.id, ends.name, Traffic(9.0, None, sent_last), peers, ends=ends)
    made = replace(two(loop), tasks=(task,), watched=(link,))
    found = Finding("quiet", Severity.NOTE, Certainty.INFERRED, "it stands", "", (ref(SERVER),))

    told = with_askers(found, (), words_of(made, build(made))).title

    says = "; task call waits for its answer at main.py:25 (call)"
    assert told == f"it stands{says if sent_last and peers == (200,) else ''}"


def test_of_many_requests_that_is_told_for_which_another_one_waits() -> None:
    nap = Syscall("clock_nanosleep", sleep=Sleep(20.0, 20.0))
    serving = [
        thread(f"Thread-{n}", 200 + n, 200, still=True, python=[python_frame("serve", 5)])
        for n in (1, 2, 3)
    ]
    serving = [replace(one, syscall=nap) for one in serving]
    client = thread("MainThread", 100, 100, still=True, python=[python_frame("ask", 7)])
    link = lock("link", 7, NodeKind.SOCKET)
    wait = replace(waits(client, link), answering=(serving[1].id,))
    made = replace(
        capture(client, resources=[link], waits=[wait]),
        processes=(process(100, client), process(200, SERVER, *serving)),
    )
    words = words_of(made, build(made))
    order = told_order(made.processes[1], serving, frozenset(), Rests(words), words)
    assert [one.name for one in order.waiting] == ["Thread-2", "Thread-1", "Thread-3"]


@pytest.mark.parametrize(("line", "told"), [(39, True), (40, False)])
def test_a_task_at_the_other_end_of_what_the_task_told_of_has_in_hand(
    line: int, told: bool
) -> None:
    follows = (python_frame("follow", 25),)
    asks = Task(100, 0x10, "Task-1", "brew", TaskState.WAITING, 0x1000, 100, follows)
    frames = (python_frame("log", 39, "/app/engine.py"),)
    serves = Task(200, 0x20, "Task-7", "log", TaskState.WAITING, 0x2000, 200, frames)
    far = FarEnd(asks.id, "Unix socket to process 200", 200, (serves.id,))
    made = replace(two(), tasks=(asks, serves), far_ends=(far,))
    place = where_of((python_frame("log", line, "/app/engine.py"),))
    found = Finding(
        "request-waits", Severity.NOTE, Certainty.INFERRED, "it waits", "It waits.", (), where=place
    )
    says = "; task brew waits for its answer at main.py:25 (follow)"
    title = with_askers(found, (), words_of(made, build(made))).title
    assert title == f"it waits{says if told else ''}"
