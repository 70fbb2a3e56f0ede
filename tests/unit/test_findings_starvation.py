"""Pools of threads all of which wait for results of their own pool."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    Child,
    NodeKind,
    Progress,
    Severity,
    Surroundings,
    Thread,
)
from tests.unit.factories import capture, holds, lock, python_frame, stood, thread, waits

DASK = "/venv/lib/python3.12/site-packages/distributed/"


def worker(number: int, *, waits: bool = True, tid: int | None = None) -> Thread:
    """A thread of a Dask worker inside of a task, which waits for another one."""
    frames = [
        python_frame("sync.<locals>.wait", 441, f"{DASK}utils.py"),
        *([python_frame("Future.result", 431, f"{DASK}client.py")] if waits else []),
        python_frame("step", 21),
        python_frame("_worker", 60, f"{DASK}threadpoolexecutor.py"),
    ]
    name = f"Dask-Default-Threads-77-{number}"
    return thread(name, tid or 101 + number, still=False, python=frames)


def idle(number: int) -> Thread:
    frames = [python_frame("_worker", 50, f"{DASK}threadpoolexecutor.py")]
    return thread(f"Dask-Default-Threads-77-{number}", 101 + number, python=frames)


def seen(*workers: Thread, lasted_s: float = 2.0, same_stack: bool = True) -> Capture:
    made = capture(thread("MainThread", python=[python_frame("run", 25)]), *workers)
    progress = (Progress(one.id, 5, lasted_s, 0.0, 0.0, same_stack=same_stack) for one in workers)
    return replace(made, progress=tuple(progress))


def ids(made: Capture) -> set[str]:
    return {one.id for one in findings.run(made)}


def test_the_only_thread_waits_for_what_is_queued_behind() -> None:
    found = findings.run(seen(worker(0)))
    finding = next(one for one in found if one.id == "pool-starvation")

    assert finding.severity is Severity.WARNING
    assert "waits in Future.result() at main.py:21 (step)" in finding.sentence


def test_one_thread_that_is_free_or_a_short_wait_is_enough_to_be_silent() -> None:
    for made in (
        seen(worker(0), idle(1)),
        seen(worker(0), worker(1, waits=False)),
        seen(worker(0), lasted_s=0.5),
        seen(worker(0), same_stack=False),
    ):
        assert "pool-starvation" not in ids(made)


def woken(wakes: int | None, *, same_stack: bool = True, returned: bool = False) -> Capture:
    """Seen in three looks, since when it was given a processor that often, last a moment ago."""
    (one,) = seen(worker(0)).progress
    progress = replace(one, looks=3, lasted_s=1.5, unchanged_s=0.2, wakes=wakes)
    progress = replace(progress, same_stack=same_stack, returned=returned)
    return replace(seen(worker(0)), progress=(progress,))


def test_a_wait_that_the_clock_ends_and_that_begins_anew_is_one_wait() -> None:
    assert "pool-starvation" in ids(woken(1))
    assert "pool-starvation" in ids(woken(5))  # it waited for the GIL, too
    for made in (woken(40), woken(None), woken(1, returned=True), woken(1, same_stack=False)):
        assert "pool-starvation" not in ids(made)


def of_pebble(number: int, *, task: bool = True) -> Thread:
    """A thread of pebble's pool: inside of a task that waits for another one, or without any."""
    inside = [
        python_frame("Condition.wait", 355, "/usr/lib/python3.12/threading.py"),
        python_frame("Future.result", 451, "/usr/lib/python3.12/concurrent/futures/_base.py"),
        python_frame("build_album", 17),
    ]
    frames = [
        *(inside if task else []),
        python_frame(
            "worker_thread", 194, "/venv/lib/python3.12/site-packages/pebble/pool/thread.py"
        ),
    ]
    return thread(f"Thread-{number} (worker_thread)", 101 + number, still=False, python=frames)


