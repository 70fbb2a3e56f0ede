"""Locks of libraries, and another thread that is past the line at which one asks for them."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.outside.had_by_others import had_by_another
from hangtui.findings.words import words_of
from hangtui.model import PythonFrame, Sleep, Syscall
from tests.unit.factories import PID, capture, python_frame, thread

REDIS = python_frame("Lock.acquire", 218, "/venv/lib/python3.12/site-packages/redis/lock.py")
DISK = python_frame("acquire", 102, "/venv/lib/python3.9/site-packages/diskcache/recipes.py")
GETS = python_frame("get", 102, "/venv/lib/python3.9/site-packages/diskcache/core.py")


@pytest.mark.parametrize(("frame", "had"), [(DISK, True), (GETS, False)])
def test_it_asks_in_a_function_of_a_package_that_acquires(frame: PythonFrame, *, had: bool) -> None:
    asks = thread("job-0", 101, python=[frame, python_frame("job", 97)])
    nap = Syscall("clock_nanosleep", sleep=Sleep(9.0, 9.0))
    other = replace(thread("job-1", 202, python=[python_frame("job", 98)]), syscall=nap)
    made = capture(asks, other)
    assert had_by_another(asks, words_of(made, build(made))) is had


@pytest.mark.parametrize("pid", [PID, 200])
@pytest.mark.parametrize(
    ("function", "line", "left_s", "had"),
    [
        ("job", 98, 9.0, True),
        ("job", 98, 90.0, False),
        ("job", 96, 9.0, False),
        ("a", 98, 9.0, False),
    ],
)
def test_another_one_that_is_further_on_may_have_it(
    function: str, line: int, left_s: float, pid: int, *, had: bool
) -> None:
    asks = thread("job-0", 101, python=[REDIS, python_frame("job", 97)])
    nap = Syscall("clock_nanosleep", sleep=Sleep(left_s, left_s))
    other = replace(thread("job-1", 202, pid, python=[python_frame(function, line)]), syscall=nap)
    made = capture(asks, other)
    assert had_by_another(asks, words_of(made, build(made))) is had
