"""What a row of the table of threads says: the cells of a unit, made when it is seen."""

from collections.abc import Callable, Sequence
from functools import cache

from rich.text import Text

from hangtui.analysis.native_threads import library_of
from hangtui.analysis.states import ThreadState
from hangtui.analysis.strips import LONGEST, Sight, Strip
from hangtui.dataclass import dataclass
from hangtui.model import Finding, Task, TaskState, Thread, thread_id
from hangtui.tui.cells import GAP
from hangtui.tui.rows import labels
from hangtui.tui.rows.columns import Cell, Column, shared_prefix, without_prefix
from hangtui.tui.rows.folding import NATIVE, Entry
from hangtui.tui.rows.goals import ender_of, goal_cell
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import SEVERITY_SIGNS, SEVERITY_STYLES, SIGHT_SIGNS, STATE_STYLES
from hangtui.tui.units import Outsider, Unit

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


@dataclass(frozen=True, slots=True)
class Line:
    """One row: its state, its cells, and the name before it was shortened."""

    state: ThreadState
    cells: tuple[Cell, ...]
    full_name: str


class LineMaker:
    """Makes lines; of thousands only those that are seen, or searched."""

    def __init__(
        self, view: CaptureView, names: Sequence[str], worst: Finding | None, waiting: str
    ) -> None:
        self.view, self.prefix, self.waiting = view, shared_prefix(names), waiting
        self.sign = SEVERITY_SIGNS[worst.severity] if worst else ""
        self.sign_style = SEVERITY_STYLES[worst.severity] if worst else ""
        self.line = cache(self._line)

    def _line(self, entry: Entry) -> Line:
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
            Cell("" if entry.count > 1 else number(unit)),
            _name_cell("└ " if placed.below else "", counted, short),
            Cell(*place) if place[0] else Cell("" if isinstance(unit, Outsider) else self.waiting),
            Cell("") if libraries else goal_cell(view, unit),
            Cell("" if libraries else self._ender(unit)),
            Cell(_since(view, unit)),
            Cell(_looks(view, entry)),
        )
        return Line(state, cells, name)

    def search(self, entry: Entry) -> str:
        """What a filter looks at."""
        line = self.line(entry)
        return " ".join([*(cell.whole for cell in line.cells), line.full_name])

    def paint(self, widths: Callable[[int], list[int]], entry: Entry, width: int) -> list[Text]:
        """The row in *width* cells; *widths*: those of the columns then, 0 for one left out."""
        line = self.line(entry)
        text = Text(no_wrap=True, end="")
        for index, (cell, room) in enumerate(zip(line.cells, widths(width), strict=True)):
            if not room:
                continue
            style = STATE_STYLES[line.state] if index == STATE else _style(index, cell.text)
            if index == MARK:
                style = self.sign_style
            if text.cell_len:
                text.append(" " * GAP)
            text.append(cell.fitted(room, right=COLUMNS[index].right), style)
        return [text]

    def _ender(self, unit: Unit) -> str:
        return without_prefix(ender_of(self.view, unit), self.prefix, COLUMNS[NAME].fair)


def number(unit: Unit) -> str:
    """The TID of a thread or of a task's loop, the PID of a process; empty if unknown."""
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


def _style(index: int, cell: str) -> str:
    if index in (TID, SINCE, LOOKS):
        return "dim"
    return "italic yellow" if index == WHO and "?" in cell else ""
