"""Locks of libraries, of which nothing tells who has one, and others that are past them."""

from collections.abc import Sequence

from hangtui.analysis.places import application_index, package_of
from hangtui.findings.by_the_clock import at_own_work, goes_on, moves
from hangtui.findings.library_waits import call_within
from hangtui.findings.stack_queries import name_of, own_frame
from hangtui.findings.words import Words
from hangtui.model import PythonFrame, Thread

_LOCK = "for a lock in Redis"
_ACQUIRES = "acquire"


def had_by_another(thread: Thread, words: Words) -> bool:
    """Whether it asks a service or a package for a lock, and another thread, of whichever process,
    which is further on in that very function of the program, goes on: that one may well have it,
    and give it back."""
    own = own_frame(thread)
    if own is None or not _asks_for_lock(thread.python_stack or ()):
        return False
    return any(
        any(_is_past(frame, own) for frame in other.python_stack or ())
        and (goes_on(other, words) or moves(other, words) or at_own_work(other, words))
        for other in words.capture.threads()
    )


def _asks_for_lock(stack: Sequence[PythonFrame]) -> bool:
    """In the words of its package, or in a function of one that is called as those of locks are."""
    inside = stack[: application_index(stack)]
    named = any(name_of(frame) == _ACQUIRES and package_of(frame) for frame in inside)
    return named or (call_within(stack) or "").startswith(_LOCK)


def _is_past(frame: PythonFrame, own: PythonFrame) -> bool:
    same = (frame.filename, frame.function) == (own.filename, own.function)
    return same and (frame.line or 0) > (own.line or 0) > 0
