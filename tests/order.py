"""In which order the tests run that several workers share: what takes long comes first.

pytest-xdist gives each worker as many tests as the others, one after another in this order, and
who is done takes over half of what the busiest one has left, from its end. So each worker gets
its part of the modules that wait for real processes or draw screens, one whole module after
another; then containers, whose images are built meanwhile; and last its part of the many short
tests, which even out at the end of the run what the others took.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest

_HERE = Path(__file__).parent
_CONTAINERS = str(_HERE / "container")
_UNIT = str(_HERE / "unit")


def in_order(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """All *items*, so that each of *workers* consecutive parts begins with its long ones."""
    long: dict[str, list[pytest.Item]] = {}
    short = []
    for item in items:
        folder = str(item.path.parent)
        if folder == _CONTAINERS:
            long.setdefault(_CONTAINERS, []).append(item)  # who has one container uses it for all
        elif folder.startswith(_UNIT) and not _waits_or_computes(item):
            short.append(item)
        else:
            long.setdefault(str(item.path), []).append(item)
    stacks: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for _, module in sorted(long.items(), key=lambda one: (one[0] == _CONTAINERS, -len(one[1]))):
        min(stacks, key=len).extend(module)
    result, left = [], list(items)
    for number, stack in enumerate(stacks):
        size = max(len(stack), len(left) // (workers - number))
        result += stack
        room = size - len(stack)
        result += short[:room]
        del short[:room], left[:size]
    return result + short


def _waits_or_computes(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) is not None for name in ("processes", "slow"))
