"""Threads that a library runs for one purpose alone, which nobody else's wait depends on.

Such a loop takes no part in what the application's threads hand to each other: it reads none of
their pipes, and does not end the process. So while all others rest, nothing is to be hoped of it.
"""

from hangtui.backends.cpython.reader import PythonReader

_LOOPS = (
    ("_serve", "/multiprocessing/resource_sharer.py"),  # hands out descriptors that it is asked for
    ("run", "/tqdm/_monitor.py"),  # draws bars anew
    ("run", "/zmq/utils/garbage.py"),  # lets go of messages that were sent
)
"""Function and file of each, as it stands on the stack for as long as the thread lives."""


def bystanders(python: PythonReader) -> frozenset[int]:
    """The TIDs of these threads."""
    return frozenset(
        tid
        for tid, frames in python.stacks.items()
        if any(
            frame.code.bare_name == name and frame.code.filename.endswith(file)
            for frame in frames
            for name, file in _LOOPS
        )
    )
