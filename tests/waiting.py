"""Waiting for what real processes will do: for a condition, never for a time."""

import time
from collections.abc import Callable
from typing import TypeVar

LIMIT_S = 60.0
"""Far more than anything takes on a machine that has other things to do as well."""

_T = TypeVar("_T")


def until(
    condition: Callable[[], _T | None], missing: Callable[[], object] = lambda: "it never came true"
) -> _T:
    """The first true answer of *condition*; *missing* tells what is there if none comes."""
    deadline = time.monotonic() + LIMIT_S
    while not (answer := condition()):
        assert time.monotonic() < deadline, missing()
        time.sleep(0.005)
    return answer
