"""Which frames of a stack are the application's own, and what lies below them."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile

from hangtui.backends.cpython.frames import Frame, installed_file, library_file

_GENERATED = re.compile(r"<(?!ipython-input|stdin|string|script|console|dynamic-code).*", re.DOTALL)
"""Code that a library wrote for itself, which has no file."""


def of_application(frame: Frame) -> bool:
    """Whether a frame is neither of the standard library nor of an installed package."""
    return file_of_application(frame.code.filename)


@lru_cache(8192)
def file_of_application(name: str) -> bool:
    """Whether a file is neither of the standard library nor of an installed package."""
    return not (library_file(name) or installed_file(name) or _GENERATED.match(name))


def application_frame(frames: Iterable[Frame]) -> Frame | None:
    """The first of *frames* that is the application's."""
    return next(filter(of_application, frames), None)


def application_place(frames: Iterable[Frame]) -> str | None:
    """``file:line`` of the first of *frames* that is the application's."""
    own = application_frame(frames)
    return own.place if own else None


def before_application(frames: Iterable[Frame]) -> tuple[Frame, ...]:
    """The *frames* before the first one that is the application's."""
    return tuple(takewhile(lambda frame: not of_application(frame), frames))
