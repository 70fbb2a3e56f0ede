"""A small dose of tests/endurance/foreign.py."""

import time
from pathlib import Path

import pytest

from tests.endurance import foreign
from tests.shares import rounds

COUNTS = {"capture": 25, "raw": 25, "log": 15, "core": 2, "record": 20, "dpkg": 20, "answer": 150}


@pytest.mark.parametrize("kind", foreign.KINDS)
def test_what_strangers_make_up_is_read_or_refused(kind: str, tmp_path: Path) -> None:
    tally = foreign.run(
        range(1, rounds(COUNTS[kind]) + 1), [kind], time.monotonic() + 100, tmp_path
    )

    assert tally.failures == []
    assert tally.outcomes.total() > 0
