"""A child that has ended and that no handler has reaped, told where nobody is left to wake."""

from dataclasses import replace

import pytest

from hangtui.findings.wakeups.nobody_left_words import unreaped
from hangtui.model import Child, Surroundings
from tests.unit.factories import process


@pytest.mark.parametrize(
    ("handled", "state", "told"),
    [(("SIGCHLD",), "Z", True), (("SIGTERM",), "Z", False), (("SIGCHLD",), "S", False)],
    ids=["not reaped", "no handler", "it lives"],
)
def test_a_child_is_told_that_the_handler_has_not_reaped(
    handled: tuple[str, ...], state: str, told: bool
) -> None:
    around = Surroundings(children=(Child(7, "dog", state),), handles_signals=handled)
    text = unreaped(replace(process(100), around=around))
    if told:
        assert "process 7 (dog)" in text
        assert "Nobody has reaped it: the handler for SIGCHLD" in text
    else:
        assert text == ""
