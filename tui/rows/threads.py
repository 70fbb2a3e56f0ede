"""The table of threads, of the tasks that they run and of the processes that they wait for."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from functools import cache, partial
from itertools import islice

from rich.text import Text

from hangtui.analysis.native_threads import library_of
from hangtui.analysis.places import application_index
from hangtui.analysis.states import ThreadState
from hangtui.analysis.strips import LONGEST, Sight, Strip
from hangtui.dataclass import dataclass
from hangtui.findings.roles import beside
from hangtui.model import Finding, Task, TaskState, Thread, clean, thread_id
from hangtui.tui.cells import GAP, pad
from hangtui.tui.rows import labels
from hangtui.tui.rows.columns import Cell, Column, layout, shared_prefix, wanted_by, without_prefix
from hangtui.tui.rows.folding import NATIVE, Entry, folded
from hangtui.tui.rows.goals import ender_of, goal_cell
from hangtui.tui.rows.row import Row, text_row
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import (
    DOWN,
    HEADING,
    SEVERITY_SIGNS,
    SEVERITY_STYLES,
    SIGHT_SIGNS,
    STATE_STYLES,
    UP,
)
from hangtui.tui.units import Group, Outsider, Placed, Unit

IDLE = {ThreadState.SLEEP, ThreadState.IO, ThreadState.ZOMBIE}
COLUMNS = (
    Column("", 1, 1, 1, matters=9),
    Column("STATE", 8, 8, 8, matters=9),
    Column("TID", 5, 5, 10, matters=0, optional=True, right=True),
    Column("NAME", 5, 11, 40, matters=3),
    Column("AT", 8, 19, 60, matters=8),
    Column("WAITS FOR", 8, 16, 80, matters=6),
    Column("WHO ENDS IT", 6, 12, 60, matters=5),
    Column("SINCE", 5, 5, 6, matters=1, optional=True),
    Column("LOOKS", LONGEST, LONGEST, LONGEST, matters=0, optional=True, right=True),
)
MARK, STATE, TID, NAME, AT, GOAL, WHO, SINCE, LOOKS = range(len(COLUMNS))
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


@dataclass(frozen=True, slots=True)
class _Line:
    state: ThreadState
    cells: tuple[Cell, ...]
    full_name: str


class _Maker:
    """Makes lines; of thousands only those that are seen, or searched."""

    def __init__(
        self, view: CaptureView, names: Sequence[str], worst: Finding | None, waiting: str
    ) -> None:
        self.view, self.prefix, self.waiting = view, shared_prefix(names), waiting
        self.sign = SEVERITY_SIGNS[worst.severity] if worst else ""
        self.sign_style = SEVERITY_STYLES[worst.severity] if worst else ""
        self.line = cache(self._line)

    def _line(self, entry: Entry) -> _Line:
        view, placed = self.view, entry.placed
        unit = placed.unit
        state = view.state_of(unit)
        place = ("", "") if isinstance(unit, Outsider) else labels.own_place(unit)
        name = labels.unit_name(view, unit)
        short = without_prefix(name, self.prefix, COLUMNS[NAME].fair)
        libraries = _libraries(view, entry)
        if libraries:
            place, short = (", ".join(libraries), ""), NATIVE
        elif entry.count > 1:
            alike = shared_prefix([labels.unit_name(view, one.unit) for one in entry.members])
            short = f"{alike}…" if alike else f"{short} …"
        counted = f"{entry.count} ×" if entry.count > 1 else ""
        cells = (
            Cell(self.sign if placed.first else ""),
            Cell(labels.unit_state(view, unit)),
            Cell("" if entry.count > 1 else _number(unit)),
            _name_cell("└ " if placed.below else "", counted, short),
            Cell(*place) if place[0] else Cell("" if isinstance(unit, Outsider) else self.waiting),
            Cell("") if libraries else goal_cell(view, unit),
            Cell("" if libraries else self._ender(unit)),
            Cell(_since(view, unit)),
            Cell(_looks(view, entry)),
        )
        return _Line(state, cells, name)

    def _ender(self, unit: Unit) -> str:
        return without_prefix(ender_of(self.view, unit), self.prefix, COLUMNS[NAME].fair)


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
    maker = _Maker(view, names, worst, waiting)
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
            return (int(_number(unit) or 0), unit.id)
        case Sort.NAME:
            return (labels.unit_name(view, unit).casefold(), unit.id)
        case Sort.SINCE:
            stay = view.course.stays.get(unit.id)
            return (-stay.rest_s if stay else 0.0, -stay.seconds if stay else 0.0, unit.id)
    return (view.state_of(unit).rank, unit.pid, unit.id)


def _number(unit: Unit) -> str:
    if isinstance(unit, Thread):
        return str(unit.tid)
    return str(unit.pid) if isinstance(unit, Outsider) else str(unit.loop_tid or "")


def _since(view: CaptureView, unit: Unit) -> str:
    """For how long nothing changed; a task has not run while its thread stood still."""
    if isinstance(unit, Thread):
        return labels.unchanged_label(view, unit)
    if not isinstance(unit, Task) or unit.state is not TaskState.WAITING:
        return ""
    carrier = view.threads.get(thread_id(unit.pid, unit.loop_tid or 0))
    label = labels.unchanged_label(view, carrier) if carrier else ""
    return label if label.startswith("≥") else ""


def _libraries(view: CaptureView, entry: Entry) -> list[str]:
    """In which of them alone all threads of a folded row stand; empty: one is elsewhere."""
    units = [one.unit for one in entry.members]
    found = [library_of(one, view.graph) if isinstance(one, Thread) else None for one in units]
    return sorted(set(filter(None, found))) if all(found) else []


def _looks(view: CaptureView, entry: Entry) -> str:
    """Over which of the last captures it ran; nothing where folded rows differ."""
    strips = {_strip(view, one.unit) for one in entry.members} or {_strip(view, entry.placed.unit)}
    return "".join(SIGHT_SIGNS[one] for one in strips.pop()) if len(strips) == 1 else ""


def _strip(view: CaptureView, unit: Unit) -> Strip:
    """That of a thread; a task has not run while its thread stood still, nor when it waited."""
    if isinstance(unit, Thread):
        return view.course.strips.get(unit.id, ())
    if not isinstance(unit, Task) or unit.state is not TaskState.WAITING:
        return ()
    strip = view.course.strips.get(thread_id(unit.pid, unit.loop_tid or 0), ())
    return tuple(one if one is Sight.STOOD else Sight.UNKNOWN for one in strip)


def _name_cell(branch: str, count: str, name: str) -> Cell:
    return Cell(f"{branch}{count}", name) if count else Cell(f"{branch}{name}")


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


def _row(maker: _Maker, widths: Callable[[int], list[int]], entry: Entry) -> Row:
    if entry.heading:
        key = f"heading of {entry.placed.unit.pid}: {entry.heading}"
        return text_row(key, entry.heading, HEADING)
    paint = partial(_paint, maker, widths, entry)
    return Row(entry.placed.unit.id, paint, partial(_search, maker, entry))


def _search(maker: _Maker, entry: Entry) -> str:
    line = maker.line(entry)
    return " ".join([*(cell.whole for cell in line.cells), line.full_name])


def _paint(
    maker: _Maker, widths: Callable[[int], list[int]], entry: Entry, width: int
) -> list[Text]:
    line = maker.line(entry)
    text = Text(no_wrap=True, end="")
    for index, (cell, room) in enumerate(zip(line.cells, widths(width), strict=True)):
        if not room:
            continue
        style = STATE_STYLES[line.state] if index == STATE else _style(index, cell.text)
        if index == MARK:
            style = maker.sign_style
        if text.cell_len:
            text.append(" " * GAP)
        text.append(cell.fitted(room, right=COLUMNS[index].right), style)
    return [text]


def _style(index: int, cell: str) -> str:
    if index in (TID, SINCE, LOOKS):
        return "dim"
    return "italic yellow" if index == WHO and "?" in cell else ""
