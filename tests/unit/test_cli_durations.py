"""Times as people type them."""

import pytest

from hangtui.cli.durations import seconds
from hangtui.model import UsageError


@pytest.mark.parametrize(
    ("text", "expected"), [("30", 30), ("30s", 30), ("0.5s", 0.5), ("5m", 300), ("1h", 3600)]
)
def test_times(text: str, expected: float) -> None:
    assert seconds(text) == expected


@pytest.mark.parametrize("text", ["", "0", "0s", "-1", "soon", "5d", "1e9", "٣", "9" * 50, "nan"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(UsageError):
        seconds(text)
