"""The worst finding in words, and its ring: what one sees first."""

from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from hangtui.analysis import coverage
from hangtui.analysis.waitgraph import Cycle
from hangtui.model import Finding, Severity, clean, thread_id
from hangtui.tui.cells import cut, wrap
from hangtui.tui.rows import labels
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import ARROW, HEADING, SEVERITY_SIGNS, SEVERITY_STYLES


def verdict_lines(view: CaptureView, pid: int | None, width: int, most: int) -> list[Text]:
    """At most *most* lines on the worst finding about a process, and one for its ring; what was not
    read, where otherwise it would say that nothing is wrong."""
    findings = view.findings_of(pid)
    calm = not findings or findings[0].severity is Severity.NOTE
    gaps = _gap_lines(view, pid, width) if calm and view.capture.complete else []
    if not findings:
        return gaps
    worst = findings[0]
    most -= len(gaps)
    if most < 1:
        return gaps
    badge = f" {SEVERITY_SIGNS[worst.severity]} {clean(worst.id).upper()} "
    certainty = worst.certainty.value
    head = f"{worst.title} [{certainty}{since(view, worst)}]"
    lines = [Text(line, HEADING) for line in wrap(head, width, " " * (len(badge) + 1))]
    lines[0] = Text.assemble(
        (badge, SEVERITY_STYLES[worst.severity]), Text(lines[0].plain[len(badge) :], HEADING)
    )
    ring = list(ring_lines(view, worst, width))
    said = [Text(line) for line in wrap(worst.sentence, width, " ")]
    if len(lines) == most:
        most += len(ring[:1])  # behind a long title
    # The ring says in one line what the sentence says in four.
    room = max(most - len(lines) - len(ring), 0)
    if len(said) > room:
        said = said[:room]
        if said:
            said[-1] = Text(cut(f"{said[-1].plain} …", width))
    return [*gaps, *[*lines, *said, *ring][:most]]


def _gap_lines(view: CaptureView, pid: int | None, width: int) -> list[Text]:
    """Which processes were not looked at well enough, what is missing, and what to do about it."""
    lines: list[Text] = []
    for one, gaps in coverage.overlooked(view.capture).items():
        if pid in (None, one):
            message = f"Process {one}: {coverage.told(gaps)}"
            lines += problem_lines(message, coverage.fix_of(gaps), width)
    return lines


def problem_lines(message: str, fix: str | None, width: int) -> Iterator[Text]:
    """Why nothing is shown, and the exact command or setting that mends it."""
    badge = " ? NOT READ "
    first, *rest = wrap(message, width, " " * (len(badge) + 1))
    yield Text.assemble((badge, SEVERITY_STYLES[Severity.WARNING]), (first[len(badge) :], HEADING))
    yield from (Text(line, HEADING) for line in rest)
    if fix:
        yield from (Text(line) for line in wrap(fix, width, " fix: "))


def since(view: CaptureView, finding: Finding) -> str:
    """What several captures say of the threads of a finding: that they are stuck, and for how long;
    nothing where there is only one."""
    course = view.course
    ids = [thread_id(thread.pid, thread.tid) for thread in finding.threads]
    moved = len(course.moved.intersection(ids))
    stays = [stay for one in ids if (stay := course.stays.get(one)) is not None]
    if moved:
        return f", {moved} of {labels.plural(len(ids), 'thread')} moved"
    if not stays:
        return ""
    rest_s = min(stay.rest_s for stay in stays)
    if rest_s > 0:
        return f", not run for ≥{labels.duration(rest_s)}"
    counted = all(view.threads[one].runs is not None for one in ids if one in view.threads)
    ran = ", but ran" if counted else ""
    return f", same place for ~{labels.duration(min(stay.seconds for stay in stays))}{ran}"


def ring_lines(view: CaptureView, finding: Finding, width: int) -> Iterator[Text]:
    """The cycle that a finding speaks of: ``main -> db_lock -> worker -> log_lock -> main``."""
    cycle = _cycle(view, finding)
    if cycle is None:
        return
    names = [_name(view, node_id) for node_id in (*cycle.nodes, cycle.nodes[0])]
    line = ""
    for index, name in enumerate(names):
        piece = name if index == 0 else f" {ARROW} {name}"
        if line and cell_len(line) + cell_len(piece) + 1 > width:
            yield Text(cut(f" {line}", width))
            line, piece = "   ", piece.lstrip()
        line += piece
    yield Text(cut(f" {line}", width))


def partner_of(view: CaptureView, thread: str) -> str | None:
    """Another thread that *thread* waits for, directly or through what that one holds."""
    node_id = thread
    for _ in range(8):
        wait = view.graph.wait_of(node_id)
        if wait is None:
            return None
        holds = view.graph.holders_of(wait.target)
        node_id = holds[0].target if holds else wait.target
        if node_id == thread:
            return None
        if node_id in view.threads:
            return node_id
    return None


def _cycle(view: CaptureView, finding: Finding) -> Cycle | None:
    if not view.graph.cycles:
        return None
    ids = [thread_id(ref.pid, ref.tid) for ref in finding.threads]
    found = (view.graph.cycle_of(node_id) for node_id in (*ids, *finding.resources))
    return next((cycle for cycle in found if cycle is not None), None)


def _name(view: CaptureView, node_id: str) -> str:
    node = view.graph.node(node_id)
    return labels.shortest_node(view, node) if node else node_id
