"""Results of executors that never come: no result thread, no worker, or ever new workers."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.turnover import turnovers
from hangtui.model import (
    Capture,
    Certainty,
    Child,
    Executor,
    Helper,
    NodeKind,
    PythonFrame,
    Severity,
    Surroundings,
    Turnover,
)
from tests.unit.factories import (
    PID,
    capture,
    lock,
    only,
    process,
    python_frame,
    stood,
    thread,
    waits,
)

POOL = "/usr/lib/python3.12/multiprocessing/pool.py"
FUTURES = "/usr/lib/python3.12/concurrent/futures/_base.py"
PROCESS = "/usr/lib/python3.12/concurrent/futures/process.py"


def waiting(*frames: PythonFrame, executor: Executor, manager: str = "S") -> Capture:
    """Somebody in *frames* waits for a result of *executor*, which a thread manages."""
    main = thread("MainThread", python=[*frames, python_frame("load", 24)])
    serving = thread("Thread-1", 101, state=manager, still=manager == "S", python=[])
    event = lock("threading.Event at 0x1", 0x1, NodeKind.EVENT)
    made = capture(main, serving, resources=[event], waits=[waits(main, event)])
    return replace(made, executors=(replace(executor, waiters=(main.id,)),))


def pool(**changes: object) -> Executor:
    alive = Helper("_handle_workers", "Thread-1", 101, ended=False)
    base = Executor(PID, 0x10, "multiprocessing.pool.Pool", (), (alive,), 2, 2, 2, renews=False)
    return replace(base, **changes)  # type: ignore[arg-type]


def results(*, ended: bool | None) -> Helper:
    return Helper("_handle_results", "Thread-3 (_handle_results)", None, ended)


MAPPING = (python_frame("MapResult.wait", 1, POOL), python_frame("Pool.map", 2, POOL))
RESULT = (python_frame("Future.result", 1, FUTURES),)


def executor(**changes: object) -> Executor:
    managing = Helper("manager thread", "Thread-1", 101, ended=False)
    kind = "concurrent.futures.process.ProcessPoolExecutor"
    base = Executor(PID, 0x10, kind, (), (managing,), 1, 0, pending=8)
    return replace(base, **changes)  # type: ignore[arg-type]


def ids(made: Capture) -> set[str]:
    return {one.id for one in findings.run(made)}


def test_the_thread_that_fetches_results_has_ended() -> None:
    finding = only(waiting(*MAPPING, executor=pool(helpers=(results(ended=True),))))

    assert (finding.id, finding.severity) == ("result-thread-ended", Severity.ERROR)
    assert finding.certainty is Certainty.PROVEN
    assert finding.sentence == (
        "MainThread waits in map() at main.py:24 (load) for a result of a multiprocessing Pool. "
        "The thread that receives the results for it, Thread-3 (_handle_results), has ended: no "
        "result arrives any more, whatever the workers do."
    )


def test_a_pool_that_was_terminated_under_a_wait() -> None:
    ended = pool(helpers=(results(ended=True),), pending=2, terminated=True)
    told = replace(ended, terminated_in=("Press.on_fault (press.py:31)",))
    finding, other = (only(waiting(*MAPPING, executor=one)) for one in (told, ended))

    assert (finding.id, finding.severity) == ("result-thread-ended", Severity.ERROR)
    assert finding.title.endswith("for a result of a Pool that was terminated")
    assert (
        "The pool was told to end at once, by terminate() or at the end of its with block; the "
        "program calls terminate() in Press.on_fault (press.py:31). That ends its workers, and 2 "
        "calls that it had not done then will never be. The thread"
    ) in finding.sentence
    assert "at the end of its with block. That ends" in other.sentence
    assert not finding.unknown
    assert not any("pickle" in line for line in finding.advice)


def test_of_a_thread_that_is_merely_not_known_it_is_not_said() -> None:
    for ended in (False, None):
        made = waiting(*MAPPING, executor=pool(helpers=(results(ended=ended),)))
        assert "result-thread-ended" not in ids(made)


def test_an_executor_without_workers() -> None:
    finding = only(waiting(*RESULT, executor=executor()))

    assert (finding.id, finding.severity) == ("no-workers-left", Severity.WARNING)
    assert "8 tasks are not done, but it has no worker process" in finding.sentence


def test_it_is_proven_where_nobody_could_submit_another_task() -> None:
    made = stood(waiting(*RESULT, executor=executor()))
    other = thread("loads more", 102, python=[python_frame("submit_more")])
    (process,) = made.processes
    more = replace(process, threads=(*process.threads, other))
    sure, perhaps = only(made), only(stood(replace(made, processes=(more,))))

    assert (sure.severity, sure.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert (perhaps.severity, perhaps.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert any("submit another task" in line for line in perhaps.unknown)


def with_dead(*dead: Child, workers: tuple[int, ...] = (7,), seconds: float = 2.0) -> Capture:
    made = stood(waiting(*RESULT, executor=executor(workers=1, worker_pids=workers)),
                 seconds=seconds)  # fmt: skip
    (process,) = made.processes
    around = replace(process.around or Surroundings(), children=dead)
    return replace(made, processes=(replace(process, around=around),))


DEAD = Child(7, "python", "Z", ended_s=3.0, exit_status=-9)


def test_the_end_of_a_worker_that_the_executor_does_not_notice() -> None:
    finding = only(with_dead(DEAD), "no-workers")
    some = only(with_dead(DEAD, workers=(7, 8)), "no-workers")

    assert (finding.severity, finding.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert "Process 7, its only worker, was ended by SIGKILL and has not been reaped." in (
        finding.sentence
    )
    assert (some.severity, some.certainty) == (Severity.WARNING, Certainty.INFERRED)


def test_a_worker_that_lives_or_ended_just_now_or_another_child_is_not_told() -> None:
    for made in (
        with_dead(),
        with_dead(replace(DEAD, state="S", ended_s=None)),
        with_dead(replace(DEAD, ended_s=0.1)),
        with_dead(replace(DEAD, pid=9)),
        with_dead(DEAD, seconds=0.2),
        with_dead(DEAD, workers=()),
    ):
        assert "no-workers-left" not in ids(made)


def test_one_that_has_a_worker_or_is_about_to_start_one_is_not_told() -> None:
    spawning = python_frame("ProcessPoolExecutor._spawn_process", 3, PROCESS)
    for made in (
        waiting(*RESULT, executor=executor(workers=1)),
        waiting(*RESULT, executor=executor(pending=0)),
        waiting(*RESULT, executor=executor(), manager="R"),
        waiting(*RESULT, spawning, executor=executor()),
    ):
        assert "no-workers-left" not in ids(made)


def test_workers_that_are_started_again_and_again() -> None:
    made = waiting(*MAPPING, executor=pool(initializer="connect", started=57))
    made = replace(made, turnovers=(Turnover(PID, 0x10, 5, 2.0, 50),))

    finding = next(one for one in findings.run(made) if one.id == "workers-replaced")

    assert finding.severity is Severity.WARNING
    assert "50 in 2.0 s. Each begins with its initializer, connect()." in finding.sentence


def test_workers_that_are_to_be_renewed_or_ended_once_are_not_told() -> None:
    often, once = Turnover(PID, 0x10, 5, 2.0, 50), Turnover(PID, 0x10, 5, 2.0, 2)
    for one, turnover in ((pool(renews=True), often), (pool(renews=None), often), (pool(), once)):
        made = replace(waiting(*MAPPING, executor=one), turnovers=(turnover,))
        assert "workers-replaced" not in ids(made)


@pytest.mark.parametrize(("began", "told"), [(0, True), (1, False)])
def test_one_look_tells_workers_that_were_forked_anew(began: int, told: bool) -> None:
    """*began*: how many are left of those that the pool began with."""
    anew = (python_frame("grade", 9), python_frame("Pool._maintain_pool", 7, POOL))
    made = waiting(*MAPPING, executor=pool(worker_pids=(7, 8)))
    workers = [
        replace(process(pid, thread("MainThread", pid, pid=pid, python=stack)), ppid=PID)
        for pid, stack in ((7, anew), (8, anew[: 2 - began]))
    ]
    made = replace(made, processes=(*made.processes, *workers))
    found = [one for one in findings.run(made) if one.id == "workers-replaced"]

    assert len(found) == told
    for one in found:
        assert "none of those that it began with is left" in one.sentence
        assert "worker 7 and worker 8 were forked by the pool's own thread" in " ".join(
            one.evidence
        )


def test_all_workers_need_to_be_new_only_once() -> None:
    first = waiting(*MAPPING, executor=pool(size=2, started=5, worker_pids=(7, 8)))
    for pids, told in (((9, 10), True), ((8, 9), False), ((), False)):
        last = waiting(*MAPPING, executor=pool(size=2, started=7, worker_pids=pids))
        last = replace(last, taken_at="2030-01-02T03:04:07+00:00")
        made = replace(last, turnovers=tuple(turnovers([first, last])))
        assert ("workers-replaced" in ids(made)) is told


def test_what_was_started_is_counted_from_look_to_look() -> None:
    first = waiting(*MAPPING, executor=pool(started=5))
    last = waiting(*MAPPING, executor=pool(started=9))
    last = replace(last, taken_at="2030-01-02T03:04:07+00:00")

    assert list(turnovers([first, last])) == [Turnover(PID, 0x10, 2, 2.0, 4)]
    assert list(turnovers([last])) == []
    moved = replace(last, executors=(replace(last.executors[0], address=0x20),))
    assert list(turnovers([first, moved])) == []

    def served_by(made: Capture, tid: int | None) -> Capture:
        helper = Helper("_handle_results", "Thread-3", tid, ended=False)
        return replace(made, executors=(replace(made.executors[0], helpers=(helper,)),))

    one = served_by(first, 103)
    assert list(turnovers([one, served_by(last, 909)])) == []  # made anew at its place
    assert len(list(turnovers([one, served_by(last, None)]))) == 1


def test_a_pool_that_was_forked_along_has_its_threads_in_the_parent() -> None:
    ours = pool(helpers=(results(ended=True),), worker_pids=(7,))
    made = waiting(*MAPPING, executor=ours)
    handling = python_frame("_handle_results", 576, POOL)
    serving = thread("Thread-3 (_handle_results)", 92, pid=90, python=[handling])
    parent = process(90, serving)
    around = Surroundings(children=(Child(7, "python", "S"),))
    (child,) = made.processes
    child = replace(child, around=Surroundings(forked_from=90))
    of_parent = replace(made, processes=(child, replace(parent, around=around)))
    copied, other = only(of_parent), only(replace(of_parent, processes=(child, parent)))

    assert (copied.id, copied.severity) == ("result-thread-ended", Severity.ERROR)
    assert copied.title.endswith("a Pool that was forked along: its threads are only in process 90")
    assert "Thread-3 (_handle_results), is only in process 90: fork() copies" in copied.sentence
    assert not any("pickle" in line for line in copied.advice)
    assert other.title.endswith("whose result thread has ended")
