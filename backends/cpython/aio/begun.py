"""Which frames of a task, or of its loop's thread, are what was called for the program."""

from collections.abc import Sequence
from itertools import takewhile

from hangtui.backends.cpython.aio.coroutines import Chain, runs
from hangtui.backends.cpython.application import application_frame
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.trio.places import begun, own


def called_by_loop(frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """The frames of what a loop has called, of those on its thread's stack."""
    own = tuple(takewhile(lambda frame: not runs(frame, "_run", "/asyncio/events.py"), frames))
    return own if len(own) < len(frames) else ()


def begun_by(chain: Chain, frames: Sequence[Frame]) -> Frame | None:
    """What a task runs for the program if compiled code of a library began it: the outermost frame
    that is the application's, or else a function that is not made for one call; None: what its
    first frame says."""
    if frames and own(frames[-1]):
        return begun(frames)
    if not chain.compiled:
        return None
    outermost = frames[::-1]
    named = (frame for frame in outermost if "<locals>" not in frame.code.function)
    return application_frame(outermost) or next(named, None)
