"""Processes that wait for units of one semaphore of multiprocessing, each for what others have."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import NodeKind, shared_id
from tests.unit.factories import capture, lock, python_frame, stood, thread, waits


@pytest.mark.parametrize("kind", ["Semaphore", "Lock"])
def test_each_of_those_who_wait_for_a_unit_may_have_one(kind: str) -> None:
    lifts = [python_frame("take", 18), python_frame("lift", 45)]
    first, second = thread("MainThread", python=lifts), thread("MainThread", 200, 200, python=lifts)
    hooks = replace(
        lock("Hooks.free", 7, NodeKind.SEMAPHORE),
        id=shared_id(NodeKind.SEMAPHORE, "0x7"),
        sharers=(first.pid, 200),
        name="Hooks.free",
        type_name=f"multiprocessing.{kind}",
    )
    both = [waits(first, hooks), waits(second, hooks)]
    found = findings.run(stood(capture(first, second, resources=[hooks], waits=both)))
    one = next(one for one in found if one.id == "no-process-left-to-wake")

    assert one.title.startswith("No process is left to release Hooks.free")
    told = "MainThread of process 100 and MainThread of process 200 wait for a unit of it each"
    assert (told in one.sentence) is (kind == "Semaphore")
    assert one.advice[0].startswith("Look whether they take a second") is (kind == "Semaphore")
