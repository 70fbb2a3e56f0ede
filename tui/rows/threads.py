"""The table of threads, of the tasks that they run and of the processes that they wait for."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from functools import cache, partial
from itertools import islice

from rich.text import Text

from hangtui.analysis.places import application_index
from hangtui.analysis.states import ThreadState
from hangtui.dataclass import dataclass
from hangtui.findings.roles import beside
from hangtui.model import Finding, Thread, clean
from hangtui.tui.cells import GAP, pad
from hangtui.tui.rows import labels
from hangtui.tui.rows.columns import Column, layout, wanted_by
from hangtui.tui.rows.folding import Entry, folded
from hangtui.tui.rows.row import Row, text_row
from hangtui.tui.rows.thread_line import COLUMNS, LineMaker, number
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import (
    DOWN,
    HEADING,
    UP,
)
from hangtui.tui.units import Group, Placed, Unit

IDLE = {ThreadState.SLEEP, ThreadState.IO, ThreadState.ZOMBIE}
MEASURED = 80
"""So many rows, the most interesting ones, tell how wide the columns are."""


class Sort(Enum):
    """The order of the table; the value is the column that shows the mark, None for none."""

    INTEREST = None
    STATE = 1
    TID = 2
    NAME = 3
    SINCE = 7

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
    unfolded: bool = False
    """One row for each, also for those that are alike."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows, their heading, and how many units are not shown."""

    rows: Sequence[Row]
    every: Sequence[Row]
    """One for each unit, which a filter looks at."""
    heading: Callable[[int], Text]
    count: int
    hidden: int
    standing_for: dict[str, str]
    """The key of the row that stands for a unit, where that is not its own."""


def thread_table(
    view: CaptureView,
    groups: Sequence[Group],
    mode: TableMode,
    *,
    worst: Finding | None = None,
    waiting: str = "",
    remarks: Sequence[str] = (),
) -> Table:
    """The table of the units of *groups*. *worst*: the finding that marks those that it speaks of;
    *waiting* is shown where a stack has not arrived yet, *remarks* above all."""
    every = [one for group in groups for one in group.placed]
    entries = list(_entries(view, groups, mode, fold=not mode.unfolded))
    each = list(_entries(view, groups, mode, fold=False))
    names = [labels.unit_name(view, one.unit) for one in islice(every, MEASURED)
             if not isinstance(one.unit, Thread) or one.unit.tid != one.unit.pid]  # fmt: skip
    maker = LineMaker(view, names, worst, waiting)
    heads = _names(mode)
    lines = [maker.line(one) for one in islice((e for e in entries if not e.heading), MEASURED)]
    wanted = wanted_by(heads, [line.cells for line in lines])
    widths = cache(partial(layout, _columns(mode), wanted))
    rows = [text_row(f"remark:{text}", f"! {text}", "bold yellow") for text in remarks]
    rows += [_row(maker, widths, entry) for entry in entries]
    standing_for: dict[str, str] = {
        one.unit.id: entry.placed.unit.id
        for entry in entries
        if entry.count > 1
        for one in entry.members[1:]
    }
    shown = sum(entry.count for entry in entries if not entry.heading)
    return Table(
        rows,
        [_row(maker, widths, entry) for entry in each if not entry.heading]
        if standing_for
        else rows,
        lambda width: _heading(heads, widths(width)),
        shown,
        len(every) - shown,
        standing_for,
    )


def _entries(
    view: CaptureView, groups: Sequence[Group], mode: TableMode, *, fold: bool
) -> Iterator[Entry]:
    if mode.sort is not Sort.INTEREST:
        every = [one for group in groups for one in group.placed]
        every.sort(key=lambda one: _order(view, one.unit, mode.sort), reverse=mode.inverted)
        yield from folded(view, _shown(view, every, mode), fold=fold)
        return
    together = _by_class(view, groups) if fold else {}
    for group in reversed(groups) if mode.inverted else groups:
        alike = together.get(group.pid, (group,))
        if group is not alike[0]:
            continue
        placed = list(_shown(view, (one for each in alike for one in each.placed), mode))
        if len(groups) > 1 and placed:
            yield Entry(placed[0], heading=_title(view, alike))
        placed = placed[::-1] if mode.inverted else placed
        yield from folded(view, placed, fold=fold, ranks=len(alike) > 1)


def _by_class(view: CaptureView, groups: Sequence[Group]) -> dict[int, tuple[Group, ...]]:
    """By PID, the processes that stand below one heading: ranks that do the same."""
    classes: dict[int, list[Group]] = {}
    for group in groups:
        if (one := view.rank_classes.get(group.pid)) and one.is_one:
            classes.setdefault(one.processes[0].pid, []).append(group)
    return {group.pid: tuple(alike) for alike in classes.values() for group in alike}


def _title(view: CaptureView, alike: Sequence[Group]) -> str:
    """``train.py · rank 3 · process 7``, ``train.py · ranks 0-2, 4-9 · 9 in the same places``."""
    group = alike[0]
    if len(alike) > 1:
        name = view.rank_classes[group.pid].name
        return f"{group.title} · {name} · {len(alike)} in the same places"
    role = clean(view.roles.get(group.pid, ""))
    return " · ".join(filter(None, (beside(role, group.title), role, f"process {group.pid}")))


def _shown(view: CaptureView, placed: Iterable[Placed], mode: TableMode) -> Iterator[Placed]:
    return (one for one in placed if not (mode.hide_idle and _idle(view, one.unit)))


def _idle(view: CaptureView, unit: Unit) -> bool:
    """Whether it may be left out: not if the application waits there for somebody's answer."""
    if not isinstance(unit, Thread):
        return False
    state = view.state_of(unit)
    answers = state is ThreadState.IO and application_index(unit.python_stack or ()) is not None
    runs = unit.id in view.idle_loops
    return state in IDLE and not answers and not runs and not view.graph.held_by(unit.id)


def _order(view: CaptureView, unit: Unit, sort: Sort) -> tuple[object, ...]:
    match sort:
        case Sort.TID:
            return (int(number(unit) or 0), unit.id)
        case Sort.NAME:
            return (labels.unit_name(view, unit).casefold(), unit.id)
        case Sort.SINCE:
            stay = view.course.stays.get(unit.id)
            return (-stay.rest_s if stay else 0.0, -stay.seconds if stay else 0.0, unit.id)
    return (view.state_of(unit).rank, unit.pid, unit.id)


def _columns(mode: TableMode) -> list[Column]:
    """The columns; the one that the order shows is not left out."""
    return [
        replace(one, optional=False, matters=7) if index == mode.sort.value else one
        for index, one in enumerate(COLUMNS)
    ]


def _names(mode: TableMode) -> tuple[str, ...]:
    names = [column.name for column in COLUMNS]
    if mode.sort.value is not None:
        names[mode.sort.value] += UP if mode.inverted else DOWN
    return tuple(names)


def _heading(names: Sequence[str], widths: Sequence[int]) -> Text:
    cells = [
        pad(name, width, right=column.right)
        for name, width, column in zip(names, widths, COLUMNS, strict=True)
        if width
    ]
    return Text((" " * GAP).join(cells))


def _row(maker: LineMaker, widths: Callable[[int], list[int]], entry: Entry) -> Row:
    if entry.heading:
        key = f"heading of {entry.placed.unit.pid}: {entry.heading}"
        return text_row(key, entry.heading, HEADING)
    paint = partial(maker.paint, widths, entry)
    return Row(entry.placed.unit.id, paint, partial(maker.search, entry))
