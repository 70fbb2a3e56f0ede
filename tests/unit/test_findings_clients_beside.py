"""What others do who have the same manager, or the same semaphore, as who waits."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.manager_clients import left_to_clients, told_clients
from hangtui.findings.rest.owed import _goes_on_elsewhere
from hangtui.findings.words import words_of
from hangtui.findings.written import short_else
from hangtui.model import (
    Child,
    EventLoop,
    Looking,
    LoopState,
    NodeKind,
    Progress,
    Surroundings,
    Syscall,
    Task,
    TaskState,
)
from tests.unit.factories import capture, holds, lock, python_frame, thread, waits

MANAGERS = "/usr/lib/python3.12/multiprocessing/managers.py"


@pytest.mark.parametrize("looks", [False, True])
@pytest.mark.parametrize("kind", [NodeKind.CONDITION, NodeKind.LOCK])
def test_a_client_that_sleeps_between_two_pieces_of_its_work_may_bring_it(
    kind: NodeKind, looks: bool
) -> None:
    """Or give it back, if it is a lock that it has."""
    asks = thread("MainThread", 100, 100, python=[python_frame("unload", 12)])
    serves = thread("MainProcess", 301, 300, python=[python_frame("serve_client", 250, MANAGERS)])
    works = thread(
        "MainThread", 400, 400, python=[python_frame("unload", 15)], syscall=Syscall("nanosleep")
    )
    line = lock("a Unix socket", 3, NodeKind.SOCKET)
    free = lock("Berths.changed", 4, kind, pid=300)
    made = capture(
        *(asks, serves, works),
        resources=[line, free],
        waits=[waits(asks, line, operation="receive"), waits(serves, free)],
        holds=[holds(line, serves), *([holds(free, works)] if kind is NodeKind.LOCK else [])],
    )
    around = Surroundings(children=(Child(300, "python3", "S"), Child(400, "python3", "S")))
    first, manager, other = made.processes
    processes = (
        replace(first, around=around),
        replace(manager, ppid=100),
        replace(other, ppid=100),
    )
    often = Progress(works.id, 5, 3.0, 0.0, 0.1, same_line=True, wakes=30)
    looking = Looking(works.id, endless=True, alters=False)
    made = replace(
        made, processes=processes, progress=(often,), looking=(looking,) if looks else ()
    )
    words = words_of(made, build(made))
    wait = words.graph.wait_of(asks.id)

    assert wait is not None
    assert left_to_clients(asks, wait, [serves], words) is not looks


@pytest.mark.parametrize("sharers", [(100, 200), (100,), (100, 200, 300)])
def test_the_only_other_process_that_has_a_semaphore_is_told(sharers: tuple[int, ...]) -> None:
    writes = thread("MainThread", 100, 100, python=[python_frame("write", 18)])
    reads = thread("MainThread", 200, 200, python=[python_frame("read", 25)])
    third = thread("MainThread", 300, 300, python=[python_frame("run", 3)])
    empty = replace(lock("Ring.empty", 1, NodeKind.SEMAPHORE), sharers=sharers)
    filled = replace(lock("Ring.filled", 2, NodeKind.SEMAPHORE), sharers=sharers)
    made = capture(
        *(writes, reads, third),
        resources=[empty, filled],
        waits=[waits(writes, empty), waits(reads, filled)],
    )
    words = words_of(made, build(made))

    says = (
        "; MainThread of process 200, which has it as well, waits at main.py:25 (read) for "
        "Ring.filled"
    )
    told = short_else(words.graph.wait_of(writes.id), words)
    assert told == (says if len(sharers) == 2 else "")


@pytest.mark.parametrize(("starts", "may"), [("<module>", True), ("_run_server", False)])
def test_whoever_connects_to_a_manager_of_its_own_may_bring_it(starts: str, *, may: bool) -> None:
    asks = thread("take", 101, 100, python=[python_frame("take", 12)])
    serves = thread("MainProcess", 301, 300, python=[python_frame("serve_client", 250, MANAGERS)])
    stack = [python_frame("serve_forever", 170, MANAGERS), python_frame(starts, 9, MANAGERS)]
    main = thread("MainThread", 300, 300, python=stack)
    line = lock("a TCP connection", 3, NodeKind.SOCKET)
    jobs = lock("jobs", 4, NodeKind.QUEUE, pid=300)
    made = capture(
        *(asks, main, serves),
        resources=[line, jobs],
        waits=[waits(asks, line, operation="receive"), waits(serves, jobs)],
        holds=[holds(line, serves)],
    )
    words = words_of(made, build(made))
    wait = words.graph.wait_of(asks.id)

    assert wait is not None
    assert left_to_clients(asks, wait, [serves], words) is may


def test_of_those_that_have_it_who_waits_for_it_as_well_is_left_out() -> None:
    puts = thread("MainThread", 100, 100, python=[python_frame("load", 18)])
    also = thread("MainThread", 300, 300, python=[python_frame("load", 18)])
    takes = thread("MainThread", 200, 200, python=[python_frame("train", 25)])
    batches = replace(lock("batches", 1, NodeKind.SEMAPHORE), sharers=(100, 200, 300))
    saved = lock("saved", 2, NodeKind.EVENT, pid=200)
    made = capture(
        *(puts, takes, also),
        resources=[batches, saved],
        waits=[waits(puts, batches), waits(also, batches), waits(takes, saved)],
    )
    words = words_of(made, build(made))

    assert short_else(words.graph.wait_of(puts.id), words) == (
        "; MainThread of process 200, which has it as well, waits at main.py:25 (train) for saved"
    )


@pytest.mark.parametrize(("file", "ticks"), [("/app/main.py", True), ("/app/beats.py", False)])
def test_who_ticks_beside_the_main_thread_of_who_has_it_may_release_it(
    file: str, *, ticks: bool
) -> None:
    main = thread("MainThread", 100, 100, python=[python_frame("forever", 9, "/app/main.py")])
    grabs = thread(
        "grab",
        101,
        100,
        python=[python_frame("grab", 36, file)],
        syscall=Syscall("clock_nanosleep"),
    )
    reads = thread("MainThread", 200, 200, python=[python_frame("read", 25, "/app/main.py")])
    full = replace(lock("full", 1, NodeKind.SEMAPHORE), sharers=(100, 200))
    made = capture(main, grabs, reads, resources=[full], waits=[waits(reads, full)])
    words = words_of(made, build(made))
    wait = words.graph.wait_of(reads.id)

    assert wait is not None
    assert _goes_on_elsewhere(wait, words) is ticks


def test_of_a_client_that_runs_an_idle_loop_its_task_is_told() -> None:
    asks = thread("MainThread", 100, 100, python=[python_frame("carve", 12)])
    serves = thread("MainProcess", 301, 300, python=[python_frame("serve_client", 250, MANAGERS)])
    select = python_frame("select", 9, "/usr/lib/python3.12/selectors.py")
    runs = thread("MainThread", 400, 400, python=[select, python_frame("run", 49)])
    line = lock("a Unix socket", 3, NodeKind.SOCKET)
    made = capture(
        *(asks, serves, runs),
        resources=[line],
        waits=[waits(asks, line, operation="receive")],
        holds=[holds(line, serves)],
    )
    around = Surroundings(children=(Child(300, "python3", "S"), Child(400, "python3", "S")))
    first, manager, other = made.processes
    order = Task(400, 0x70, "main", "order", TaskState.WAITING, 0x60, 400,
                 (python_frame("order", 26),), "gather")  # fmt: skip
    loop = EventLoop(400, 0x60, "loop", LoopState.IDLE, 400, timers=0, watched=1)
    processes = (
        replace(first, around=around),
        replace(manager, ppid=100),
        replace(other, ppid=100),
    )
    made = replace(made, processes=processes, tasks=(order,), event_loops=(loop,))

    told = told_clients(asks, processes[1], words_of(made, build(made)))
    assert "Other clients of that manager: task order (main) awaits gather at main.py:26" in told
