"""Locks of libraries, of which nothing tells who has one, and others that are past them."""

from hangtui.findings.by_the_clock import at_own_work, goes_on, moves
from hangtui.findings.library_waits import call_within
from hangtui.findings.stack_queries import own_frame
from hangtui.findings.words import Words
from hangtui.model import PythonFrame, Thread

_LOCK = "for a lock in Redis"


def had_by_another(thread: Thread, words: Words) -> bool:
    """Whether it asks a service for a lock, and another thread, of whichever process, which is
    further on in that very function of the program, goes on: that one may well have it, and give
    it back."""
    own = own_frame(thread)
    asks = (call_within(thread.python_stack or ()) or "").startswith(_LOCK)
    if own is None or not asks:
        return False
    return any(
        any(_is_past(frame, own) for frame in other.python_stack or ())
        and (goes_on(other, words) or moves(other, words) or at_own_work(other, words))
        for other in words.capture.threads()
    )


def _is_past(frame: PythonFrame, own: PythonFrame) -> bool:
    same = (frame.filename, frame.function) == (own.filename, own.function)
    return same and (frame.line or 0) > (own.line or 0) > 0
