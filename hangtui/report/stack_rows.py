"""A thread's Python and native stack as two columns of text, innermost first."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from hangtui.analysis.frame_classifier import base_name, module_name, runtime_module
from hangtui.analysis.merge import MergedStack, Row, interpreter_frame, merge
from hangtui.analysis.places import line_of
from hangtui.model import NativeFrame, PythonFrame, Thread
from hangtui.report.drawing import Signs, cut, pad, wrapped

SIDE_BY_SIDE = 80
"""The fewest columns in which two stacks are legible beside each other."""

_INNER_ROWS, _OUTER_ROWS = 100, 20

Cells = tuple[str, str]


def stack_rows(thread: Thread, signs: Signs, width: int) -> list[str]:
    """The rows of both stacks; of one where only one was read."""
    stack = merge(thread)
    pairs = list(_pairs(stack, signs))
    if len(pairs) > _INNER_ROWS + _OUTER_ROWS:
        left_out = len(pairs) - _INNER_ROWS - _OUTER_ROWS
        gap = (f"{signs.more} {left_out} rows left out; --json has all", "")
        pairs = [*pairs[:_INNER_ROWS], gap, *pairs[-_OUTER_ROWS:]]
    note = f"The columns do not belong together: {stack.reason}."
    notes = [] if stack.aligned else wrapped(note, width)
    if not (thread.python_stack and thread.native_stack):
        return [cut(left or right, width, signs.more) for left, right in pairs]
    if width < SIDE_BY_SIDE:
        return [*notes, *_one_below_the_other(pairs, signs, width)]
    return [*notes, *_side_by_side(pairs, signs, width)]


def _pairs(stack: MergedStack, signs: Signs) -> Iterator[Cells]:
    if stack.aligned:
        yield from _folded(stack.rows, signs)
        return
    python = [row for row in stack.rows if row.python]
    native = [row for row in stack.rows if row.native]
    left = [_python(row.python, signs, shared=False) for row in python if row.python]
    right = [cell for _, cell in _folded(native, signs)]
    yield from zip_longest(left, right, fillvalue="")


def _folded(rows: Iterable[Row], signs: Signs) -> Iterator[Cells]:
    """The rows, with each run of interpreter frames as one."""
    run: list[NativeFrame] = []
    number = 0
    for row in rows:
        if row.python is None and row.native is not None and _foldable(row.native, run):
            run.append(row.native)
            number += 1
            continue
        yield from _fold(run, number, signs)
        run = []
        left = _python(row.python, signs, shared=row.shares_eval) if row.python else ""
        right = _native(row.native, number) if row.native else ""
        number += row.native is not None
        yield left, right
    yield from _fold(run, number, signs)


def _foldable(frame: NativeFrame, run: list[NativeFrame]) -> bool:
    # A stripped libc leaves the start of a thread nameless; it follows the interpreter's frames.
    nameless = frame.function is None and runtime_module(frame)
    return interpreter_frame(frame) or (nameless and bool(run))


def _fold(run: list[NativeFrame], number: int, signs: Signs) -> Iterator[Cells]:
    if len(run) == 1:
        yield "", _native(run[0], number - 1)
    elif run:
        yield "", f"{signs.more} {len(run)} interpreter frames"


def _python(frame: PythonFrame, signs: Signs, *, shared: bool) -> str:
    mark = f"{signs.shared} " if shared else ""
    return f"{mark}{line_of(frame)} {frame.function}"


def _native(frame: NativeFrame, number: int) -> str:
    name = base_name(frame) if frame.function else f"{frame.address:#x}"
    source = f" {frame.file.rpartition('/')[2]}:{frame.line}" if frame.file else ""
    where = source or (f" {module_name(frame)}" if frame.module else "")
    # Whose the C library is interests nobody in a list of frames.
    package = f" ({frame.package})" if frame.package and not runtime_module(frame) else ""
    return f"#{number} {name}{where}{package}"


def _side_by_side(pairs: Iterable[Cells], signs: Signs, width: int) -> Iterator[str]:
    left_width = (width - 3) // 2
    right_width = width - 3 - left_width
    for left, right in (("PYTHON, innermost first", "NATIVE"), *pairs):
        row = f"{pad(left, left_width, signs.more)} {signs.column} "
        yield (row + cut(right, right_width, signs.more)).rstrip()


def _one_below_the_other(pairs: list[Cells], signs: Signs, width: int) -> Iterator[str]:
    for title, column in (("PYTHON, innermost first", 0), ("NATIVE", 1)):
        yield title
        for pair in pairs:
            if pair[column]:
                yield f"  {cut(pair[column], width - 2, signs.more)}"
