"""From which Queue of multiprocessing the program takes an item, as it calls that."""

from collections.abc import Sequence
from itertools import pairwise

from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.names import Names
from hangtui.backends.memory.damage import MemoryReadError

_FILES = ("/multiprocessing/queues.py", "/multiprocess/queues.py")
_GET = "get"
_INNERMOST = 8
"""Frames among which that call is looked for."""


def taken_queue(stack: Sequence[Frame], frames: Frames, names: Names) -> str | None:
    """``Depot.answers``, of a thread whose application has called its ``get()``; None: it has not,
    or no name is found. Never raises."""
    for frame, caller in pairwise(stack[:_INNERMOST]):
        if frame.code.bare_name == _GET and frame.code.filename.endswith(_FILES):
            if not of_application(caller):
                return None
            try:
                owner = frames.variables(frame).get("self", 0)
                return names.of(owner, stack) if owner else None
            except MemoryReadError:
                return None
    return None
