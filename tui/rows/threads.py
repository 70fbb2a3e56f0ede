"""The rows of the thread table."""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import cache, partial

from rich.cells import cell_len
from rich.text import Text

from hangtui.analysis.places import application_index
from hangtui.analysis.states import ThreadState
from hangtui.dataclass import dataclass
from hangtui.model import GilState, Thread, clean
from hangtui.tui.cells import GAP, allot, pad
from hangtui.tui.rows import labels
from hangtui.tui.rows.row import Row
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import DOWN, STATE_STYLES, UP

IDLE = {ThreadState.SLEEP, ThreadState.IO, ThreadState.ZOMBIE}
STATE_WIDTH = 7
LEAST = (STATE_WIDTH, 5, 10, 0, 10, 6, 6)
MOST = (STATE_WIDTH, 10, 40, 6, 90, 80, 60)
MEASURED = 80
"""So many rows, the most interesting ones, tell how wide the columns are."""


class Sort(Enum):
    """The order of the table; the value is the column that shows the mark, None for none."""

    INTEREST = None
    STATE = 0
    TID = 1
    NAME = 2
    SAME = 3

    def next(self) -> "Sort":
        """The one after this."""
        every = list(Sort)
        return every[(every.index(self) + 1) % len(every)]


@dataclass(frozen=True, slots=True)
class TableMode:
    """How the table is shown."""

    sort: Sort = Sort.INTEREST
    inverted: bool = False
    hide_idle: bool = False
    merged: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows, their heading, and how many threads are not shown."""

    rows: Sequence[Row]
    heading: Callable[[int], Text]
    hidden: int


@dataclass(frozen=True, slots=True)
class _Line:
    state: ThreadState
    cells: tuple[str, ...]


def thread_table(
    view: CaptureView, threads: Iterable[Thread], mode: TableMode, *, waiting: str = ""
) -> Table:
    """The table of *threads*, which come by interest; *waiting* is shown where a stack has not
    arrived yet."""
    every = list(threads)
    shown = [t for t in every if not (mode.hide_idle and _idle(view, t))]
    groups = _groups(view, shown) if mode.merged else [[thread] for thread in shown]
    if mode.merged or mode.sort is not Sort.INTEREST:
        groups.sort(key=lambda group: _order(view, group[0], mode.sort), reverse=mode.inverted)
    elif mode.inverted:
        groups.reverse()  # they came by interest
    several = len({thread.pid for thread in every}) > 1
    # Of thousands of lines only those are made that are seen, or searched.
    line = cache(lambda index: _line(view, groups[index], waiting, several=several))
    names = _names(mode)
    wanted = list(_wanted(names, [line(index) for index in range(len(groups[:MEASURED]))]))
    if len(groups) > MEASURED:
        wanted[2] = max(wanted[2], _longest_name(every))
    widths = partial(_widths, tuple(wanted))
    names = tuple(name if want else "" for name, want in zip(names, wanted, strict=True))
    rows = [
        Row(group[0].id, partial(_paint, line, widths, index), partial(_search, line, index))
        for index, group in enumerate(groups)
    ]
    return Table(rows, lambda width: _heading(names, widths(width)), len(every) - len(shown))


def _longest_name(threads: Sequence[Thread]) -> int:
    """Cells for the names; they differ in length more than what else is in a line."""
    longest = max(threads, key=lambda thread: len(thread.name))
    return min(cell_len(clean(longest.name)), MOST[2])


def _wanted(names: Sequence[str], lines: Sequence[_Line]) -> Iterable[int]:
    """The widths that the columns would like; none for one that is empty."""
    for index, name in enumerate(names):
        widest = max((cell_len(line.cells[index]) for line in lines), default=0)
        yield min(max(widest, cell_len(name)), MOST[index]) if widest else 0


def _idle(view: CaptureView, thread: Thread) -> bool:
    """Whether it may be left out: not if the application waits there for somebody's answer."""
    state = view.states[thread.id]
    answers = state is ThreadState.IO and application_index(thread.python_stack or ()) is not None
    return state in IDLE and not answers and not view.graph.held_by(thread.id)


