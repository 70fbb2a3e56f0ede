"""How the evidence of a finding is painted."""

import pytest

from hangtui.tui.cells import wrap
from hangtui.tui.rows.findings import _with_certainty
from hangtui.tui.theme import CERTAINTY_STYLES


@pytest.mark.parametrize("width", [200, 40, 24])
@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("the word of the mutex names its owner (certain, futex)", ["certain"]),
        ("an uncertain thread has a lock named certain (inferred, py-spy)", ["inferred"]),
        ("thread (proven, cpython) waits for a lock named unknown", []),
        ("none of these waits has a timeout: certain", []),
    ],
)
def test_certainty_is_marked_where_it_is_told_and_in_no_name(
    text: str, marked: list[str], width: int
) -> None:
    lines = _with_certainty(text, wrap(text, width, "   1  "))

    spans = [
        (line.plain[span.start : span.end], str(span.style))
        for line in lines
        for span in line.spans
    ]
    styles = {certainty.value: style for certainty, style in CERTAINTY_STYLES.items()}
    assert spans == [(word, styles[word]) for word in marked]
