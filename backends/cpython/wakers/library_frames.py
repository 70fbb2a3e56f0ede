"""Frames of libraries: those that wait and come back to whoever called them, and those that go on
to call the program."""

from functools import lru_cache

from hangtui.backends.cpython.frames import Frame, library_file
from hangtui.backends.cpython.trio.places import own, within

_PRIMITIVES = (
    *("/threading.py", "/queue.py", "/selectors.py", "/socket.py", "/ssl.py", "/subprocess.py"),
    *("/asyncio/", "/concurrent/futures/", "<frozen"),
)
"""Files of the standard library that wait, and come back to whoever called them."""
_PORTAL, _PORTAL_CALL = "from_thread.py", "_call_func"
"""Where anyio does so: its future is among the variables."""
CALLING = frozenset({"run"})
"""Functions of the standard library that go on to call the program: ``threading.Timer.run``."""
_BEGINNING = frozenset({"_bootstrap_inner", "_worker"})
"""And those that begin what is the program's: a thread, the work of a pool. They refer to it, and
do not come to it any more once they have called it."""


def begins_program(name: str, called: Frame | None) -> bool:
    """Whether a library's frame is about to call the program, and *called* is not that yet."""
    if name not in CALLING and name not in _BEGINNING:
        return False
    return called is None or (is_primitive(called) and called.code.bare_name not in CALLING)


def is_primitive(frame: Frame) -> bool:
    """Whether it runs a library's own code, which waits and comes back to whoever called it."""
    return _file_of_primitives(frame.code.filename) or (own(frame) and not _answers(frame))


def _answers(frame: Frame) -> bool:
    """Whether it runs in anyio what another thread has asked a portal for, and waits for."""
    return frame.code.bare_name == _PORTAL_CALL and within(frame, "anyio") == _PORTAL


@lru_cache(8192)
def _file_of_primitives(name: str) -> bool:
    return library_file(name) and any(part in name for part in _PRIMITIVES)
