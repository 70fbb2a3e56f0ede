"""The wait-for graph as rows: each cycle a lane, what waits behind it indented below."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial

from rich.cells import cell_len
from rich.text import Text

from hangtui.analysis.states import ThreadState
from hangtui.analysis.waitgraph import Cycle, Edge, Node
from hangtui.dataclass import dataclass
from hangtui.model import NodeKind, Severity, clean
from hangtui.tui.cells import GAP, allot, pad
from hangtui.tui.rows import labels
from hangtui.tui.rows.evidence import OWNERLESS
from hangtui.tui.rows.row import Row
from hangtui.tui.rows.waittree import Item, Turn, items
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import (
    BEHIND,
    CYCLE,
    DOWN,
    HEADING,
    RESOURCE,
    SEVERITY_SIGNS,
    STATE_STYLES,
    THREAD,
    UP,
)

_INDENT = "   "


@dataclass(frozen=True, slots=True)
class WaitRows:
    """The rows, and the first member of each cycle."""

    rows: Sequence[Row] = ()
    cycle_starts: Sequence[str] = ()
    nodes: Mapping[str, Node] = field(default_factory=dict)
    """What each row that shows a node shows, by the row's key."""


@dataclass(frozen=True, slots=True)
class _Line:
    key: str
    lane: str
    sign: str
    sign_style: str
    name: str
    detail: str
    same: str = ""
    where: str = ""
    cyclic: bool = False
    spans: bool = False
    """The detail has the rest of the line for itself."""
    doubt: bool = False
    """It tells of something that is inferred."""

    @property
    def left(self) -> str:
        return f"{self.lane}{self.sign} {self.name}"


def wait_rows(view: CaptureView) -> WaitRows:
    """The rows for a capture."""
    every = list(items(view))
    lines = {index: _line(view, item) for index, item in enumerate(every) if item.node}
    widths = partial(_widths, _wanted(list(lines.values())))
    rows = []
    for index, item in enumerate(every):
        if (line := lines.get(index)) is not None:
            rows.append(Row(line.key, partial(_paint, line, widths), _search(line)))
        else:
            rows.append(_text_row(view, item, index))
    starts = [item.key for item in every if item.turn is Turn.OPENS]
    return WaitRows(rows, starts, {item.key: item.node for item in every if item.node})


def _text_row(view: CaptureView, item: Item, index: int) -> Row:
    """A title, a closing line or an empty line."""
    text = _title(view, item.cycle, item.number) if item.cycle else item.text
    style = CYCLE if item.cycle or item.turn is Turn.CLOSES else HEADING
    return Row(f"text:{index}", lambda _width: [Text(text, style)], selectable=False)


def _title(view: CaptureView, cycle: Cycle, number: int) -> str:
    single = sum(not node.kind.is_resource for node in map(view.graph.node, cycle.nodes) if node)
    sure = cycle.certainty.supports_claim
    sign = SEVERITY_SIGNS[Severity.ERROR if sure else Severity.WARNING]
    claim = "Deadlock" if sure else "Possible deadlock"
    does = "waits for itself" if single == 1 else "wait for each other"
    who = labels.actors(view, cycle.nodes)
    return f"RING {number} ━ {sign} {cycle.certainty.value}  {claim}: {who} {does}"


def _line(view: CaptureView, item: Item) -> _Line:
    node = item.node
    assert node is not None
    lane = _lane(item)
    if item.again:
        name = labels.shortest_node(view, node)
        return _Line(item.key, lane, "↺", "dim", name, "its row is above", spans=True)
    if node.id in view.threads:
        return _thread_line(view, item, node, lane)
    if not node.kind.is_resource:
        return _other_line(view, item, node, lane)
    kind = clean(node.detail or "")
    detail = f"{kind}  {_holding(view, item, node)}".lstrip()
    name = labels.shortest_node(view, node)
    cyclic = item.turn is not Turn.NONE
    holds = view.graph.holders_of(node.id)
    doubt = bool(holds) and not holds[0].evidence.certainty.supports_claim
    return _Line(
        item.key, lane, RESOURCE, "bold", name, detail, cyclic=cyclic, spans=True, doubt=doubt
    )


def _other_line(view: CaptureView, item: Item, node: Node, lane: str) -> _Line:
    """A task, a process, or a thread that the capture does not contain."""
    wait = view.graph.wait_of(node.id)
    where = wait.evidence.where if wait else None
    detail = node.kind.value if node.known else "is not in this capture"
    name = labels.short_node(view, node)
    task = view.tasks.get(node.id)
    if item.count > 1:
        name = f"{item.count} × {clean(task.function or task.name) if task else name} …"
        detail = f"{detail}s"
    return _Line(
        item.key,
        lane,
        THREAD,
        "bold",
        name,
        f"{detail} {_waiting(view, item, wait)}".rstrip(),
        where=labels.file_name(where) if where else "",
        cyclic=item.turn is not Turn.NONE,
        spans=not where,
        doubt=_doubted(item, wait),
    )


