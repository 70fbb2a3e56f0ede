"""Processes that nobody sets going but one of them: a warning is an error there."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.standstill import standstill
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Inward,
    NodeKind,
    Progress,
    Severity,
    Syscall,
    Thread,
)
from tests.unit.factories import capture, lock, python_frame, stood, thread, waits

FUTEX = Syscall("futex", timed=False)
READS = Syscall("read")
POOL = "/venv/lib/python3.12/site-packages/dbutils/pooled_db.py"
THREADING = "/usr/lib/python3.12/threading.py"
PEBBLE = "/venv/lib/python3.12/site-packages/pebble/pool/thread.py"


def asker(*, timed: bool = False) -> Thread:
    """It waits for a connection of a pool."""
    stack = [
        python_frame("Condition.wait", 355, THREADING),
        python_frame("PooledDB.connection", 46, POOL),
        python_frame("open_report", 15),
    ]
    return thread("MainThread", python=stack, syscall=replace(FUTEX, timed=timed))


def exhausted(*others: Thread, timed: bool = False, signals: tuple[str, ...] = ()) -> Capture:
    """The only thing that is known is that a pool has nothing left."""
    pool = replace(
        lock("DBUtils' PooledDB", 0x10, NodeKind.POOL), name="DBUtils' PooledDB",
        lends="connection", size=2, out=2,
    )  # fmt: skip
    one = asker(timed=timed)
    made = capture(one, *others, resources=[pool], waits=[waits(one, pool, expires=timed)])
    return stood(made, *signals)


def severity(made: Capture) -> Severity:
    return findings.run(made)[0].severity


def group(made: Capture, *pids: int) -> list[int]:
    return [one.pid for one in standstill(pids or (100,), words_of(made, build(made)))]


def test_the_only_thread_waits_for_what_nobody_gives_back() -> None:
    (first, *_) = findings.run(exhausted())

    assert first.severity is Severity.ERROR
    assert first.never_ends
    assert "the only thread of process 100 waits without a timeout" in first.evidence[-1]


@pytest.mark.parametrize("change", [{"timed": True}, {"signals": ("SIGUSR1",)}])
def test_it_is_a_warning_if_the_wait_may_end(change: dict[str, bool | tuple[str, ...]]) -> None:
    assert severity(exhausted(**change)) is not Severity.ERROR  # type: ignore[arg-type]


def test_a_thread_of_c_that_waits_for_anything_else_may_end_it() -> None:
    native = replace(
        thread("poller", 101, syscall=Syscall("epoll_wait", timed=False)), is_python=False
    )
    made = exhausted(native)

    assert severity(made) is Severity.WARNING
    own = replace(made, inward=(Inward(native.id, (100,)),))
    assert severity(own) is Severity.ERROR
    assert severity(replace(made, inward=(Inward(native.id, (100, 555)),))) is Severity.WARNING
    listens = Inward(native.id, (100,), ("TCP port 0.0.0.0:80",))
    assert severity(replace(made, inward=(listens,))) is Severity.WARNING


def test_a_librarys_thread_that_looks_after_its_workers_ends_nothing() -> None:
    stack = [python_frame("pool_manager_loop", 144, PEBBLE)]
    keeper = thread("keeper", 101, python=stack, still=False, syscall=Syscall("clock_nanosleep"))
    made = exhausted(keeper)
    ticks = Progress(keeper.id, 5, 2.0, 0.0, 0.001, wakes=20, same_stack=True, same_line=True)
    made = replace(made, progress=(made.progress[0], ticks))

    assert severity(made) is Severity.ERROR
    other = replace(keeper, python_stack=(python_frame("refresh", 9),))
    (process,) = made.processes
    made = replace(made, processes=(replace(process, threads=(process.threads[0], other)),))
    assert severity(made) is Severity.WARNING


def pair(*, far: tuple[int, ...] = (200,)) -> Capture:
    """Two processes, each of which reads what only the other one would write."""
    stack = [python_frame("receive", 7)]
    one = thread("MainThread", 100, 100, python=stack, syscall=READS)
    other = thread("MainThread", 200, 200, python=stack, syscall=READS)
    made = stood(capture(one, other))
    return replace(made, inward=(Inward(one.id, far), Inward(other.id, (100,))))


def test_processes_that_read_from_each_other_stand_for_good() -> None:
    assert group(pair()) == [100, 200]
    assert group(pair(), 200) == [200, 100]


def test_they_do_not_if_somebody_else_has_an_end() -> None:
    assert group(pair(far=(200, 300))) == []


def test_they_do_not_if_one_look_alone_saw_it() -> None:
    assert group(replace(pair(), progress=())) == []
