"""Threads of libraries that wake up by the clock to look after others, and have nothing to do as
long as none of these does anything.

What is known of each was read in its library's source: it starts workers in place of those that
have ended, or waits to be told to stop, and ends nobody's wait for a result, a lock or an item.
"""

from hangtui.analysis.places import application_index
from hangtui.findings.stack_queries import name_of
from hangtui.model import Thread

_HOUSEKEEPERS = (
    ("/multiprocessing/managers.py", "serve_forever"),  # until somebody sets its stop_event
    ("/multiprocessing/pool.py", "_handle_workers"),  # with a sleep, up to CPython 3.7
    ("/parsl/utils.py", "_wake_up_timer"),  # jobs outside of the process
    ("/pebble/pool/thread.py", "pool_manager_loop"),
)
"""The end of a file's name, and its function in which such a thread spends its life."""


def keeps_house(thread: Thread) -> bool:
    """Whether it is such a thread, between two turns."""
    stack = thread.python_stack or ()
    if application_index(stack) is not None and thread.tid != thread.pid:
        return False
    return any(
        name_of(frame) == function and frame.filename.endswith(file)
        for frame in stack
        for file, function in _HOUSEKEEPERS
    )
