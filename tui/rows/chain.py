"""Who waits for whom, by what a finding tells, as a line with an arrow from each to the next:
``teller-1 main.py:20 → savings.lock → teller-2 main.py:20 → checking.lock → teller-1``."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from hangtui.analysis.places import application_index, line_of
from hangtui.analysis.waitgraph import Cycle, Edge
from hangtui.findings.english import counted
from hangtui.findings.outside_in import Outer, outside_in
from hangtui.model import Finding, NodeId, NodeKind, PythonFrame, Task, Thread, clean, thread_id
from hangtui.tui.cells import cut
from hangtui.tui.rows import labels
from hangtui.tui.rows.goals import enders, goal
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import ARROW
from hangtui.tui.units import Outsider

_STEPS = 6
_MOST_PIECES = 40


class _Piece(NamedTuple):
    text: str
    doubt: bool = False
    """That the one before leads here is inferred."""


def chain_lines(view: CaptureView, finding: Finding, width: int, most: int) -> list[Text]:
    """The ring that a finding speaks of, else the way from the first that it names to whoever could
    set that going; in at most *most* lines."""
    cycle = ring_of(view, finding)
    start = cycle.nodes[0] if cycle else _start(view, finding)
    nodes = cycle.nodes if cycle else (start,) if start is not None else ()
    outer = outside_in(view.capture, view.graph, tuple(nodes))
    pieces = list(_inwards(view, outer))
    last = outer[-1].actor.pid if outer else None
    pieces += _around(view, cycle, last) if cycle else _onwards(view, finding, start, last)
    if outer and outer[-1].inferred and pieces[len(outer) :]:
        pieces[len(outer)] = pieces[len(outer)]._replace(doubt=True)
    if len(pieces) > _MOST_PIECES:
        pieces = [*pieces[: _MOST_PIECES - 3], _more(len(pieces) - _MOST_PIECES), *pieces[-3:]]
    lines = next(_tries(pieces, width, most), _laid(pieces, width))
    return [Text(line) for line in lines[:most]]


def _tries(pieces: Sequence[_Piece], width: int, most: int) -> Iterator[list[str]]:
    """All pieces, else fewer, in at most *most* lines: the beginning matters most, then the end."""
    count = len(pieces)
    shorter = [
        [*pieces[: kept - 1], _more(count - kept), pieces[-1]] for kept in range(count - 1, 3, -1)
    ]
    begun = [[*pieces[:kept], _more(count - kept)] for kept in range(count - 1, 0, -1)]
    for shown in ([*pieces], *shorter, *begun):
        if len(lines := _laid(shown, width)) <= most:
            yield lines


def ring_of(view: CaptureView, finding: Finding) -> Cycle | None:
    """The cycle that a finding speaks of."""
    if not view.graph.cycles:
        return None
    ids = [thread_id(ref.pid, ref.tid) for ref in finding.threads]
    nodes = (*finding.tasks, *ids, *finding.resources)
    found = (view.graph.cycle_of(node_id) for node_id in nodes)
    return next((cycle for cycle in found if cycle is not None), None)


def _more(count: int) -> _Piece:
    return _Piece(f"… {count} more …")


def _laid(pieces: Sequence[_Piece], width: int) -> list[str]:
    """The pieces with arrows between them, broken before an arrow."""
    lines: list[str] = []
    line = ""
    for index, piece in enumerate(pieces):
        arrow = f" {ARROW}{'?' if piece.doubt else ''} "
        step = f"{arrow}{piece.text}" if index else piece.text
        if line and cell_len(line) + cell_len(step) + 1 > width:
            lines.append(line)
            line, step = "  ", step.lstrip()
        line += step
    return [cut(f" {text}", width) for text in (*lines, *([line] if line else []))]


def _around(view: CaptureView, cycle: Cycle, last: int | None) -> Iterator[_Piece]:
    doubtful = {edge.target for edge in cycle.edges if not edge.evidence.certainty.supports_claim}
    for node_id, following in zip(cycle.nodes, (*cycle.nodes[1:], cycle.nodes[0]), strict=True):
        if node_id.kind is NodeKind.PROCESS and following.pid == node_id.pid:
            continue  # its thread is named with it
        yield _Piece(_told(view, node_id, last), node_id in doubtful)
        last = node_id.pid if node_id in view.units else last
    yield _Piece(_name(view, cycle.nodes[0]), cycle.nodes[0] in doubtful)


def _inwards(view: CaptureView, outer: Sequence[Outer]) -> Iterator[_Piece]:
    """Those in other processes that wait for what the finding speaks of, the outermost first."""
    doubt, last = False, None
    for one in outer:
        yield _Piece(_outer(view, one, last), doubt)
        doubt, last = one.inferred, one.actor.pid


def _outer(view: CaptureView, one: Outer, last: int | None) -> str:
    """One of them: ``2 requests``; an engine, which is in its library's code alone, by its role."""
    if one.requests:
        return counted(one.requests, "request")
    unit = view.units.get(one.actor)
    role = clean(view.roles.get(one.actor.pid, ""))
    inside = isinstance(unit, Thread) and application_index(unit.python_stack or ()) is None
    return role if role and inside else _told(view, one.actor, last, one.ranks)


