"""Run loops that switch between units of their own: greenlets, trio's tasks, Deferreds. Where those
are not read, what such a thread waits for tells nothing of what they wait for."""

from collections.abc import Sequence

from hangtui.model import Capture, PythonFrame, Thread

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


def unread_on(
    thread: Thread, capture: Capture, stack: Sequence[PythonFrame] | None = None
) -> tuple[str, str] | None:
    """The same of a thread, unless the loop that it runs was read. *stack*: the part of its frames
    that counts."""
    found = unread_scheduler((thread.python_stack or ()) if stack is None else stack)
    own = [one for one in capture.event_loops if one.pid == thread.pid]
    if not any(_for_a_guest(frame) for frame in thread.python_stack or ()):
        own = [one for one in own if one.tid == thread.tid]
    return None if found is None or any(one.library == found[0] for one in own) else found


def _for_a_guest(frame: PythonFrame) -> bool:
    """Whether a thread waits for the events of a runner of trio whose tasks another one runs."""
    return frame.function.endswith("get_events") and "/trio/_core/_run.py" in frame.filename
