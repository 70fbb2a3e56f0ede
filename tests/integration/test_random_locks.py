"""Random programs: the locks that are proven to be held are exactly those that are.

tests/endurance/random_locks.py runs many more of them.
"""

import pytest

from tests.endurance.random_locks import MODES, compare, possible
from tests.integration.targets import interpreters

FOUND = interpreters()
THREADS = 25


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("index", range(len(FOUND)), ids=[found.id for found in FOUND])
def test_proven_holds_are_the_truth(index: int, mode: str) -> None:
    interpreter = FOUND[index]
    if not possible(interpreter, mode):
        pytest.skip(f"CPython {interpreter.version} has no {mode}")
    result = compare(interpreter, 1000 + index, THREADS, mode)
    assert result.threads == THREADS
    assert result.held > 0
    assert (result.extra, result.missing, result.lost_waits) == ([], [], [])
