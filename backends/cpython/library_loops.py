"""Threads that a library runs for one purpose alone, told by the loop that stands on their stack
for as long as they live."""

from collections.abc import Iterable

from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.frames import Frame

BYSTANDERS = (
    ("_serve", "/multiprocessing/resource_sharer.py"),  # hands out descriptors that it is asked for
    ("run", "/tqdm/_monitor.py"),  # draws bars anew
    ("run", "/zmq/utils/garbage.py"),  # lets go of messages that were sent
)
"""Function and file of those that nobody else's wait depends on."""
_RELEASES_NOTHING = (
    *BYSTANDERS,
    ("_feed", "/multiprocessing/queues.py"),  # writes items of a queue into its pipe
    ("run", "/ray/_private/gc_collect_manager.py"),  # collects garbage when it is told to
)
"""And of those that release no lock of the application's."""


def runs(frames: Iterable[Frame], loops: Iterable[tuple[str, str]]) -> bool:
    """Whether one of *loops* is among the frames of a thread."""
    loops = tuple(loops)
    return any(
        frame.code.bare_name == name and frame.code.filename.endswith(file)
        for frame in frames
        for name, file in loops
    )


def releases_nothing(frames: Iterable[Frame]) -> bool:
    """Whether they are of a thread that is in no code of the application, nor comes to any."""
    frames = tuple(frames)
    return runs(frames, _RELEASES_NOTHING) and not any(map(of_application, frames))
