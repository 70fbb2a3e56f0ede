"""Healthy processes, captured again and again while they work: nothing may be claimed."""

from pathlib import Path

import pytest

from hangtui.model import Severity
from tests.integration.capturing import diagnose
from tests.integration.targets import running
from tests.shares import captures

CAPTURES = captures(5)

# A false alarm is one, however rare: no second try.
pytestmark = pytest.mark.flaky(reruns=0)


@pytest.mark.parametrize(
    ("program", "sleeps"),
    [("healthy_http", False), ("healthy_pool", True), ("healthy_queue", False)],
)
def test_nothing_is_wrong(program: str, sleeps: bool, python: Path) -> None:
    with running(program, python, asleep=sleeps) as target:
        for _ in range(CAPTURES):
            found = diagnose(target.pid)
            bad = [f for f in found.findings if f.severity is not Severity.NOTE]
            assert bad == []
            assert found.graph.cycles == ()
