"""The rows of a thread's two stacks, side by side."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from rich.text import Text

from hangtui.analysis.frame_classifier import eval_frame, runtime_module
from hangtui.analysis.merge import MergedStack, interpreter_frame, merge
from hangtui.analysis.merge import Row as MergedRow
from hangtui.dataclass import dataclass
from hangtui.model import NativeFrame, PythonFrame, Task, TaskState, Thread, clean
from hangtui.tui.cells import cut, cut_left, pad
from hangtui.tui.rows import labels
from hangtui.tui.rows.row import Row
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import CURRENT, DIVIDER, EVAL, SHARES

PLACE = 16
"""Cells for ``file.py:123``; a longer one pushes its function to the right."""


@dataclass(frozen=True, slots=True)
class StackMode:
    """How stacks are shown."""

    fold: bool = True
    outermost_first: bool = False
    brief: bool = False
    """Where space is short: fold also what the C runtime and Python's own modules do between."""


@dataclass(frozen=True, slots=True)
class Frames:
    """What one row of a stack stands for."""

    python: PythonFrame | None = None
    native: NativeFrame | None = None
    number: int = 0
    """The native frame's, 0 for the innermost."""
    shares_eval: bool = False
    folded: int = 0
    """How many native frames this row stands for."""
    current: bool = False
    """The innermost Python frame."""
    note: str = ""
    """A remark in the native column."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Rows, their heading, and the frames by row key."""

    rows: Sequence[Row]
    heading: Callable[[int], Text]
    frames: dict[str, Frames]
    reason: str | None
    """Why the two sides are not aligned."""
    folded: int


def stack_of(unit: Thread | Task, mode: StackMode, missing: tuple[str, str] = ("", "")) -> Stack:
    """The stacks of *unit*; *missing* says why the one or the other side is not there."""
    merged = merge(unit) if isinstance(unit, Thread) else _suspended(unit)
    frames = list(_joined(merged) if merged.aligned else _side_by_side(merged))
    every = len(frames)
    if mode.fold:
        frames = list(_folded(frames, brief=mode.brief))
    if mode.brief:
        frames = _trimmed(frames)
    if mode.outermost_first:
        frames.reverse()
    by_key = {f"{index}": item for index, item in enumerate(frames)}
    rows = [Row(key, partial(_paint, item), _search(item)) for key, item in by_key.items()]
    heading = partial(_heading, mode, missing)
    return Stack(rows, heading, by_key, merged.reason, every - len(frames))


def _suspended(task: Task) -> MergedStack:
    """Of a task only what it awaits: its thread's native stack is not its own."""
    rows = tuple(MergedRow(frame, None, shares_eval=False) for frame in task.python_stack or ())
    return MergedStack(rows, aligned=True, reason=None)


def fix_of(view: CaptureView, unit: Thread | Task) -> str:
    """What would have its stacks read; empty: that is not known."""
    fixes = (one.fix for one in view.notices if one.fix and one.pid in (None, unit.pid))
    return clean(next(fixes, "")) if unit.python_stack is None else ""


def missing_sides(unit: Thread | Task, *, pending: bool) -> tuple[str, str]:
    """Why somebody has no Python or no native stack; empty where it has one."""
    if isinstance(unit, Task):
        none = (
            ""
            if unit.python_stack
            else "no Python frames"
            if unit.python_stack == ()
            else "not read"
        )
        return none, "none while it waits" if unit.state is TaskState.WAITING else "its thread's"
    thread = unit
    later = "reading …" if pending else ""
    python = native = ""
    if thread.python_stack is None:
        python = later or ("no Python thread" if thread.is_python is False else "not read")
    elif not thread.python_stack:
        python = "no Python frames"
    if thread.native_stack is None:
        native = later or "not read"
    elif not thread.native_stack:
        native = "no native frames"
    return python, native


def _joined(merged: MergedStack) -> Iterator[Frames]:
    """Aligned rows: what stands side by side belongs together."""
    number = -1
    first = True
    for index, row in enumerate(merged.rows):
        number += row.native is not None
        note = _sharing(merged.rows, index) if row.shares_eval else ""
        current = first and row.python is not None
        first = first and row.python is None
        yield Frames(row.python, row.native, number, row.shares_eval, current=current, note=note)


def _sharing(rows: Sequence[MergedRow], index: int) -> str:
    """On the first row that shares a C frame: how many do."""
    if rows[index - 1].shares_eval:
        return ""
    count = 1
    for row in rows[index:]:
        if not row.shares_eval:
            break
        count += 1
    return f"{count} Python frames in one C frame"