def _onwards(
    view: CaptureView, finding: Finding, start: NodeId | None, last: int | None
) -> Iterator[_Piece]:
    if start is None:
        if finding.where:
            where = finding.where
            yield _Piece(line_of(PythonFrame(where.function, where.filename, where.line)))
        return
    count = len(finding.tasks) or len(finding.threads)
    yield _Piece(_told(view, start, last) + (f" (+{count - 1})" if count > 1 else ""))
    seen = {start}
    here: NodeId = start
    for _ in range(_STEPS):
        wait = view.graph.wait_of(here)
        if here in view.idle_loops:
            yield _Piece(f"its {labels.plural(view.idle_loops[here], view.loop_units)}")
            return
        if wait is None:
            if doing := _doing(view, here):
                yield _Piece(doing)
            return
        following = _next(view, wait)
        if wait.target.kind.is_resource:
            yield _Piece(goal(view, wait), not wait.evidence.certainty.supports_claim)
        if following is None or following in seen:
            yield _Piece(enders(view, wait))
            return
        yield _Piece(_told(view, following, here.pid), _doubt(view, wait))
        seen.add(following)
        here = following


def _start(view: CaptureView, finding: Finding) -> NodeId | None:
    """Whom it is about: of those that it names, the first that waits for something; of a process
    as a whole, among several, its main thread, where that is one of them."""
    threads = [thread_id(one.pid, one.tid) for one in finding.threads]
    subject = [finding.subject] if finding.subject is not None else []
    named = [one for one in (*subject, *finding.tasks, *threads) if one in view.units]
    whole = finding.subject is not None and finding.subject.kind is NodeKind.PROCESS
    main = next((one for one in named if one == thread_id(one.pid, one.pid)), None)
    if whole and main is not None and view.capture.processes[1:]:
        return main
    actors = [one for one in named if not isinstance(view.units[one], Outsider)]
    waiting = (one for one in actors if view.graph.wait_of(one) and one not in view.idle_loops)
    return next(waiting, None) or next(iter(actors), None)


def _next(view: CaptureView, wait: Edge) -> NodeId | None:
    """Who has to act before a wait ends, where that is one that is known; of a process its main
    thread."""
    found: NodeId | None = wait.target
    if wait.target.kind.is_resource:
        holds = view.graph.holders_of(wait.target)
        found = holds[0].target if len(holds) == 1 else None
    if found is not None and found.kind is NodeKind.PROCESS:
        main = thread_id(found.pid, found.pid)
        return main if main in view.units else found
    return found


def _doubt(view: CaptureView, wait: Edge) -> bool:
    holds = view.graph.holders_of(wait.target) if wait.target.kind.is_resource else ()
    links = [wait.evidence, *(hold.evidence for hold in holds[:1])]
    return not all(one.certainty.supports_claim for one in links)


def _doing(view: CaptureView, node_id: NodeId) -> str:
    """What one does that waits for nothing."""
    unit = view.units.get(node_id)
    if unit is None:
        return ""
    if isinstance(unit, Thread) and unit.asleep and unit.syscall is not None:
        return f"{clean(unit.syscall.name)}()"
    return labels.unit_state(view, unit)


def _told(view: CaptureView, node_id: NodeId, last: int | None, ranks: str = "") -> str:
    """A name, behind it where that one is: ``teller-1 main.py:20``; before it what its process is,
    unless that of the piece before, *last*, is the same. *ranks*: for whom it stands."""
    unit = view.units.get(node_id)
    if not isinstance(unit, Thread | Task):
        return _name(view, node_id)
    place, _ = labels.own_place(unit) if unit.python_stack else ("", "")
    name = labels.unit_name(view, unit)
    if len(view.capture.processes) < 2:
        return f"{name} {place}".rstrip()
    role = ranks or clean(view.roles.get(unit.pid, ""))
    if not role:
        return f"process {unit.pid} {name} {place}".rstrip()
    if unit.pid == last:
        return f"{name} {place}".rstrip()
    if last is not None and last in view.roles:
        role = role.removesuffix(f" of {clean(view.roles[last])}")
    if not place or not isinstance(unit, Thread) or unit.tid != unit.pid:
        return f"{role} {name} {place}".rstrip()
    program = place.partition(":")[0]
    # A process that is called by its program: ``indexer.py:8 of rank 0``.
    return f"{place}{role[len(program) :]}" if role.split()[0] == program else f"{role} {place}"


def _name(view: CaptureView, node_id: NodeId) -> str:
    unit = view.units.get(node_id)
    if unit is not None and not isinstance(unit, Outsider):
        return labels.unit_name(view, unit)
    node = view.graph.node(node_id)
    return labels.shortest_node(view, node) if node else node_id
