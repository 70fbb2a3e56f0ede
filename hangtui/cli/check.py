"""``hangtui check``: an exit code that says whether there is a deadlock."""

import argparse

from hangtui import findings
from hangtui.cli import output, targets
from hangtui.model import Finding, Severity, clean


def run(args: argparse.Namespace) -> int:
    """Capture, judge, and print the findings."""
    asked, capture = targets.take(
        args.targets, children=args.children, native=args.native, sysroot=args.sysroot
    )
    found = findings.run(capture)
    output.write("".join(map(_lines, found)))
    if any(finding.severity is Severity.ERROR for finding in found):
        return 1
    targets.require_sight(asked, capture)
    if not found:
        pids = ", ".join(str(process.pid) for process in capture.processes)
        threads = len(capture.threads())
        plural = "" if threads == 1 else "s"
        output.write(f"nothing found in {pids}: {threads} thread{plural} looked at\n")
    return 0


def _lines(finding: Finding) -> str:
    head = f"{finding.severity}: {finding.title} [{finding.certainty}]"
    return f"{clean(head)}\n  {clean(finding.sentence)}\n"
