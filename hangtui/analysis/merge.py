"""Python frames beside the native frames that run them."""

from collections.abc import Iterable, Iterator

from hangtui.analysis.frame_classifier import eval_frame, interpreter_frame
from hangtui.dataclass import dataclass
from hangtui.model import NativeFrame, PythonFrame, Thread

__all__ = ["MergedStack", "Row", "eval_frame", "interpreter_frame", "merge"]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the two columns."""

    python: PythonFrame | None
    native: NativeFrame | None
    shares_eval: bool
    """This Python frame runs in the same C eval frame as the row above."""


@dataclass(frozen=True, slots=True)
class MergedStack:
    """The rows of both columns, innermost first."""

    rows: tuple[Row, ...]
    aligned: bool
    """False: the rows hold first the Python frames and then the native ones, side by side with
    nothing, because they cannot be told to belong together."""
    reason: str | None
    """Why they are not aligned."""


def merge(thread: Thread) -> MergedStack:
    """Align the two stacks of *thread*; where that cannot be proven, say so instead of guessing.

    CPython runs a Python frame that C code entered in a new C eval frame, and the Python frames
    that it calls in the same one. So the stacks belong together exactly if there are as many eval
    frames as entry frames.
    """
    python = thread.python_stack or ()
    native = thread.native_stack or ()
    reason = _obstacle(python, native, thread.native_complete) if python and native else None
    if reason is not None or not (python and native):
        return MergedStack(tuple(_apart(python, native)), reason is None, reason)
    return MergedStack(tuple(_together(python, native)), aligned=True, reason=None)


def _obstacle(
    python: tuple[PythonFrame, ...], native: tuple[NativeFrame, ...], complete: bool
) -> str | None:
    if any(frame.entry is None for frame in python):
        return "the source of the Python stack does not tell where C code entered Python"
    evals = sum(eval_frame(frame) for frame in native)
    entries = sum(frame.entry is True for frame in python)
    if evals != entries:
        cut = "" if complete else ", and the native stack is cut off"
        return f"{evals} native eval frames for {entries} entries into Python{cut}"
    if python[-1].entry is not True:
        return "the Python stack does not end where C code entered Python"
    return None


def _apart(python: Iterable[PythonFrame], native: Iterable[NativeFrame]) -> Iterator[Row]:
    for python_frame in python:
        yield Row(python_frame, None, shares_eval=False)
    for native_frame in native:
        yield Row(None, native_frame, shares_eval=False)


def _together(python: tuple[PythonFrame, ...], native: tuple[NativeFrame, ...]) -> Iterator[Row]:
    groups = _groups(python)
    for frame in native:
        if not eval_frame(frame):
            yield Row(None, frame, shares_eval=False)
            continue
        first, *others = next(groups)
        yield Row(first, frame, shares_eval=False)
        for other in others:
            yield Row(other, None, shares_eval=True)


def _groups(python: tuple[PythonFrame, ...]) -> Iterator[list[PythonFrame]]:
    """The Python frames of each eval frame, innermost first."""
    group: list[PythonFrame] = []
    for frame in python:
        group.append(frame)
        if frame.entry:
            yield group
            group = []
