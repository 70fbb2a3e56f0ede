"""A kernel that does not count how often threads run: no wait is proven, and that is said."""

import sys
from pathlib import Path

import pytest

from hangtui.analysis.coverage import overlooked
from hangtui.backends.doctor import checks
from hangtui.backends.process import processes
from hangtui.backends.procfs.schedule import Schedule
from tests.integration.capturing import diagnose
from tests.integration.targets import running

REASON = "this kernel does not count how often they are given a processor"


def test_it_is_no_all_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    with running("abba", Path(sys.executable)) as target:
        assert "deadlock" in {one.id for one in diagnose(target.pid).findings}
        assert checks.glance(target.pid).works

        monkeypatch.setattr(processes, "schedule_of", lambda _task: Schedule())

        found = diagnose(target.pid)
        assert "deadlock" not in {one.id for one in found.findings}
        (gap,) = overlooked(found.capture)[target.pid]
        assert (gap.what, gap.reason) == ("whether its threads stand still", REASON)
        doctor = checks.glance(target.pid)
        assert not doctor.works
        assert REASON in doctor.reason
