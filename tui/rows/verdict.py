"""The worst finding in words, and its ring: what one sees first."""

from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from hangtui.analysis import coverage
from hangtui.model import Finding, Severity, thread_id
from hangtui.tui.cells import cut, wrap
from hangtui.tui.rows import labels
from hangtui.tui.rows.chain import chain_lines
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import HEADING, NOT_READ, SEVERITY_SIGNS, SEVERITY_STYLES

_CHAIN = 3
"""Lines for who waits for whom, at most."""


def verdict_lines(view: CaptureView, pid: int | None, width: int, most: int) -> list[Text]:
    """At most *most* lines on the worst finding about a process: how sure it is, its title, who
    waits for whom, and what room there is for its sentence; what was not read, where otherwise it
    would say that nothing is wrong."""
    findings = view.findings_of(pid)
    calm = not findings or findings[0].severity is Severity.NOTE
    gaps = _gap_lines(view, pid, width) if calm and view.capture.complete else []
    if not findings:
        return gaps
    worst = findings[0]
    most -= len(gaps)
    if most < 1:
        return gaps
    chain = chain_lines(view, worst, width, min(most // 2, _CHAIN))
    title = list(_title_lines(worst, width, max(most - len(chain), 1)))
    if chain and (lasting := since(view, worst)):
        behind = f"{chain[-1].plain} · {lasting}"
        chain[-1] = Text(behind if cell_len(behind) <= width else chain[-1].plain)
    said = [Text(line) for line in wrap(worst.sentence, width, " ")]
    # The chain says in one line what the sentence says in four.
    room = most - len(title) - len(chain)
    if len(said) > room:
        said = said[: max(room, 0)]
        if said:
            said[-1] = Text(cut(f"{said[-1].plain} …", width))
    return [*gaps, *[*title, *chain, *said][:most]]


def badge_of(finding: Finding) -> str:
    """How bad it is, and how sure: ``X proven``."""
    return f"{SEVERITY_SIGNS[finding.severity]} {finding.certainty.value}"


def _title_lines(finding: Finding, width: int, most: int) -> Iterator[Text]:
    badge = f" {badge_of(finding)} "
    lines = wrap(finding.title, width, " " * (len(badge) + 1))
    if len(lines) > most:
        lines = [*lines[: most - 1], cut(f"{lines[most - 1]} …", width)]
    first, *rest = lines
    yield Text.assemble((badge, SEVERITY_STYLES[finding.severity]), (first[len(badge) :], HEADING))
    yield from (Text(line, HEADING) for line in rest)


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
    first, *rest = wrap(message, width, " " * (len(NOT_READ) + 1))
    style = SEVERITY_STYLES[Severity.WARNING]
    yield Text.assemble((NOT_READ, style), (first[len(NOT_READ) :], HEADING))
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
        return f"{moved} of {labels.plural(len(ids), 'thread')} moved"
    if not stays:
        return ""
    rest_s = min(stay.rest_s for stay in stays)
    if rest_s > 0:
        return f"not run for ≥{labels.duration(rest_s)}"
    counted = all(view.threads[one].runs is not None for one in ids if one in view.threads)
    ran = ", but ran" if counted else ""
    return f"same place for ~{labels.duration(min(stay.seconds for stay in stays))}{ran}"


def partner_of(view: CaptureView, unit: str) -> str | None:
    """Another thread or task that *unit* waits for, directly or through what that one holds."""
    node_id = unit
    for _ in range(8):
        wait = view.graph.wait_of(node_id)
        if wait is None:
            return None
        holds = view.graph.holders_of(wait.target)
        node_id = holds[0].target if holds else wait.target
        if node_id == unit:
            return None
        if node_id in view.threads or node_id in view.tasks:
            return node_id
    return None