def test_threads_of_pebble_wait_for_futures() -> None:
    found = findings.run(seen(of_pebble(0), of_pebble(1)))
    finding = next(one for one in found if one.id == "pool-starvation")

    assert "All 2 threads of the ThreadPool of pebble" in finding.sentence
    assert "at main.py:17 (build_album)" in finding.sentence
    assert "pool-starvation" not in ids(seen(of_pebble(0), of_pebble(1, task=False)))


def hands_out(number: int, *, waits: bool = True) -> Thread:
    """The thread of a multiprocessing pool that calls back: it waits there, or for results."""
    pool = "/usr/lib/python3.12/multiprocessing/pool.py"
    inside = [
        python_frame("ApplyResult.wait", 768, pool),
        python_frame("ApplyResult.get", 771, pool),
        python_frame("Pool.apply", 360, pool),
        python_frame("on_page", 17),
        python_frame("ApplyResult._set", 776, pool),
    ]
    frames = [*(inside if waits else []), python_frame("Pool._handle_results", 579, pool)]
    return thread(f"Thread-{number} (_handle_results)", 101 + number, still=False, python=frames)


def test_a_callback_waits_for_what_only_its_own_thread_hands_out() -> None:
    found = findings.run(seen(hands_out(3)))
    finding = next(one for one in found if one.id == "pool-starvation")

    assert finding.title == (
        "Pool stuck: the only thread that hands out results waits in ApplyResult.wait(), in a "
        "callback, for another result"
    )
    assert finding.sentence == (
        "The only thread of the Pool (Thread-3 (_handle_results)) waits in ApplyResult.wait() at "
        "main.py:17 (on_page) in a callback. The result that it waits for is handed out by nobody "
        "else."
    )
    assert "pool-starvation" not in ids(seen(hands_out(3), hands_out(6, waits=False)))


def of_pebbles_processes(tid: int) -> Thread:
    """The thread of pebble's ProcessPool that hands out results, in a callback."""
    frames = [
        python_frame("Future.result", 451, "/usr/lib/python3.12/concurrent/futures/_base.py"),
        python_frame("tinted", 29),
        python_frame("Future.set_result", 550, "/usr/lib/python3.12/concurrent/futures/_base.py"),
        python_frame(
            "message_manager_loop", 218, "/venv/lib/python3.12/site-packages/pebble/pool/process.py"
        ),
    ]
    return thread(f"Thread-{tid} (message_manager_loop)", 100 + tid, python=frames)


def test_a_callback_of_pebbles_process_pool_that_waits_for_another_result() -> None:
    found = findings.run(seen(of_pebbles_processes(3)))
    finding = next(one for one in found if one.id == "pool-starvation")

    assert finding.title == (
        "Pool stuck: the only thread that hands out results waits in Future.result(), in a "
        "callback, for another result"
    )


def test_a_callback_may_wait_for_a_result_of_another_pool() -> None:
    hands, copies = of_pebbles_processes(3), thread("copies_0", 109)
    result = lock("Copy.done", 0x9, NodeKind.FUTURE)
    made = capture(
        *(thread("MainThread", python=[python_frame("run", 25)]), hands, copies),
        resources=[result],
        waits=[waits(hands, result)],
        holds=[holds(result, copies)],
    )
    held = replace(made, progress=(Progress(hands.id, 5, 2.0, 2.0, 0.0, same_stack=True),))

    assert "pool-starvation" not in ids(held)
    assert "pool-starvation" in ids(replace(held, holds=()))


def of_celery(*, task: bool = True) -> Capture:
    """The main thread of a worker takes a task and calls it, or waits for one."""
    celery = "/venv/lib/python3.12/site-packages/celery"
    inside = [
        python_frame("SyncBackendMixin.wait_for", 1152, f"{celery}/backends/base.py"),
        python_frame("AsyncResult.get", 261, f"{celery}/result.py"),
        python_frame("invoice", 14),
    ]
    loop = python_frame("synloop", 213, f"{celery}/worker/loops.py")
    main = thread("MainThread", still=False, python=[*(inside if task else []), loop])
    made = capture(main)
    return replace(made, progress=(Progress(main.id, 5, 2.0, 0.0, 0.0, same_stack=True),))


