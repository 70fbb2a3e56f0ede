"""Where somebody took a lock, with the function that has it."""

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.resources import taken_at
from tests.unit.factories import capture, holds, lock, python_frame, thread

FETCH = python_frame("Agent.fetch_card", 37)
INTRODUCE = python_frame("Agent.introduce", 47)
RUN = python_frame("run_agent", 60)


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("main.py:45", " (taken at main.py:45, in Agent.introduce)"),
        ("main.py:36", " (taken at main.py:36)"),
        ("main.py:70", " (taken at main.py:70)"),
        ("other.py:45", " (taken at other.py:45)"),
        (None, ""),
    ],
    ids=["an outer one", "the innermost", "a line past all", "another file", "not known"],
)
def test_the_function_is_told_unless_it_is_the_innermost(where: str | None, told: str) -> None:
    main = thread("MainThread", 100, python=[FETCH, INTRODUCE, RUN])
    one = lock("Agent.lock", 0xA)
    made = capture(main, resources=[one], holds=[holds(one, main, where=where)])
    (hold,) = build(made).holders_of(one.id)

    assert taken_at(hold, main.python_stack or ()) == told
