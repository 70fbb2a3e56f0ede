"""Suites that hang in ways which test_pytest_plugin.py has not: the test and the cause are named.

script/check-suites runs all of them, under several versions of Python.
"""

import importlib.util
import sys
from pathlib import Path

import pytest

from tests.endurance.hung_suites import SUITES, HungSuite, run

ELSEWHERE = ("threads", "worker", "teardown", "exit")
"""Those whose like test_pytest_plugin.py runs."""
pytestmark = pytest.mark.processes


@pytest.mark.parametrize(
    "suite", [pytest.param(one, id=one.name) for one in SUITES if one.name not in ELSEWHERE]
)
def test_the_report_names_the_test_and_the_cause(suite: HungSuite, tmp_path: Path) -> None:
    missing = [
        one for one in suite.needs if importlib.util.find_spec(one.replace("-", "_")) is None
    ]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)} (script/check-suites installs it)")
    told = run(suite, Path(sys.executable), tmp_path, after="2s")

    assert told.wrong == [], told.output
