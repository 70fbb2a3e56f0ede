"""Which frames are trio's, anyio's or tornado's own, and what they do."""

import re
from collections.abc import Sequence
from functools import lru_cache

from hangtui.backends.cpython.frames import Frame

_FILE = re.compile(
    r".*/(?:(?:site|dist)-packages|src)/(?P<package>trio|anyio|outcome|tornado)/(?P<file>.*)",
    re.DOTALL,
)
"""Installed, or a working copy of their own repositories: not any folder of that name."""
_UNDERNEATH = ("_core/_traps.py", "_core/_ki.py")
"""Where every wait of trio ends, and what wraps functions: neither tells what the wait is for."""
_WRAPS = ("_run", "run_coro", "wrapper", "_call_func")
"""Functions of anyio's that it puts around what a task is to run."""


def within(frame: Frame, package: str = "trio") -> str:
    """The file that a frame runs, as seen from its package: ``_core/_run.py``; else nothing."""
    its, file = _place(frame.code.filename)
    return file if its == package else ""


def own(frame: Frame) -> bool:
    """Whether a frame is of trio, of what it is made from, of anyio or tornado."""
    return bool(_place(frame.code.filename)[0])


def begun(frames: Sequence[Frame]) -> Frame | None:
    """The frame that a task began with, without those that anyio and trio put around it."""
    for frame in reversed(frames):
        wraps = within(frame, "anyio") and frame.code.bare_name.startswith(_WRAPS)
        if not wraps and within(frame) not in _UNDERNEATH:
            return frame
    return None


def place(frames: Sequence[Frame]) -> str | None:
    """``file:line`` of what trio or anyio was called by; if nothing did, of what was started."""
    called = (frame for frame in frames if not own(frame) and not frame.in_library)
    frame = next(called, None) or begun(frames)
    return frame.place if frame else None


@lru_cache(1024)
def _place(filename: str) -> tuple[str, str]:
    found = _FILE.fullmatch(filename)
    return (found["package"], found["file"]) if found else ("", "")


def runs(frame: Frame, file: str, *functions: str) -> bool:
    """Whether *frame* runs one of these functions of a file of trio's."""
    return within(frame) == file and frame.code.bare_name in functions


def telling(frames: Sequence[Frame]) -> list[Frame]:
    """The frames of a task that tell what it waits for, innermost first."""
    return [frame for frame in frames if within(frame) not in _UNDERNEATH]
