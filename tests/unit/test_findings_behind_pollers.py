"""Of notes of several processes, that first in which who has a lock looks again and again."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.causes_first import causes_first
from hangtui.findings.words import ref
from hangtui.model import (
    Certainty,
    Finding,
    NodeKind,
    Progress,
    PythonFrame,
    Reason,
    Severity,
    Thread,
)
from tests.unit.factories import capture, holds, lock, python_frame, thread, waits

LOCK = lock("Worker.stats_lock", 1, pid=200)


def note(of: Thread) -> Finding:
    return Finding(
        "quiet", Severity.NOTE, Certainty.INFERRED, "", "", threads=(ref(of),),
        reason=Reason.ONE_WAIT,
    )  # fmt: skip


@pytest.mark.parametrize(("ran", "order"), [(True, [200, 100]), (False, [100, 200])])
def test_who_waits_for_a_lock_of_one_that_polls(
    ran: bool,
    order: list[int],
) -> None:
    front = thread("MainThread", 100, 100, python=[python_frame("generate", 18)])
    main = thread("MainThread", 200, 200, python=[python_frame("execute", 41)])
    stats = thread("stats", 201, 200, python=[python_frame("report", 18)])
    made = capture(
        *(front, main, stats),
        resources=[LOCK],
        waits=[waits(main, LOCK, Certainty.PROVEN)],
        holds=[holds(LOCK, stats, Certainty.PROVEN)],
    )
    seen = [Progress(one.id, 5, 3.0, 3.0, 0.0, same_line=True) for one in (front, main, stats)]
    seen[2] = replace(seen[2], unchanged_s=0.0 if ran else 3.0, wakes=9 if ran else 0)
    made = replace(made, progress=tuple(seen))

    found = causes_first([note(front), note(main)], made, build(made))

    assert [one.threads[0].pid for one in found] == order


@pytest.mark.parametrize(("polls", "order"), [(True, [200, 100]), (False, [100, 200])])
def test_a_master_that_looks_after_the_one_who_waits(polls: bool, order: list[int]) -> None:
    keeps = [
        PythonFrame("Arbiter.sleep", "/srv/lib/python3.12/site-packages/server/arbiter.py", 9),
        python_frame("serve", 3),
    ]
    master = thread("MainThread", 100, 100, python=keeps)
    worker = thread("MainThread", 200, 200, python=[python_frame("take", 18)])
    made = capture(master, worker)
    own = replace(made.processes[1], ppid=100)
    seen = [Progress(one.id, 5, 3.0, 3.0, 0.0, same_line=True) for one in (master, worker)]
    seen[0] = replace(seen[0], unchanged_s=0.0 if polls else 3.0, wakes=9 if polls else 0)
    made = replace(made, processes=(made.processes[0], own), progress=tuple(seen))

    found = causes_first([note(master), note(worker)], made, build(made))

    assert [one.threads[0].pid for one in found] == order


def test_of_notes_that_of_a_request_first() -> None:
    calls = python_frame(
        "handle_request", 9, "/v/lib/python3.12/site-packages/gunicorn/workers/gthread.py"
    )
    listens = thread("news", 100, 100, python=[python_frame("listen", 29)])
    request = thread("Pool-0_0", 101, 100, python=[python_frame("page", 51), calls])
    made = capture(listens, request)

    found = causes_first([note(listens), note(request)], made, build(made))

    assert [one.threads[0].name for one in found] == ["Pool-0_0", "news"]


def test_of_notes_that_of_a_thread_that_hears_what_comes_last() -> None:
    news = lock("the TCP connection to 10.0.0.1:80", 2, NodeKind.SOCKET, pid=100)
    listens = thread("news", 101, 100, python=[python_frame("listen", 29)])
    main = thread("MainThread", 100, 100, python=[python_frame("serve", 51)])
    made = capture(listens, main, resources=[news], waits=[waits(listens, news)])

    found = causes_first([note(listens), note(main)], made, build(made))

    assert [one.threads[0].name for one in found] == ["MainThread", "news"]


@pytest.mark.parametrize(("ppid", "order"), [(1, [100, 200]), (100, [200, 100])])
def test_that_another_program_works_at_requests_is_told_behind_who_waits(
    ppid: int, order: list[int]
) -> None:
    library = "/usr/lib/python3.12/socketserver.py"
    serves = [python_frame("do_GET", 12), python_frame("finish_request", 362, library)]
    asks = thread("MainThread", 100, 100, python=[python_frame("ask", 18)])
    answers = thread("Thread-1", 201, 200, python=serves)
    made = capture(asks, answers)
    own, other = made.processes
    made = replace(made, processes=(own, replace(other, ppid=ppid)))
    working = replace(note(answers), id="alive", reason=Reason.REASSURANCE, processes=(200,))
    waiting = replace(note(asks), processes=(100,))

    found = causes_first([waiting, working], made, build(made))

    assert [one.threads[0].pid for one in found] == order