def _thread_line(view: CaptureView, item: Item, node: Node, lane: str) -> _Line:
    thread = view.threads[node.id]
    state = view.states.get(node.id, ThreadState.UNKNOWN)
    wait = view.graph.wait_of(node.id)
    name = labels.thread_name(view, thread)
    name = name if item.count == 1 else f"{item.count} × {name} …"
    tid = str(thread.tid) if item.count == 1 else ""
    where = wait.evidence.where if wait and wait.evidence.where else None
    return _Line(
        item.key,
        lane,
        state.letter,
        STATE_STYLES[state],
        name,
        f"{tid:>5} {_waiting(view, item, wait)}".rstrip(),
        labels.unchanged_label(view, thread),
        labels.file_name(where) if where else labels.top_frame(thread),
        cyclic=item.turn is not Turn.NONE,
        doubt=_doubted(item, wait),
    )


def _doubted(item: Item, wait: Edge | None) -> bool:
    """Whether a member of a ring is known to wait by an inference only."""
    sure = wait is None or wait.evidence.certainty.supports_claim
    return item.turn is not Turn.NONE and not sure


def _lane(item: Item) -> str:
    """What stands left of the sign: the cycle's lane, or the branch of the tree."""
    if item.turn is Turn.OPENS:
        return "┏▶ "
    sure = item.edge is None or item.edge.evidence.certainty.supports_claim
    if item.turn is Turn.PASSES:
        return "┃  " if sure else "┇  "
    lane = "┃  " if item.in_cycle else ""
    if item.depth == 0:
        return lane
    return lane + _INDENT * (item.depth - 1) + "└" + BEHIND


def _waiting(view: CaptureView, item: Item, wait: Edge | None) -> str:
    if wait is None:
        return ""
    if item.turn is Turn.NONE:
        return "gives up by itself" if wait.expires else ""
    return f"waits {_towards(view, item)}{_doubt(wait)}"


def _holding(view: CaptureView, item: Item, node: Node) -> str:
    holds = view.graph.holders_of(node.id)
    if not holds:
        ownerless = node.kind in (*OWNERLESS, NodeKind.PIPE, NodeKind.SOCKET)
        return "no owner" if ownerless else "holder not known"
    if item.turn is Turn.NONE:
        names = labels.listed((_name(view, hold.target) for hold in holds), 2)
        return f"held by {names}{_doubt(holds[0])}"
    return f"held by {_towards(view, item)}{_doubt(holds[0])}"


def _doubt(edge: Edge) -> str:
    """How it is known, unless it is beyond doubt."""
    certainty = edge.evidence.certainty
    return "" if certainty.supports_claim else f" ({certainty.value})"


def _towards(view: CaptureView, item: Item) -> str:
    """An arrow to the next row, or an arrow and a name for another one of the cycle."""
    parts = [DOWN] if item.to_next else []
    parts += [f"{UP} {_name(view, target)}" for target in item.elsewhere]
    return " ".join(parts)


def _name(view: CaptureView, node_id: str) -> str:
    node = view.graph.node(node_id)
    return labels.short_node(view, node) if node else node_id


def _search(line: _Line) -> str:
    return f"{line.name} {line.detail} {line.where}"


def _wanted(lines: Sequence[_Line]) -> tuple[int, ...]:
    """The widths that the four columns would like."""
    columns = [
        [cell_len(line.left) for line in lines],
        [cell_len(line.detail) for line in lines if not line.spans],
        [cell_len(line.same) for line in lines],
        [cell_len(line.where) for line in lines],
    ]
    most = (46, 40, 5, 60)
    return tuple(
        min(max(column, default=0), top) for column, top in zip(columns, most, strict=True)
    )


def _widths(wanted: tuple[int, ...], total: int) -> list[int]:
    least = [min(want, low) for want, low in zip(wanted, (24, 22, 5, 8), strict=True)]
    return allot(wanted, least, total)


def _paint(line: _Line, widths: Callable[[int], list[int]], width: int) -> list[Text]:
    left, detail, same, where = widths(width)
    text = Text(no_wrap=True, end="")
    text.append(line.lane, CYCLE if line.cyclic or line.lane.startswith("┃") else "dim")
    text.append(line.sign, line.sign_style)
    text.append(" " + line.name, "bold" if line.cyclic else "")
    text.truncate(left, overflow="ellipsis", pad=True)
    gap = " " * GAP
    if line.spans:
        detail = max(width - left - GAP, 0)
    text.append(gap + pad(line.detail, detail), "italic yellow" if line.doubt else "")
    if not line.spans:
        text.append(gap + pad(line.same, same), "dim")
        text.append(gap + pad(line.where, where))
    return [text]
