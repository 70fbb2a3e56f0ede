"""The stacks of all captured threads as one: equal ones together, and a tree of what they share."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from hangtui.analysis.frame_classifier import eval_frame, foreign_frame, module_name, short_name
from hangtui.analysis.places import library_frame, line_of
from hangtui.dataclass import dataclass
from hangtui.model import Capture, NativeFrame, PythonFrame, Thread

_DEEPEST = 200
"""A tree of more levels says nothing to a reader, and a runaway recursion has thousands."""


class Call(NamedTuple):
    """One frame, as far as two threads can have it in common; a named tuple, because thousands of
    stacks of them are compared."""

    function: str
    place: str
    """``file.py:88`` of a Python frame, the module of a native one."""
    native: bool = False
    library: bool = False
    """A step on the way to somebody's code: the standard library's."""


@dataclass(frozen=True, slots=True)
class StackClass:
    """Threads with the same stack."""

    calls: tuple[Call, ...]
    """Outermost first; empty: nothing was read of these threads."""
    threads: tuple[Thread, ...]

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that have such a thread."""
        return tuple(sorted({thread.pid for thread in self.threads}))


@dataclass(frozen=True, slots=True)
class CallNode:
    """A frame that all *threads* went through, and where they went from there."""

    id: str
    """The frame's path from the root, so that it stays the same from capture to capture."""
    call: Call
    threads: tuple[Thread, ...]
    children: tuple["CallNode", ...]
    """Fewest threads first: the odd one is what a reader looks for."""
    ends: int
    """How many of *threads* are in this frame itself."""


def stack_classes(threads: Iterable[Thread]) -> tuple[StackClass, ...]:
    """Threads by their stacks, the rarest stack first."""
    groups: dict[tuple[Call, ...], list[Thread]] = {}
    for thread in threads:
        groups.setdefault(calls_of(thread), []).append(thread)
    classes = [StackClass(calls, tuple(members)) for calls, members in groups.items()]
    return tuple(sorted(classes, key=lambda one: (len(one.threads), not one.calls)))


def merged_tree(
    classes: Sequence[StackClass], *, libraries: bool = True, depth: int | None = None
) -> tuple[CallNode, ...]:
    """The classes as a tree of calls.

    *libraries* False leaves the standard library's frames out, *depth* cuts after so many calls.
    """
    most = _DEEPEST if depth is None else min(depth, _DEEPEST)
    paths = [(_path(one.calls, libraries=libraries)[:most], one.threads) for one in classes]
    return tuple(_nodes([pair for pair in paths if pair[0]], 0, ""))


def merged_stacks(capture: Capture) -> tuple[StackClass, ...]:
    """The classes of all threads of *capture*."""
    return stack_classes(capture.threads())


def calls_of(thread: Thread) -> tuple[Call, ...]:
    """A thread's stack, outermost first: its Python frames, then the extension that they called;
    for a thread without Python frames, what is neither the interpreter's nor libc's."""
    python = [_python(frame) for frame in thread.python_stack or ()]
    native = [_native(frame) for frame in _foreign(thread)]
    if not python and not native and thread.native_stack:
        native = [_native(frame) for frame in thread.native_stack if frame.function]
    return tuple(reversed([*native, *python]))


def _foreign(thread: Thread) -> Iterator[NativeFrame]:
    """The named frames of extensions, innermost first, up to the Python code that called them."""
    for frame in thread.native_stack or ():
        if thread.python_stack and eval_frame(frame):
            return
        if foreign_frame(frame) and frame.function:
            yield frame


def _python(frame: PythonFrame) -> Call:
    return _call(frame.function, frame.filename, frame.line)


@lru_cache(4096)
def _call(function: str, filename: str, line: int | None) -> Call:
    frame = PythonFrame(function, filename, line)
    return Call(function, line_of(frame), library=library_frame(frame))


def _native(frame: NativeFrame) -> Call:
    return Call(short_name(frame), module_name(frame), native=True)


def _path(calls: tuple[Call, ...], *, libraries: bool) -> tuple[Call, ...]:
    """*calls*, without the library's where there are others."""
    own = tuple(call for call in calls if not call.library)
    return calls if libraries or not own else own


def _nodes(
    paths: Sequence[tuple[tuple[Call, ...], tuple[Thread, ...]]], level: int, prefix: str
) -> Iterator[CallNode]:
    groups: dict[Call, list[tuple[tuple[Call, ...], tuple[Thread, ...]]]] = {}
    for path, threads in paths:
        if level < len(path):
            groups.setdefault(path[level], []).append((path, threads))
    found = []
    for call, inside in groups.items():
        node_id = f"{prefix}/{call.place} {call.function}"
        threads = tuple(thread for _, members in inside for thread in members)
        ends = sum(len(members) for path, members in inside if len(path) == level + 1)
        children = tuple(_nodes(inside, level + 1, node_id))
        found.append(CallNode(node_id, call, threads, children, ends))
    yield from sorted(found, key=lambda node: len(node.threads))
