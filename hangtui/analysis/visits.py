"""On which lines, and in which functions of C, a thread was seen by several captures."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hangtui.analysis.frame_classifier import short_name
from hangtui.analysis.places import (
    function_of,
    innermost_foreign,
    library_frame,
    line_and_function,
    native_name,
    program_frame,
)
from hangtui.model import PythonFrame, Thread, Visit

_MAX_VISITS = 10
Stack = tuple[PythonFrame, ...]


def visits(stacks: Mapping[Stack | None, int]) -> Iterator[Visit]:
    places: Counter[tuple[str, str]] = Counter()
    for stack, looks in stacks.items():
        if place := _place(stack or ()):
            places[place] += looks
    for found, count in places.most_common(_MAX_VISITS):
        yield Visit(found[0], found[1], count)


def natives(threads: Iterable[Thread]) -> Iterator[Visit]:
    ran = (thread for thread in threads if thread.native_sampled)
    places = Counter(
        (native_name(frame), short_name(frame))
        for frame in map(innermost_foreign, ran)
        if frame is not None
    )
    for found, count in places.most_common(_MAX_VISITS):
        yield Visit(found[0], found[1], count)


def _place(stack: Stack) -> tuple[str, str] | None:
    """The innermost line of the program itself, else of the library."""
    frame = program_frame(stack) or (stack[0] if stack else None)
    return (line_and_function(frame), frame.function) if frame else None


def common(stacks: Sequence[tuple[PythonFrame, ...]]) -> list[str]:
    """The functions at the outer ends that all stacks share, outermost first."""
    shared = []
    for frames in zip(*(reversed(stack) for stack in stacks), strict=False):
        if len({(frame.function, frame.filename) for frame in frames}) > 1:
            break
        if not library_frame(frames[0]):
            shared.append(function_of(frames[0]))
    return shared
