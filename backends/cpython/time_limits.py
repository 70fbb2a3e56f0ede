"""Whether a library that asks again and again was told when to give up, by its variables' names."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.looking.items import PLAIN_KINDS, Item, of_object
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

_NAMES = frozenset({"timeout", "deadline"})
_NEVER = float("inf")


def unlimited(stack: Iterable[Frame], frames: Frames, objects: Objects) -> bool:
    """Whether these functions, or what their variables refer to, have a timeout or a deadline which
    is none: None, less than zero, or infinite, as all libraries take it; what the standard library
    is told is the time of one turn."""
    found: list[Item] = []
    with suppress(MemoryReadError):
        own = (frame for frame in stack if not frame.in_library)
        found = [item for frame in own for item in _limits(frame, frames, objects)]
    return bool(found) and all(_is_none(item) for item in found)


def _limits(frame: Frame, frames: Frames, objects: Objects) -> Iterator[Item]:
    for name, value in frames.variables(frame).items():
        kind = objects.kind(value)
        if kind in PLAIN_KINDS:
            if name in _NAMES:
                yield of_object(value, objects)
            continue
        for attribute, given in objects.attributes(value).items():
            if attribute in _NAMES and objects.kind(given) in PLAIN_KINDS:
                yield of_object(given, objects)


def _is_none(limit: Item) -> bool:
    value = limit.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return limit.known and value is None
    return value < 0 or value == _NEVER
