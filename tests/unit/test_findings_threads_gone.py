"""Threads that have ended and left no name are counted, where the interpreter numbers them."""

from dataclasses import replace

import pytest

from hangtui.findings.ended import told_any_gone
from hangtui.model import PythonInfo, Surroundings
from tests.unit.factories import capture, python_frame, thread


@pytest.mark.parametrize(
    ("ever", "names", "forked_from", "told"),
    [
        (2, (), None, " 1 thread that ran Python in it has ended, or does so no more."),
        (3, (), None, " 2 threads that ran Python in it have ended, or do so no more."),
        (3, ("house",), None, " Threads of it that have ended: house."),
        (1, (), None, ""),
        (None, (), None, ""),
        (2, (), 50, ""),
    ],
)
def test_how_many_have_ended(
    ever: int | None, names: tuple[str, ...], forked_from: int | None, told: str
) -> None:
    process = capture(thread("MainThread", python=[python_frame("read", 27)])).processes[0]
    python = PythonInfo("3.12.1", threads_ever=ever, ended=names)
    around = Surroundings(forked_from=forked_from)

    assert told_any_gone(replace(process, python=python, around=around), "it") == told
