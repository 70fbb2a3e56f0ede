"""Random programs: the locks that are proven to be held are exactly those that are.

tests/endurance/random_locks.py runs many more of them.
"""

import pytest

from tests.endurance.random_locks import MODES, compare, possible
from tests.integration.targets import Interpreter, interpreters

FOUND = interpreters()
THREADS = 25


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("interpreter", FOUND, ids=lambda found: found.id)
def test_proven_holds_are_the_truth(interpreter: Interpreter, mode: str) -> None:
    if not possible(interpreter, mode):
        pytest.skip(f"CPython {interpreter.version} has no {mode}")
    result = compare(interpreter, 1000 + FOUND.index(interpreter), THREADS, mode)
    assert result.threads == THREADS
    assert result.held > 0
    assert (result.extra, result.missing, result.lost_waits) == ([], [], [])
