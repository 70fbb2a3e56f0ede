"""Children that have ended: what their parent waits for comes before that nobody reaps them."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Child,
    EventLoop,
    Finding,
    LoopState,
    NodeKind,
    Severity,
    Surroundings,
    Syscall,
    Task,
    TaskState,
    Thread,
    process_id,
)
from tests.unit.factories import capture, lock, python_frame, thread, waits

DEAD = Child(7, "true", "Z", age_s=9.0, ended_s=8.0)
LIVES = Child(8, "sleep", "S", age_s=9.0)


def found(
    main: Thread, *children: Child, accepts: bool = False, tasks: tuple[Task, ...] = ()
) -> Finding:
    listener = lock("Unix socket /run/jobs.sock", 0x1, NodeKind.SOCKET)
    edges = [waits(main, listener, operation="accept")] if accepts else []
    made = capture(main, resources=[listener], waits=edges)
    (process,) = made.processes
    around = Surroundings(children=children, handles_signals=("SIGCHLD",))
    made = replace(made, processes=(replace(process, around=around),), tasks=tasks)
    return next(one for one in findings.run(made) if one.id == "zombie-children")


def at(call: str) -> Thread:
    return thread("MainThread", python=[python_frame("run_backup", 15)], syscall=Syscall(call))


def test_a_wait_for_a_signal_comes_before_the_child_that_has_ended() -> None:
    told = found(at("pause"), DEAD)
    assert told.title == (
        "MainThread waits at main.py:15 (run_backup) for a signal, and its only child 7 has ended"
    )
    for part in ("handlers for SIGCHLD", "is a zombie", "does not end it"):
        assert part in told.sentence
    assert "signal.sigtimedwait()" in told.advice[0]
    assert told.severity is Severity.WARNING


def test_a_wait_for_a_connection_comes_before_the_child_that_has_ended() -> None:
    told = found(at("accept4"), DEAD, accepts=True)
    assert "for somebody to connect to the Unix socket /run/jobs.sock" in told.title
    assert told.advice[0].startswith("Look at why it ended")
    assert told.severity is Severity.NOTE


@pytest.mark.parametrize(
    ("status", "how"), [(3, "ended with status 3"), (-9, "was ended by SIGKILL")]
)
def test_that_a_child_failed_comes_before_that_nobody_reaps_it(status: int, how: str) -> None:
    failed = replace(DEAD, exit_status=status)
    told = found(at("clock_nanosleep"), failed)

    assert told.title == (
        f"Child 7 (true) {how}, and nobody has fetched that; MainThread is at main.py:15 "
        "(run_backup)"
    )
    assert told.sentence.startswith(f"Of the children of process 100 (main.py), 7 (true) {how}.")
    assert told.unknown == ()
    assert f"its only child 7 {how}" in found(at("accept4"), failed, accepts=True).title
    assert "1 zombie" in found(at("clock_nanosleep"), replace(DEAD, exit_status=0)).title


def test_of_a_parent_that_shuts_down_is_told_what_that_waits_for() -> None:
    frame = python_frame(
        "Server.shutdown", 297, "/venv/lib/python3.11/site-packages/uvicorn/server.py"
    )
    ends = Task(100, 1, "serve", None, TaskState.WAITING, 1, 100, (frame,))
    told = found(at("epoll_wait"), replace(DEAD, exit_status=-9), tasks=(ends,))
    assert told.title.endswith("(run_backup), and task serve is in Server.shutdown of uvicorn")


def test_what_multiprocessing_keeps_for_itself_is_no_other_child_of_one_that_failed() -> None:
    tracker_file = "/usr/lib/python3.12/multiprocessing/resource_tracker.py"
    tracker = thread("MainThread", 8, 8, python=[python_frame("main", 216, tracker_file)])
    severities = []
    for status, process_8 in ((1, tracker), (0, tracker), (1, thread("MainThread", 8, 8))):
        made = capture(at("clock_nanosleep"), process_8)
        first, *rest = made.processes
        around = Surroundings(children=(replace(DEAD, exit_status=status), LIVES))
        made = replace(made, processes=(replace(first, around=around), *rest))
        told = next(one for one in findings.run(made) if one.id == "zombie-children")
        severities.append(told.severity)

    assert severities == [Severity.WARNING, Severity.NOTE, Severity.NOTE]


@pytest.mark.parametrize(
    ("call", "children"), [("clock_nanosleep", (DEAD,)), ("pause", (DEAD, LIVES))]
)
def test_else_it_is_told_that_nobody_reaps_it(call: str, children: tuple[Child, ...]) -> None:
    told = found(at(call), *children)
    assert told.title == (
        "1 zombie: 1 child has ended, and nobody has reaped it; MainThread is at main.py:15 "
        "(run_backup)"
    )
    assert "It has ended, but stays in the process table until its parent" in told.sentence


@pytest.mark.parametrize(
    ("timed", "part"),
    [
        (False, "waits at main.py:15 (run_backup) in zmq, for its ZeroMQ sockets (poll), and its"),
        (True, "Child 7 (true) was ended by SIGKILL, and nobody has fetched that; MainThread is"),
    ],
)
def test_an_endless_wait_in_a_package_comes_before_the_child_that_has_ended(
    timed: bool, part: str
) -> None:
    polls = python_frame("Poller.poll", 106, "/venv/lib/python3.12/site-packages/zmq/sugar/poll.py")
    stack = [polls, python_frame("run_backup", 15)]
    main = thread("MainThread", python=stack, syscall=Syscall("poll", timed=timed))
    assert part in found(main, replace(DEAD, exit_status=-9)).title


@pytest.mark.parametrize(
    ("ended_s", "state", "heard"),
    [(8.0, LoopState.IDLE, False), (8.0, LoopState.BUSY, True), (2.5, LoopState.IDLE, True)],
)
def test_who_waits_for_a_child_that_has_ended_comes_first_if_the_loop_did_not_hear(
    ended_s: float, state: LoopState, heard: bool
) -> None:
    frame = python_frame("deliver", 22)
    deliver = Task(100, 1, "deliver", None, TaskState.WAITING, 1, 100, (frame,))
    made = capture(at("epoll_wait"), waits=[waits(deliver.id, process_id(7), where="main.py:22")])
    (process,) = made.processes
    around = Surroundings(children=(replace(DEAD, ended_s=ended_s, exit_status=0), LIVES))
    made = replace(
        made,
        processes=(replace(process, around=around),),
        tasks=(deliver,),
        event_loops=(EventLoop(100, 1, "Loop", state, 100),),
    )
    told = next((one for one in findings.run(made) if one.id == "zombie-children"), None)
    title = "task deliver waits at main.py:22 (deliver) for process 7 (true) to end, which ended"
    assert (told is not None and told.title.startswith(title)) != heard
    assert (told is not None and told.severity is Severity.ERROR) != heard
