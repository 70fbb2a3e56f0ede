"""Python's collector of garbage, kept out of what has none: captures are large, and hold no cycles.

It would walk through all of them again and again: of 4,000 ranks that is a quarter of the time.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def spared() -> Iterator[None]:
    """Look for no garbage meanwhile, and later not among what was made."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collecting:
            gc.enable()
