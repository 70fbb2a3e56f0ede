"""Waiting for what real processes will do: for a condition, never for a time."""

import asyncio
import os
import time
from collections.abc import Callable
from typing import TypeVar

LIMIT_S = 60.0 * float(os.environ.get("HANGTUI_TEST_PATIENCE", "1"))
"""Far more than anything takes on a machine that has other things to do as well; an emulated one
asks for more patience."""

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


async def until_async(condition: Callable[[], object]) -> None:
    """As ``until``, while the loop goes on.

    Raises:
        TimeoutError: it never came true.
    """
    async with asyncio.timeout(LIMIT_S):
        while not condition():  # noqa: ASYNC110  nothing tells when a process has changed
            await asyncio.sleep(0.005)


def comes_true(condition: Callable[[], bool], limit_s: float, every_s: float) -> bool:
    """Whether *condition* holds within so many seconds; asked every so many."""
    deadline = time.monotonic() + limit_s
    while not (holds := condition()) and time.monotonic() < deadline:
        time.sleep(every_s)
    return holds