def test_a_task_waits_for_another_one_above_the_loop_that_takes_tasks() -> None:
    finding = next(one for one in findings.run(of_celery()) if one.id == "pool-starvation")

    assert finding.title == (
        "Celery worker stuck: the thread that takes its tasks waits in AsyncResult.get() at "
        "main.py:14 (invoice), inside one"
    )
    assert "is further out on the same stack" in finding.sentence
    assert "whether another worker takes tasks" in " ".join(finding.unknown)
    assert "pool-starvation" not in ids(of_celery(task=False))


def prefork(*tasks: bool, living: int) -> Capture:
    """A worker of Celery with processes of its own, and whether each is inside of a task."""
    site = "/venv/lib/python3.12/site-packages"
    loop = python_frame("Worker.workloop", 357, f"{site}/billiard/pool.py")
    inside = [
        python_frame("AsyncResult.get", 261, f"{site}/celery/result.py"),
        python_frame("album", 11),
    ]
    takes = [python_frame("_SimpleQueue.get_payload", 360, f"{site}/billiard/queues.py")]
    parent = thread("MainThread", python=[python_frame("run", 25)])
    workers = [
        thread("MainThread", pid, pid=pid, still=False, python=[*(inside if one else takes), loop])
        for pid, one in enumerate(tasks, 7)
    ]
    made = capture(parent, *workers)
    children = tuple(Child(pid, "celery", "S") for pid in range(7, 7 + living))
    first, *others = made.processes
    around = replace(first, around=Surroundings(children=children))
    below = (replace(one, ppid=first.pid) for one in others)
    progress = (Progress(one.id, 5, 2.0, 0.0, 0.0, same_stack=True, wakes=4) for one in workers)
    return replace(made, processes=(around, *below), progress=tuple(progress))


def test_all_processes_of_a_worker_wait_for_tasks_of_others() -> None:
    found = findings.run(prefork(True, True, living=2))
    finding = next(one for one in found if one.id == "pool-starvation")

    assert finding.title == (
        "Celery worker stuck: all 2 processes of its pool wait in AsyncResult.get() at "
        "main.py:11 (album), inside a task, for the result of another one"
    )
    assert "queued for the same processes" in finding.sentence
    assert "pool-starvation" not in ids(prefork(True, False, living=2))
    assert "pool-starvation" not in ids(prefork(True, True, living=3))


def of_futures(
    *others: Thread, text: str = "the owner word", sure: Certainty = Certainty.INFERRED
) -> Capture:
    """The only worker of an executor waits for a task that no thread runs."""
    result = python_frame("Future.result", 451, "/usr/lib/python3.12/concurrent/futures/_base.py")
    run = python_frame("_worker", 90, "/usr/lib/python3.12/concurrent/futures/thread.py")
    main = thread("MainThread", python=[result, python_frame("build", 9)])
    only = thread("ThreadPoolExecutor-0_0", 101, python=[result, python_frame("fetch", 21), run])
    outer, inner = (lock(name, n, NodeKind.FUTURE) for n, name in enumerate(("outer", "inner"), 1))
    return capture(
        main,
        only,
        *others,
        resources=[outer, inner],
        waits=[waits(main, outer), waits(only, inner)],
        holds=[holds(outer, only), holds(inner, only, sure, text=text)],
    )


def starved(made: Capture) -> Severity:
    found = findings.run(made)
    return next(one.severity for one in found if one.id == "executor-starvation")


