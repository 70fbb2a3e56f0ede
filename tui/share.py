"""The paragraph for those who were not there: what hangs, who waits for whom, how that is known."""

from collections.abc import Iterator

from hangtui.analysis.whereabouts import told
from hangtui.model import Finding, clean
from hangtui.tui.rows.chain import chain_lines
from hangtui.tui.rows.labels import plural
from hangtui.tui.rows.verdict import badge_of
from hangtui.tui.session import CaptureView

_WIDTH = 400
_EVIDENCE = 4


def paragraph(view: CaptureView, pid: int | None) -> str:
    """The worst finding about a process, None: about all, with its lines, versions and evidence."""
    finding = next(iter(view.findings_of(pid)), None)
    lines = _of_finding(view, finding) if finding else _of_none(view)
    return "\n".join([*lines, *_of_capture(view, pid)]) + "\n"


def _of_finding(view: CaptureView, finding: Finding) -> Iterator[str]:
    yield f"[{badge_of(finding)}] {clean(finding.title)}"
    yield from (line.plain.strip() for line in chain_lines(view, finding, _WIDTH, 3))
    yield clean(finding.sentence)
    if finding.where:
        yield f"Where: {clean(told(finding.where))}"
    yield from (f"Known by: {clean(text)}" for text in finding.evidence[:_EVIDENCE])
    if (more := len(finding.evidence) - _EVIDENCE) > 0:
        yield f"Known by: {more} more"
    yield from (f"Not known: {clean(text)}" for text in finding.unknown)


def _of_none(view: CaptureView) -> Iterator[str]:
    yield "No rule found anything." if view.capture.complete else "Not everything was read yet."


def _of_capture(view: CaptureView, pid: int | None) -> Iterator[str]:
    capture = view.capture
    for process in capture.chosen(pid):
        python = f", {process.python.title}" if process.python else ""
        count = plural(len(process.threads), "thread")
        yield f"Process {process.pid} ({clean(process.title)}){python}, {count}"
    stop = "without stopping it" if not view.stopped_ms else f"stopped {view.stopped_ms:.1f} ms"
    tool = f"{clean(capture.tool.name)} {clean(capture.tool.version)}"
    yield f"Read on {clean(capture.host)} at {clean(capture.taken_at)} by {tool}, {stop}"
