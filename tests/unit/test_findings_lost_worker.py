"""Results of a pool of processes that nobody works on."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    Child,
    Complement,
    CouldWake,
    Finding,
    Nearness,
    NodeKind,
    PythonFrame,
    Severity,
    Surroundings,
    Thread,
    thread_id,
)
from tests.unit.factories import capture, evidence, lock, python_frame, stood, thread, waits

STANDARD = "/usr/lib/python3.12/multiprocessing"
PATHOS = "/srv/venv/lib/python3.12/site-packages/multiprocess"
QUEUE, THREADING = "/usr/lib/python3.12/queue.py", "/usr/lib/python3.12/threading.py"


def pool(
    package: str,
    *,
    inside: tuple[PythonFrame, ...] | None = None,
    threads: tuple[Thread, ...] = (),
) -> Capture:
    """A thread waits for a result; *inside*: what the second worker is in, instead of waiting."""
    file = f"{package}/pool.py"
    result = lock("MapResult._event (threading.Event)", 0x1, NodeKind.EVENT)
    main = thread(
        "MainThread",
        python=[
            python_frame("Event.wait", 5, THREADING),
            python_frame("ApplyResult.wait", 765, file),
            python_frame("ApplyResult.get", 768, file),
            python_frame("Pool.map", 367, file),
            python_frame("fit_all", 17),
        ],
    )
    tasks = thread(
        "Thread-2",
        102,
        python=[python_frame("Queue.get", 5, QUEUE), python_frame("_handle_tasks", 531, file)],
    )
    results = thread(
        "Thread-3",
        103,
        python=[
            python_frame("Connection.recv", 5, f"{package}/connection.py"),
            python_frame("_handle_results", 579, file),
        ],
    )
    idle = (
        python_frame("Connection.recv_bytes", 5, f"{package}/connection.py"),
        python_frame("SimpleQueue.get", 390, f"{package}/queues.py"),
    )
    workers = [
        thread("MainThread", pid, pid, python=[*frames, python_frame("worker", 114, file)])
        for pid, frames in ((200, idle), (201, idle if inside is None else inside))
    ]
    made = capture(
        *(main, tasks, results, *threads, *workers),
        resources=[result],
        waits=[waits(main, result, Certainty.PROVEN)],
    )
    first, *children = made.processes
    return replace(made, processes=(first, *(replace(one, ppid=first.pid) for one in children)))


def told(made: Capture) -> Finding | None:
    return next((one for one in findings.run(made) if one.id == "lost-worker"), None)


@pytest.mark.parametrize("package", [STANDARD, PATHOS])
def test_a_result_that_no_worker_works_on(package: str) -> None:
    made = pool(package)
    once, several = told(made), told(stood(made))

    assert once is not None
    assert several is not None
    assert (once.severity, once.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert (several.severity, several.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert "waits at main.py:17 (fit_all) for the result" in several.sentence


@pytest.mark.parametrize("package", [STANDARD, PATHOS])
def test_a_worker_that_works_will_bring_it(package: str) -> None:
    busy = pool(package, inside=(python_frame("fit_model", 9),))

    assert told(stood(busy)) is None


def test_a_worker_whose_task_takes_from_a_queue_of_its_own_is_at_work() -> None:
    takes = (python_frame("Queue.get", 171, QUEUE), python_frame("fit_model", 9))

    assert told(stood(pool(STANDARD, inside=takes))) is None


def test_a_thread_of_a_thread_pool_may_work_on_it() -> None:
    """Both kinds of pools have the same code, and it is not known whose the result is."""
    file = f"{STANDARD}/pool.py"
    frames = [python_frame("fit_model", 9), python_frame("worker", 125, file)]
    made = pool(STANDARD, threads=(thread("Thread-4 (worker)", 104, python=frames),))

    assert told(stood(made)) is None


def test_who_was_seen_at_rest_for_a_moment_alone_proves_nothing() -> None:
    made = stood(pool(STANDARD))
    moved = replace(
        made,
        progress=tuple(
            replace(one, unchanged_s=0.2) if one.thread == thread_id(201, 201) else one
            for one in made.progress
        ),
    )
    finding = told(moved)

    assert finding is not None
    assert finding.severity is Severity.WARNING


def fed_by_results(*others: Thread, busy: bool = False, more: bool = False) -> Capture:
    """The thread that hands out tasks waits in the program's iterable, which the one that takes
    results is to feed; *more*: so is another one."""
    links = lock("links", 0x2, NodeKind.QUEUE)
    work = (python_frame("fit_model", 9),)
    made = pool(STANDARD, inside=work if busy else None, threads=others)
    first, *children = made.processes
    main, tasks, *rest = first.threads
    frames = [python_frame("Queue.get", 5, QUEUE), python_frame("paths", 13)]
    tasks = replace(tasks, python_stack=(*frames, *(tasks.python_stack or ())[1:]))
    feeding = [main, *(others if more else ())]
    return replace(
        made,
        processes=(replace(first, threads=(main, tasks, *rest)), *children),
        resources=(*made.resources, links),
        waits=(*made.waits, waits(tasks, links, operation="get")),
        could_wake=tuple(
            CouldWake(
                links.id, one.id, Complement.PUT, Nearness.AHEAD, evidence(), "links.put", "a.py:18"
            )
            for one in feeding
        ),
    )


def ring(made: Capture) -> Finding | None:
    return next((one for one in findings.run(made) if one.id == "mutual-wait"), None)


def test_a_pool_whose_next_task_waits_for_what_is_done_with_its_results() -> None:
    found = ring(stood(fed_by_results()))

    assert found is not None
    assert (found.severity, found.certainty) == (Severity.ERROR, Certainty.INFERRED)
    assert found.title.startswith("Deadlock: ")
    assert "waits at main.py:17 (fit_all) for the next result" in found.sentence
    assert "Thread-2, which hands out its tasks, waits" in found.sentence
    assert "main.py:13 (paths)" in found.sentence
    assert "(links.put(), a.py:18), once it has a result" in found.sentence


def test_who_may_still_feed_the_pool_makes_it_a_possible_one() -> None:
    """Another thread, a handler of a signal, or a worker that was seen to rest for a moment."""
    timer = thread("timer", 104, python=[python_frame("tick", 3)])
    made = stood(fed_by_results())
    moved = replace(
        made,
        progress=tuple(
            replace(one, unchanged_s=0.2) if one.thread == thread_id(201, 201) else one
            for one in made.progress
        ),
    )
    for one in (stood(fed_by_results(timer)), stood(fed_by_results(), "SIGTERM"), moved):
        found = ring(one)
        assert found is not None
        assert found.severity is Severity.WARNING
        assert found.title.startswith("Possible deadlock: ")
        assert found.unknown


def in_threads(made: Capture) -> Capture:
    """The same of a ThreadPool: its workers are threads, and its results come through a queue."""
    first, *children = made.processes
    main, tasks, results, *rest = first.threads
    waiting = python_frame("Queue.get", 5, QUEUE)
    fetching = replace(results, python_stack=(waiting, *(results.python_stack or ())[1:]))
    workers = []
    for number, child in enumerate(children):
        stack = child.threads[0].python_stack or ()
        inside = (waiting,) if len(stack) == 3 else stack[:-1]
        frames = [*inside, stack[-1]]
        workers.append(thread(f"worker-{number}", 110 + number, python=frames))
    threads = (main, tasks, fetching, *rest, *workers)
    return replace(made, processes=(replace(first, threads=threads),))


def test_the_same_of_a_pool_of_threads() -> None:
    found = ring(stood(in_threads(fed_by_results())))

    assert found is not None
    assert found.severity is Severity.ERROR
    assert "(links.put(), a.py:18), once it has a result" in found.sentence
    assert ring(stood(in_threads(fed_by_results(busy=True)))) is None


def test_a_pool_that_works_or_that_somebody_else_feeds_goes_on() -> None:
    timer = thread("timer", 104, python=[python_frame("tick", 3)])

    assert ring(stood(fed_by_results(busy=True))) is None
    assert ring(stood(fed_by_results(timer, more=True))) is None
    assert ring(stood(fed_by_results(timer))) is not None


@pytest.mark.parametrize(("replaced", "left"), [(False, False), (True, False), (False, True)])
def test_a_pool_without_workers_and_without_who_starts_them(replaced: bool, left: bool) -> None:
    file = f"{STANDARD}/pool.py"
    frames = [python_frame("wait", 5, f"{STANDARD}/connection.py")]
    frames.append(python_frame("_handle_workers", 516, file))
    starts = (thread("Thread-1", 104, python=frames),) if replaced else ()
    made = stood(pool(STANDARD, threads=starts))
    children = (
        Child(300, "python", "S", syscall="read", helper="resource_tracker"),
        *((Child(301, "python", "S", syscall="read"),) if left else ()),
    )
    alone = replace(made.processes[0], around=Surroundings(children=children))
    found = told(replace(made, processes=(alone,)))

    if replaced:
        assert found is None
    else:
        assert found is not None
        assert found.title.endswith("nor who could start one") is not left
        assert found.severity is (Severity.WARNING if left else Severity.ERROR)
