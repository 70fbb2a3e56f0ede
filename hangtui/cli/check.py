"""``hangtui check``: an exit code that says whether there is a deadlock."""

import argparse

from hangtui import findings
from hangtui.analysis.coverage import unread
from hangtui.cli import output, targets
from hangtui.model import Capture, Finding, Severity, TargetError, clean


def run(args: argparse.Namespace) -> int:
    """Capture, judge, and print the findings."""
    asked, capture = targets.take(args.targets, children=args.children, native=args.native)
    found = findings.run(capture)
    output.write("".join(map(_lines, found)))
    if any(finding.severity is Severity.ERROR for finding in found):
        return 1
    _require_sight(asked, capture)
    if not found:
        pids = ", ".join(str(process.pid) for process in capture.processes)
        threads = len(capture.threads())
        plural = "" if threads == 1 else "s"
        output.write(f"nothing found in {pids}: {threads} thread{plural} looked at\n")
    return 0


def _lines(finding: Finding) -> str:
    head = f"{finding.severity}: {finding.title} [{finding.certainty}]"
    return f"{clean(head)}\n  {clean(finding.sentence)}\n"


def _require_sight(asked: targets.Targets, capture: Capture) -> None:
    """Whoever cannot see must not say that all is well."""
    missing = [pid for pid in asked.pids if capture.process(pid) is None]
    blind = [*missing, *(process.pid for process in unread(capture))]
    if not blind and capture.processes:
        return
    notice = next((n for n in capture.notices if n.pid is None or n.pid in blind), None)
    pids = ", ".join(map(str, blind)) or "any process"
    why = f": {notice.message}" if notice else ""
    raise TargetError(f"cannot look into {pids}{why}", notice.fix if notice else None)
