"""Signals that a command takes into its own hands for a while."""

import signal
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def handled(
    numbers: Collection[signal.Signals], handler: Callable[[int, FrameType | None], object]
) -> Iterator[None]:
    """Have *handler* called for signals; afterwards they do again what they did."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)
