"""Every kind of wait on every CPython: what is awaited, who has it, and how surely it is known.

Two processes of each CPython have all of them, and each is captured once.
script/wait-table makes the table in docs/waits.md of the outcomes.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from hangtui.model import Certainty, NodeKind
from tests.integration.capturing import Captured, Diagnosis
from tests.integration.results import record
from tests.integration.targets import Target


@dataclass(frozen=True)
class Expected:
    """The truth of one scenario."""

    kind: NodeKind
    label: str
    certainty: Certainty | None
    """How the holder is known; None: it cannot be told."""
    since: int = 6
    """The first minor version that has it."""


CERTAIN, PROVEN, INFERRED = Certainty.CERTAIN, Certainty.PROVEN, Certainty.INFERRED
SCENARIOS = {
    "lock_with": Expected(NodeKind.LOCK, "plain_lock", PROVEN),
    "lock_below": Expected(NodeKind.LOCK, "deep_lock", PROVEN),
    "rlock_with": Expected(NodeKind.RLOCK, "owned_lock", CERTAIN),
    "rlock_acquire": Expected(NodeKind.RLOCK, "owned_lock", CERTAIN),
    "condition_with": Expected(NodeKind.LOCK, "Condition._lock", PROVEN),
    "condition_wait": Expected(NodeKind.CONDITION, "changed", None),
    "semaphore_with": Expected(NodeKind.SEMAPHORE, "slots", INFERRED),
    "bounded_semaphore_with": Expected(NodeKind.SEMAPHORE, "slots", PROVEN),
    "event_wait": Expected(NodeKind.EVENT, "started", None),
    "barrier_wait": Expected(NodeKind.BARRIER, "together", None),
    "futures_wait": Expected(NodeKind.FUTURE, "2 futures", None),
    "queue_get": Expected(NodeKind.QUEUE, "jobs", None),
    "queue_put": Expected(NodeKind.QUEUE, "jobs", None),
    "queue_join": Expected(NodeKind.QUEUE, "jobs", None),
    "simple_queue_get": Expected(NodeKind.QUEUE, "jobs", None, since=7),
    "thread_join": Expected(NodeKind.THREAD, "holder", PROVEN),
    "future_running": Expected(NodeKind.FUTURE, "result", PROVEN),
    "future_waited_for": Expected(NodeKind.FUTURE, "result", PROVEN),
    "future_queued": Expected(NodeKind.FUTURE, "result", INFERRED),
    "import_lock": Expected(NodeKind.IMPORT_LOCK, "import lock of module slow_plugin", CERTAIN),
    "multiprocessing_lock": Expected(NodeKind.LOCK, "shared_lock", PROVEN),
    "lock_of_another_process": Expected(NodeKind.LOCK, "shared_lock", PROVEN),
    "rlock_of_another_process": Expected(NodeKind.RLOCK, "shared_lock", CERTAIN),
    "multiprocessing_semaphore": Expected(NodeKind.SEMAPHORE, "slots", None),
    "multiprocessing_queue_put": Expected(NodeKind.SEMAPHORE, "Queue jobs", None),
    "buffered_file": Expected(NodeKind.IO_LOCK, "stream", CERTAIN),
    "contextmanager_with": Expected(NodeKind.LOCK, "plain_lock", PROVEN),
    "contextmanager_try": Expected(NodeKind.LOCK, "plain_lock", INFERRED),
    "exit_stack": Expected(NodeKind.LOCK, "plain_lock", PROVEN),
    "user_class": Expected(NodeKind.LOCK, "Guard.lock", PROVEN),
    "opened_class": Expected(NodeKind.LOCK, "Session.lock", INFERRED),
    "acquire_try": Expected(NodeKind.LOCK, "plain_lock", INFERRED),
    "acquire_plain": Expected(NodeKind.LOCK, "plain_lock", INFERRED),
    "acquire_in_branch": Expected(NodeKind.LOCK, "plain_lock", None),
    "released_in_body": Expected(NodeKind.LOCK, "plain_lock", INFERRED),
}


APART = ("lock_of_another_process", "rlock_of_another_process", "future_queued")
"""What has children, and what is only told of the only pool of its process."""


@pytest.mark.every_python
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_wait_and_its_holder(
    scenario: str, python: Path, python_minor: int, python_version: str, captured: Captured
) -> None:
    expected = SCENARIOS[scenario]
    if python_minor < expected.since:
        pytest.skip(f"CPython 3.{python_minor} does not have it")
    there = [name for name, one in SCENARIOS.items() if python_minor >= one.since]
    apart = scenario in APART
    together = [name for name in there if (name in APART) is apart]
    found, target = captured("scenarios", python, *together, children=apart)
    certainty = _check(found, target, scenario, expected)
    order = list(SCENARIOS).index(scenario)
    record(scenario, expected.kind, python_version, certainty, order)


def _check(found: Diagnosis, target: Target, scenario: str, expected: Expected) -> Certainty | None:
    """Compare the wait with the truth; how the holder is known."""
    wait = found.graph.wait_of(found.thread(f"waiter {scenario}").id)
    assert wait is not None
    node = found.graph.node(wait.target)
    assert node is not None
    assert node.kind is expected.kind
    assert node.label.startswith(expected.label), node.label
    assert wait.evidence.certainty.supports_claim
    assert wait.evidence.where == f"scenarios.py:{target.line(f'# waits {scenario}')}"
    if node.kind is NodeKind.THREAD:
        assert wait.evidence.certainty is expected.certainty
        return wait.evidence.certainty
    holds = found.graph.holders_of(wait.target)
    if expected.certainty is None:
        assert holds == ()
        return None
    (hold,) = holds
    holder = found.graph.node(hold.target)
    assert holder is not None
    assert holder.label.startswith(f"holder {scenario}")
    assert hold.evidence.certainty is expected.certainty, hold.evidence
    marked = [
        n
        for n, line in enumerate(target.source.splitlines(), 1)
        if line.endswith(f"# taken {scenario}")
    ]
    if marked:
        assert hold.evidence.where == f"scenarios.py:{marked[0]}"
    assert found.graph.cycles == ()
    return hold.evidence.certainty
