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
