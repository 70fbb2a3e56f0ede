"""Who descends from a process and runs Python, found among real processes."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from hangtui.backends.process.descendants import python_descendants

PROGRAM = "import os; print(os.getpid(), flush=True); input()"
MOST = 16


@pytest.fixture
def behind_shells() -> Iterator[tuple[int, int]]:
    """A shell, and the Python process that a shell which it started waits for."""
    inner = f'"{sys.executable}" -c "{PROGRAM}"; true'
    command = ["sh", "-c", f"sh -c '{inner}'; true"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as shell:
        assert shell.stdout
        yield shell.pid, int(shell.stdout.readline())
        shell.communicate("\n")


def test_those_behind_other_programs_are_found(behind_shells: tuple[int, int]) -> None:
    shell, program = behind_shells
    assert python_descendants([shell], (), MOST) == (program,)
    assert python_descendants([program], (), MOST) == (program,)


def test_the_near_ones_come_first_and_are_the_ones_told(behind_shells: tuple[int, int]) -> None:
    shell, program = behind_shells
    near = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert python_descendants([shell, near.pid], (), MOST) == (near.pid, program)
        assert python_descendants([shell, near.pid], (), 1) == (near.pid,)
    finally:
        near.communicate(b"\n")


def test_those_that_are_known_and_ours_are_left_out(behind_shells: tuple[int, int]) -> None:
    shell, program = behind_shells
    assert python_descendants([shell, os.getpid()], {program}, MOST) == ()
    assert python_descendants([shell], {shell}, MOST) == ()


def test_who_has_ended_is_none() -> None:
    ended = subprocess.Popen([sys.executable, "-c", "pass"])
    ended.wait()
    assert python_descendants([ended.pid], (), MOST) == ()
