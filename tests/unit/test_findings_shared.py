"""Semaphores of multiprocessing that no other process shares any more."""

from dataclasses import replace

from hangtui import findings
from hangtui.model import (
    Capture,
    Child,
    NodeKind,
    NoHolder,
    Resource,
    Severity,
    Surroundings,
    Thread,
    shared_id,
)
from tests.unit.factories import PID, capture, lock, python_frame, thread, waits

NODE = shared_id(NodeKind.SEMAPHORE, "0x1")


def joining(*more: Thread, no_holder: NoHolder | None = NoHolder.ALONE) -> Capture:
    """Somebody joins a queue whose worker has ended, beside the queue's own thread."""
    main = thread("MainThread", python=[python_frame("scale_all", 22)])
    feeder = thread("QueueFeederThread", 101, python=[python_frame("_feed")])
    name = "Condition._wait_semaphore"
    shared = Resource(NODE, NodeKind.SEMAPHORE, name, PID, 1, name=name, no_holder=no_holder)
    condition = lock("threading.Condition at 0x2", 0x2, NodeKind.CONDITION)
    made = capture(
        main,
        feeder,
        *more,
        resources=[shared, condition],
        waits=[waits(main, shared), waits(feeder, condition)],
    )
    around = Surroundings(children=(Child(200, "python3", "Z"),))
    return replace(made, processes=(replace(made.processes[0], around=around),))


def ids(made: Capture) -> set[str]:
    return {one.id for one in findings.run(made)}


def test_nobody_shares_it_and_all_others_rest() -> None:
    (finding,) = (one for one in findings.run(joining()) if one.id == "shared-by-nobody")

    assert finding.severity is Severity.WARNING
    assert finding.sentence == (
        "MainThread waits at main.py:22 (scale_all) for Condition._wait_semaphore, which another "
        "process should release. No other process shares it any more, so none can. Its child "
        "process 200 (python3) has ended."
    )


def test_where_another_process_shares_it_or_a_thread_is_awake_it_is_not_told() -> None:
    assert "shared-by-nobody" not in ids(joining(no_holder=None))
    assert "shared-by-nobody" not in ids(joining(thread("busy", 102, state="R", still=False)))
    assert "shared-by-nobody" not in ids(joining(thread("reader", 102)))


def at_a_barrier(*, second_still: bool = True, sharers: tuple[int, ...] = (PID, 200)) -> Capture:
    """Two processes at a barrier of three parties, and a third one that has ended."""
    synchronize = "/usr/lib/python3.12/multiprocessing/synchronize.py"
    stack = [
        python_frame("Condition.wait", 268, synchronize),
        python_frame("Condition.wait_for", 320, synchronize),
        python_frame("Barrier._wait", 758, "/usr/lib/python3.12/threading.py"),
        python_frame("Barrier.wait", 723, "/usr/lib/python3.12/threading.py"),
        python_frame("exchange", 9),
    ]
    main = thread("MainThread", python=stack)
    second = thread("MainThread", 200, 200, still=second_still, python=stack)
    name = "Condition._wait_semaphore"
    shared = Resource(NODE, NodeKind.SEMAPHORE, name, PID, 1, name=name, sharers=sharers)
    return capture(
        main, second, resources=[shared], waits=[waits(main, shared), waits(second, shared)]
    )


def test_all_processes_that_share_a_barrier_wait_at_it() -> None:
    (finding,) = (
        one for one in findings.run(at_a_barrier()) if one.id == "no-process-left-to-wake"
    )

    assert finding.severity is Severity.WARNING
    assert finding.title == (
        "No process is left to join at a multiprocessing Barrier: MainThread of process 100 waits "
        "at main.py:9 (exchange)"
    )
    assert "at a multiprocessing Barrier, where 2 parties wait," in finding.sentence


def test_a_process_at_the_barrier_that_may_go_on_or_is_not_looked_at_is_one_that_is_left() -> None:
    assert "no-process-left-to-wake" not in ids(at_a_barrier(second_still=False))
    assert "no-process-left-to-wake" not in ids(at_a_barrier(sharers=(PID, 200, 300)))
    assert "no-process-left-to-wake" not in ids(at_a_barrier(sharers=()))
