"""Run loops that switch between units of their own, which are not read: greenlets, trio's tasks,
Deferreds. What such a thread waits for tells nothing of what they wait for."""

from collections.abc import Sequence

from hangtui.model import PythonFrame

_RUN_LOOPS = (
    ("/trio/_core/_run.py", "trio", "tasks"),
    ("/curio/kernel.py", "curio", "tasks"),
    ("/gevent/hub.py", "gevent", "greenlets"),
    ("/eventlet/hubs/", "eventlet", "greenlets"),
    ("/twisted/internet/", "Twisted", "Deferreds"),
)


def unread_scheduler(stack: Sequence[PythonFrame]) -> tuple[str, str] | None:
    """Which library runs its loop on this *stack*, and what it switches between; None: none does.

    Of a loop that has called the application the frames of that are there to be read.
    """
    for frame in stack:
        for part, library, units in _RUN_LOOPS:
            if part in frame.filename:
                return library, units
    return None
