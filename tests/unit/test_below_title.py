"""A sentence below its title does not say the same again."""

import pytest

from hangtui.model import Certainty, Finding, Severity
from hangtui.report.below_title import below_title


@pytest.mark.parametrize(
    ("sentence", "rest"),
    [
        ("main waits for a.py. Nobody holds it.", "Nobody holds it."),
        ("main waits for a.py.", ""),
        ("main waits at 7 for a.py. Nobody holds it.",) * 2,
        ("main waits for a.py.in. Nobody holds it.",) * 2,
    ],
)
def test_what_the_title_says_is_not_said_again(sentence: str, rest: str) -> None:
    made = Finding("x", Severity.NOTE, Certainty.CERTAIN, "main waits for a.py", sentence, ())
    assert below_title(made) == rest