@pytest.mark.parametrize("known", [True, False])
def test_a_starved_executor_is_an_error_where_its_queue_and_all_its_workers_are_known(
    known: bool,
) -> None:
    ticks = thread("ticker", 102, still=False)
    text = "the task is in the queue of the pool whose worker this is"
    text += ", and all workers that it may have are known" if known else ""
    sure = Certainty.PROVEN if known else Certainty.INFERRED
    made = of_futures(ticks, text=text, sure=sure)
    assert starved(made) is (Severity.ERROR if known else Severity.WARNING)


def test_a_starved_executor_is_an_error_where_nobody_else_is_left() -> None:
    assert starved(stood(of_futures())) is Severity.ERROR
    for made in (
        of_futures(),  # one look
        stood(of_futures(), seconds=0.2),
        stood(of_futures(), "SIGUSR1"),  # its handler may cancel it
        stood(of_futures(thread("timer", 102, python=[python_frame("tick", 3)]))),
    ):
        assert starved(made) is Severity.WARNING


@pytest.mark.parametrize("seconds", [5.0, 0.2])
def test_workers_of_futurist_that_wait_with_a_timeout_are_a_warning_once_they_stay(
    seconds: float,
) -> None:
    made = of_futures()
    main, worker = made.threads()
    inner, outer = (worker.python_stack or ())[:2]
    run = python_frame("ThreadWorker.run", 124, "/venv/lib/site-packages/futurist/_thread.py")
    worker = replace(worker, name="Thread-1", python_stack=(inner, outer, run))
    process = replace(made.processes[0], threads=(main, worker))
    timed = tuple(replace(one, expires=True) for one in made.waits)
    made = stood(replace(made, processes=(process,), waits=timed), seconds=seconds)
    found = [one for one in findings.run(made) if one.id == "executor-starvation"]

    assert [one.severity for one in found] == ([Severity.WARNING] if seconds > 1 else [])
    assert all("only worker of futurist's ThreadPoolExecutor" in one.title for one in found)
    assert all("before its timeout" in one.sentence for one in found)


def held_up(*others: Thread, reader: bool = False, queued: bool = True) -> Capture:
    """Both workers of an executor wait at FIFOs; the main thread awaits a task behind these."""
    result = python_frame("Future.result", 451, "/usr/lib/python3.12/concurrent/futures/_base.py")
    run = python_frame("_worker", 90, "/usr/lib/python3.12/concurrent/futures/thread.py")
    main = thread("MainThread", python=[result, python_frame("build", 9)])
    both = [
        thread(f"fifo_{n}", 101 + n, python=[python_frame("read_all", 21), run]) for n in range(2)
    ]
    fifos = [lock(f"FIFO {name}", n, NodeKind.PIPE) for n, name in enumerate(("north", "south"), 1)]
    behind = lock("behind", 3, NodeKind.FUTURE)
    return capture(
        main,
        *both,
        *others,
        resources=[*fifos, behind],
        waits=[waits(main, behind), *(waits(*pair) for pair in zip(both, fifos, strict=True))],
        holds=[
            *(holds(behind, one) for one in (both if queued else both[:1])),
            *([holds(fifos[0], main)] if reader else []),
        ],
    )


def test_workers_that_wait_for_anything_hold_up_what_is_queued_behind() -> None:
    found = findings.run(stood(held_up()))
    (finding,) = (one for one in found if one.id == "executor-starvation")

    assert finding.severity is Severity.WARNING
    assert finding.title == (
        "Thread pool starved: all 2 workers of fifo wait, and 1 task queued behind, awaited by "
        "MainThread at main.py:9 (build), cannot begin"
    )
    assert "fifo_0 waits at main.py:21 (read_all)" in finding.sentence


def test_nothing_is_held_up_where_somebody_may_end_the_wait_or_has_begun_the_task() -> None:
    for made in (
        held_up(),  # one look
        stood(held_up(), seconds=0.2),
        stood(held_up(reader=True)),
        stood(held_up(queued=False)),
        stood(held_up(thread("timer", 105, python=[python_frame("tick", 3)]))),
    ):
        assert "executor-starvation" not in ids(made)
