"""Threads that a library runs for one purpose alone, which nobody else's wait depends on.

Such a loop takes no part in what the application's threads hand to each other: it reads none of
their pipes, and does not end the process. So while all others rest, nothing is to be hoped of it.
"""

from hangtui.backends.cpython.library_loops import BYSTANDERS, runs
from hangtui.backends.cpython.reader import PythonReader


def bystanders(python: PythonReader) -> frozenset[int]:
    """The TIDs of these threads."""
    return frozenset(tid for tid, frames in python.stacks.items() if runs(frames, BYSTANDERS))
