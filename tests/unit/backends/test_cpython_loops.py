"""Which loops of asyncio are in none of their callbacks."""

from types import SimpleNamespace
from typing import Any

import pytest

from hangtui.backends.cpython.aio.loops import _completes


def frame(*names: str) -> Any:
    return SimpleNamespace(code=SimpleNamespace(names=names))


@pytest.mark.parametrize(
    ("frames", "idle"),
    [
        ((frame("loop", "run_until_complete"), frame("serve")), True),
        ((frame("sleep"), frame("loop", "run_until_complete")), False),
        # The inner one may be a callback that stands elsewhere.
        ((frame("run_until_complete"), frame("run_until_complete")), False),
    ],
)
def test_who_called_a_loop_in_c_is_in_no_callback(frames: tuple[Any, ...], *, idle: bool) -> None:
    assert _completes(frames) is idle
