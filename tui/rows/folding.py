"""Rows for those that are alike: one for all that are in the same place and wait for the same."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hangtui.analysis.native_threads import library_of
from hangtui.analysis.places import program_frame
from hangtui.dataclass import dataclass
from hangtui.model import NodeKind, Thread
from hangtui.tui.session import CaptureView
from hangtui.tui.units import Outsider, Placed

ALIKE = 3
"""So many that are in the same place and wait for the same become one row."""
NATIVE = "native"
"""What those are called together that libraries have started for themselves."""
_OF_ONE_KIND = frozenset(
    {NodeKind.FUTURE, NodeKind.SOCKET, NodeKind.PIPE, NodeKind.TASK, NodeKind.EVENT}
    | {NodeKind.CONDITION}
)
"""What each has one of its own of, where many do the same."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What one row stands for."""

    placed: Placed
    count: int = 1
    members: tuple[Placed, ...] = ()
    heading: str = ""


def folded(
    view: CaptureView, placed: Iterable[Placed], *, fold: bool, ranks: bool = False
) -> Iterator[Entry]:
    """One entry for those that are alike, where the first of them stands; what libraries have
    started for themselves comes last. *ranks*: of processes that do the same, so that what each
    waits for is its own, and alike."""
    if not fold:
        yield from map(Entry, placed)
        return
    alike: dict[object, list[Placed]] = {}
    keys = []
    found = [(likeness(view, one, ranks=ranks), one) for one in placed]
    kin = {_called(one): key for key, one in found if _is_native(key)}
    for own, one in found:
        # What woke up while it was read has no stack: its name says which of them it is.
        key = kin.get(_called(one), own) if _unread(one) else own
        alike.setdefault(key, []).append(one)
        keys.append((key, one))
    for key, one in sorted(keys, key=lambda pair: _many_native(pair[0], alike)):
        group = alike[key]
        if len(group) < ALIKE:
            yield Entry(one)
        elif one is group[0]:
            yield Entry(one, len(group), tuple(group))


def _many_native(key: object, alike: Mapping[object, Sequence[Placed]]) -> bool:
    return _is_native(key) and len(alike[key]) >= ALIKE


def _is_native(key: object) -> bool:
    return isinstance(key, tuple) and key[-1] == NATIVE


def _called(placed: Placed) -> tuple[int, str] | None:
    unit = placed.unit
    return (unit.pid, unit.name) if isinstance(unit, Thread) else None


def _unread(placed: Placed) -> bool:
    """Whether it sleeps in the kernel for code of which nothing is known."""
    unit = placed.unit
    if not isinstance(unit, Thread) or unit.is_python or placed.first:
        return False
    return unit.asleep and not unit.native_stack


def likeness(view: CaptureView, placed: Placed, *, ranks: bool = False) -> object:
    """The same for those who are in one place and wait for the same; *ranks*: as in `folded`."""
    unit, graph = placed.unit, view.graph
    if isinstance(unit, Outsider):
        return unit.state, unit.goal, None if ranks else unit.who
    if isinstance(unit, Thread) and not placed.first and library_of(unit, graph):
        return None if ranks else unit.pid, NATIVE
    if not ranks and (graph.cycle_of(unit.id) is not None or unit.id in view.idle_loops):
        return unit.id
    wait = graph.wait_of(unit.id)
    target: object = None
    if wait is not None:
        its_own = ranks or wait.target.kind in _OF_ONE_KIND
        target = wait.target.kind if its_own else wait.target
    frame = program_frame(unit.python_stack) if unit.python_stack else None
    if isinstance(unit, Thread):
        # The same code lies at other addresses in another process.
        elsewhere = tuple(one.function for one in unit.native_stack or ()) or unit.name
        inside = None if frame else elsewhere if ranks else unit.native_stack
        if frame is None and inside is None:
            return unit.id
        return view.states.get(unit.id), frame, target, inside, placed.first
    runs = unit.function if ranks else unit.coroutine
    return None if ranks else unit.loop, view.state_of(unit), frame or runs, target, placed.first