def _side_by_side(merged: MergedStack) -> Iterator[Frames]:
    """Rows that are not aligned: both stacks from the top, next to each other."""
    python = [row.python for row in merged.rows if row.python is not None]
    native = [row.native for row in merged.rows if row.native is not None]
    for index in range(max(len(python), len(native))):
        yield Frames(
            python[index] if index < len(python) else None,
            native[index] if index < len(native) else None,
            number=index,
            current=index == 0 and bool(python),
        )


def _folded(frames: Sequence[Frames], *, brief: bool) -> Iterator[Frames]:
    """With runs of interpreter frames that have no Python frame beside them as one row."""
    run: list[Frames] = []
    named = False
    for item in [*frames, None]:
        if item is not None and _foldable(item, named=named, brief=brief):
            run.append(item)
            continue
        if len(run) == 1:
            yield run[0]
        elif run:
            yield Frames(native=run[0].native, number=run[0].number, folded=len(run))
        run = []
        if item is not None:
            named = named or item.python is not None or bool(item.native and item.native.function)
            yield item


def _trimmed(frames: list[Frames]) -> list[Frames]:
    """Without what the C runtime and the interpreter do before the first and behind the last frame
    of Python: where that waits, the rows of Python say."""
    python = [index for index, item in enumerate(frames) if item.python is not None]
    if not python:
        return frames
    first, last = python[0], python[-1]
    kept = (
        item for index, item in enumerate(frames) if first <= index <= last or not _of_runtime(item)
    )
    return list(kept)


def _of_runtime(item: Frames) -> bool:
    return bool(item.folded) or item.native is None or runtime_module(item.native)


def _foldable(item: Frames, *, named: bool, brief: bool) -> bool:
    """Whether a reader can do without: also frames of the C runtime that have no name, but not
    the innermost ones, where the thread waits."""
    frame = item.native
    if item.python is not None or frame is None:
        return False
    needless = (brief or frame.function is None) and runtime_module(frame)
    return interpreter_frame(frame) or (named and needless)


def frame_texts(unit: Thread | Task) -> Iterator[str]:
    """What a search of the frames of *unit* looks at."""
    for frame in unit.python_stack or ():
        yield _search(Frames(python=frame))
    for native in (unit.native_stack or ()) if isinstance(unit, Thread) else ():
        yield _search(Frames(native=native))


def _search(item: Frames) -> str:
    python = f"{item.python.filename} {item.python.function}" if item.python else ""
    native = f"{item.native.function} {item.native.module}" if item.native else ""
    return f"{python} {native}"


def column_widths(width: int) -> tuple[int, int]:
    """Cells of the Python and the native column, around the divider."""
    python = max((width - 3) * 9 // 20, 1)
    return python, max(width - 3 - python, 1)


def _heading(mode: StackMode, missing: tuple[str, str], width: int) -> Text:
    left, right = column_widths(width)
    order = "outermost first" if mode.outermost_first else "innermost first"
    python = f"PYTHON · {missing[0] or order}"
    native = f"NATIVE · {missing[1]}" if missing[1] else "NATIVE"
    return Text(f"{pad(python, left)} {DIVIDER} {pad(native, right)}")


def _paint(item: Frames, width: int) -> list[Text]:
    left, right = column_widths(width)
    line = Text(no_wrap=True, end="")
    line.append_text(_python_cell(item, left))
    line.append(f" {DIVIDER} ", "dim")
    line.append_text(_native_cell(item, right))
    return [line]


def _python_cell(item: Frames, width: int) -> Text:
    frame = item.python
    if frame is None:
        return Text(" " * width)
    sign = CURRENT if item.current else SHARES if item.shares_eval else " "
    where = labels.place(frame)
    room = max(width - 2, 0)
    least = min(len(clean(frame.function)), room // 2)
    where = cut_left(where, max(room - least - 1, room // 3))
    text = Text.assemble(
        (f"{sign} ", "bold" if item.current else "dim"),
        (pad(where, max(len(where), min(PLACE, room // 2))), "bold" if item.current else ""),
        " ",
        (clean(frame.function), "bold" if item.current else ""),
    )
    return _fitted(text, width)


def _native_cell(item: Frames, width: int) -> Text:
    frame = item.native
    if item.folded:
        return Text(pad(f"    +{item.folded} interpreter frames folded (z)", width), "dim")
    if frame is None:
        return Text(pad(f"    {item.note}" if item.note else "", width), "dim")
    number = pad(f"#{item.number}", 3) + " "
    where = cut(labels.native_place(frame), max(width // 3, 8))
    mark = f" {EVAL}" if eval_frame(frame) and item.python is not None else ""
    room = max(width - len(number) - len(where) - 1, 1)
    name = pad(cut(labels.native_name(frame), max(room - len(mark), 1)) + mark, room)
    return _fitted(Text.assemble((number, "dim"), name, " ", (where, "dim")), width)


def _fitted(text: Text, width: int) -> Text:
    text.truncate(width, overflow="ellipsis", pad=True)
    return text
