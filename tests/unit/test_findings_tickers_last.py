"""Who only ticks, or hears what comes, is told behind who waits for the program."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.causes_first import causes_first
from hangtui.findings.rest.quiet_order import _ticks
from hangtui.findings.rings.self_deadlock_advice import own_result
from hangtui.findings.words import ref, words_of
from hangtui.model import (
    Certainty,
    Finding,
    NodeKind,
    Progress,
    PythonFrame,
    Reason,
    Severity,
    Syscall,
    Thread,
)
from tests.unit.factories import PID, capture, holds, lock, python_frame, thread, waits

PYTHON, OTHER = "/usr/lib/libpython3.12.so.1.0", "/venv/lib/libengine.so"
PACKAGE = "/venv/lib/python3.12/site-packages/redis/client.py"
RUNS = python_frame("run", 59, "/usr/lib/python3.12/concurrent/futures/thread.py")


@pytest.mark.parametrize(
    ("module", "expires", "ticks"),
    [(PYTHON, True, True), (PYTHON, False, False), (OTHER, True, False)],
)
def test_who_waits_at_a_lock_that_was_just_made_with_a_timeout_ticks(
    module: str, expires: bool, ticks: bool
) -> None:
    beat = thread("beat", PID + 1, python=[python_frame("run", 16)])
    new = replace(lock("lock", 7, NodeKind.SEMAPHORE), name="lock", module=module)
    made = capture(beat, resources=[new], waits=[replace(waits(beat, new), expires=expires)])
    seen = Progress(beat.id, 5, 2.0, 0.0, 0.0, wakes=9, same_line=True)
    words = words_of(replace(made, progress=(seen,)), build(made))

    assert _ticks(beat, words.graph.wait_of(beat.id), words) is ticks


@pytest.mark.parametrize("begun", [True, False])
def test_who_waits_for_the_result_of_the_task_that_it_runs(begun: bool) -> None:
    worker = thread(
        "handle_0", PID + 1, python=[python_frame("revoke", 9), *([RUNS] if begun else [])]
    )
    future = lock("future", 8, NodeKind.FUTURE)
    made = capture(worker, resources=[future], holds=[holds(future, worker)])
    (hold,) = build(made).holders_of(future.id)

    assert own_result(worker, hold) is begun


def note(one: Thread) -> Finding:
    return Finding(
        id="waiting-for-peer", severity=Severity.NOTE, certainty=Certainty.CERTAIN,
        title=one.name, sentence=one.name, threads=(ref(one),), subject=one.id,
    )  # fmt: skip


@pytest.mark.parametrize("stack", [[python_frame("listen", 9, PACKAGE)], [python_frame("run", 29)]])
def test_who_hears_what_comes_is_told_behind_who_takes_the_next_that_nobody_brings(
    stack: list[PythonFrame],
) -> None:
    hears = thread("subscriber", PID + 1, python=stack)
    takes = replace(thread("session", PID + 2, python=[python_frame("take", 9)]), takes_next=True)
    line, changed = lock("a connection", 1, NodeKind.SOCKET), lock("changed", 2, NodeKind.CONDITION)
    made = capture(
        thread("MainThread"), hears, takes,
        resources=[line, changed], waits=[waits(hears, line), waits(takes, changed)],
    )  # fmt: skip
    told = causes_first([note(hears), note(takes)], made, build(made))

    assert [one.title for one in told] == ["session", "subscriber"]


@pytest.mark.parametrize(("sleeps", "last"), [(True, "sampler"), (False, "asks")])
def test_who_a_package_keeps_asleep_by_the_clock_is_told_last(sleeps: bool, last: str) -> None:
    inside = python_frame("Process.cpu_percent", 1072, PACKAGE.replace("redis", "psutil"))
    call = Syscall("clock_nanosleep" if sleeps else "futex")
    sampler = thread("sampler", PID + 1, python=[inside, python_frame("run", 9)], syscall=call)
    asks = thread("asks", PID + 2, python=[python_frame("ask", 9), python_frame("run", 9)])
    event = lock("arrived", 1, NodeKind.EVENT)
    made = capture(
        thread("MainThread"), sampler, asks, resources=[event], waits=[waits(asks, event)]
    )
    told = causes_first([note(sampler), note(asks)], made, build(made))

    assert told[-1].title == last


@pytest.mark.parametrize(("known", "first"), [(True, "fetch"), (False, "server")])
def test_who_waits_for_a_thread_that_is_known_elsewhere_does_not_just_hear_what_comes(
    known: bool, first: str
) -> None:
    fetch = thread("fetch", PID + 1, python=[python_frame("fetch", 9)])
    server = thread("server", 201, 200, python=[python_frame("serve", 13)])
    line = lock("a connection", 1, NodeKind.SOCKET)
    wait = replace(waits(fetch, line), answering=(server.id,) if known else ())
    made = capture(thread("MainThread"), fetch, server, resources=[line], waits=[wait])
    calms = replace(note(server), reason=Reason.REASSURANCE)
    told = causes_first([note(fetch), calms], made, build(made))

    assert told[0].title == first