def _groups(view: CaptureView, threads: Sequence[Thread]) -> list[list[Thread]]:
    """Threads with the same state and stack together."""
    groups: dict[object, list[Thread]] = {}
    for thread in threads:
        stack = thread.python_stack or thread.native_stack
        key = (thread.pid, view.states[thread.id], stack) if stack else thread.id
        groups.setdefault(key, []).append(thread)
    return list(groups.values())


def _order(view: CaptureView, thread: Thread, sort: Sort) -> tuple[object, ...]:
    interest = view.interest(thread)
    match sort:
        case Sort.TID:
            return (thread.tid,)
        case Sort.NAME:
            return (clean(thread.name).casefold(), thread.tid)
        case Sort.SAME:
            stay = view.course.stays.get(thread.id)
            return (-stay.rest_s if stay else 0.0, -stay.seconds if stay else 0.0, *interest)
    return interest


def _line(view: CaptureView, group: Sequence[Thread], waiting: str, *, several: bool) -> _Line:
    thread = group[0]
    state = view.states[thread.id]
    wait = view.graph.wait_of(thread.id)
    merged = len(group) > 1
    cells = (
        labels.state_label(state),
        f"{len(group)}×" if merged else str(thread.tid),
        (labels.thread_name(view, thread) if several else clean(thread.name))
        + (" …" if merged else ""),
        labels.unchanged_label(view, thread),
        labels.top_frame(thread) or waiting,
        labels.wait_label(view, wait) if wait else _holds_gil(thread),
        labels.holders_label(view, wait),
    )
    return _Line(state, cells)


def _holds_gil(thread: Thread) -> str:
    """Said of a thread that waits for nothing: all others may be waiting for it."""
    return "(holds GIL)" if thread.gil is GilState.HOLDS else ""


def _names(mode: TableMode) -> tuple[str, ...]:
    names = ["STATE", "TID", "NAME", "SAME", "TOP FRAME", "WAITS FOR", "HELD BY"]
    if mode.sort.value is not None:
        names[mode.sort.value] += UP if mode.inverted else DOWN
    return tuple(names)


def _widths(wanted: tuple[int, ...], total: int) -> list[int]:
    """Widths of the columns in *total* cells; what is left over goes to the last three."""
    widths = allot(wanted, [min(a, b) for a, b in zip(wanted, LEAST, strict=True)], total)
    spare = total - sum(widths) - GAP * (len(widths) - 1)
    for index in (4, 5):
        extra = min(max(spare, 0), 4)
        widths[index] += extra
        spare -= extra
    widths[-1] += max(spare, 0)
    return widths


def _heading(names: Sequence[str], widths: Sequence[int]) -> Text:
    cells = [pad(name, width, right=i == 1) for i, (name, width) in enumerate(_zip(names, widths))]
    return Text((" " * GAP).join(cells))


def _zip(cells: Sequence[str], widths: Sequence[int]) -> Iterable[tuple[str, int]]:
    return zip(cells, widths, strict=True)


def _search(make: Callable[[int], _Line], index: int) -> str:
    return " ".join(make(index).cells)


def _paint(
    make: Callable[[int], _Line], widths: Callable[[int], list[int]], row: int, width: int
) -> list[Text]:
    line = make(row)
    text = Text(no_wrap=True, end="")
    for index, (cell, room) in enumerate(_zip(line.cells, widths(width))):
        style = STATE_STYLES[line.state] if index == 0 else _style(index, cell)
        if index:
            text.append(" " * GAP)
        text.append(pad(cell, room, right=index == 1), style)
    return [text]


def _style(index: int, cell: str) -> str:
    if index in (1, 3):
        return "dim"
    return "italic yellow" if index == 6 and "?" in cell else ""
