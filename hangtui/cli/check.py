"""``hangtui check``: looks several times, says what is wrong, and tells by its exit code."""

import argparse
import json
from collections.abc import Collection, Iterable
from dataclasses import asdict

from hangtui.analysis import coverage
from hangtui.analysis.whereabouts import told
from hangtui.cli import output, series, targets
from hangtui.cli.choice import chosen
from hangtui.cli.series import Looks
from hangtui.diagnosis import Diagnosis, diagnose
from hangtui.model import Capture, Certainty, Finding, Process, Severity, UsageError, clean
from hangtui.provider import CaptureRequest, NativeMode
from hangtui.report.below_title import below_title


def run(args: argparse.Namespace) -> int:
    """Capture, judge, and print the findings."""
    choice = chosen(args)
    asked, capture = _look(args)
    diagnosis = diagnose(capture, choice)
    hung = any(finding.severity is Severity.ERROR for finding in diagnosis.findings)
    bad = any(_counts(one, args.fail_on) for one in diagnosis.findings)
    overlooked = targets.overlooked(asked, capture, _wanted(asked, args))
    clear = not (hung or bad or overlooked)
    width = output.columns()
    output.write(_json(diagnosis, hung, clear) if args.json else text(diagnosis, width))
    if bad:
        return 1
    for error in overlooked:
        output.complain(error)
    if overlooked:
        return 2
    if not args.json and all(f.severity is Severity.NOTE for f in diagnosis.findings):
        output.write(_all_clear(diagnosis))
    return 0


def _counts(finding: Finding, fail_on: str) -> bool:
    """Whether a finding is what ``--fail-on`` asks for."""
    if fail_on == "proven":
        sure = finding.certainty in (Certainty.CERTAIN, Certainty.PROVEN)
        return sure and finding.severity is Severity.ERROR
    return finding.severity.rank <= Severity(fail_on).rank


def _wanted(asked: targets.Targets, args: argparse.Namespace) -> Collection[int] | None:
    """The processes that were asked for, None: all; those that they wait for may stay in the
    dark."""
    return None if args.all or asked.files or args.children else asked.pids


def _look(args: argparse.Namespace) -> tuple[targets.Targets, Capture]:
    if args.all and (args.targets or args.parent):
        raise UsageError(
            "--all looks at all Python processes: leave out the others", "hangtui check --all"
        )
    if args.looks < 1 or args.seconds < 0:
        raise UsageError("--looks is at least 1, --seconds at least 0")
    asked, capture = targets.Targets(), None
    if not args.all:
        asked, capture = targets.take(
            targets.words(args),
            children=args.children,
            native=args.native,
            sysroot=args.sysroot,
            follow=args.looks > 1,
        )
        if asked.files:
            return asked, capture
    request = CaptureRequest(asked.pids, args.children, NativeMode(args.native))
    looks = Looks(args.looks, args.seconds)
    if args.looks == 1:
        return asked, capture or targets.live(request)
    return asked, series.take(request, looks, capture)


def text(diagnosis: Diagnosis, width: int | None = None) -> str:
    """All findings, a few lines for each, which are broken at *width* columns; None: they are as
    long as they come, for who reads them line by line. Beside what is wrong, one line for each
    that is not."""
    found = diagnosis.findings
    trouble = any(finding.severity is not Severity.NOTE for finding in found)
    lines = (line for one in found for line in _lines(one, brief=trouble and one.is_well))
    if width is not None:
        lines = (part for line in lines for part in _broken(line, width))
    return "".join(f"{line}\n" for line in lines)


def _broken(line: str, width: int) -> list[str]:
    from hangtui.report.drawing import wrapped

    indent = " " * (len(line) - len(line.lstrip()))
    return wrapped(line.lstrip(), width, indent, f"{indent}  ")


def _all_clear(diagnosis: Diagnosis) -> str:
    """What was looked at. That nothing is wrong is said only if nobody merely waits."""
    capture = diagnosis.capture
    well = all(finding.is_well for finding in diagnosis.findings)
    what = "nothing wrong found" if well else "no error and no warning"
    dark = coverage.overlooked(capture)
    seen = [process for process in capture.processes if process.pid not in dark]
    pids, count = _pids(process.pid for process in seen), sum(len(p.threads) for p in seen)
    threads = f"{count} thread{'' if count == 1 else 's'} looked at{_watched(capture)}"
    rest = f"; not looked at well enough: {_pids(dark)}" if dark else ""
    return f"{what} in {pids}: {threads}{rest}\n"


def _pids(pids: Iterable[int]) -> str:
    return ", ".join(map(str, pids))


def _lines(finding: Finding, *, brief: bool) -> list[str]:
    head = f"{finding.severity}: {finding.title} [{finding.certainty}]"
    if brief:
        return [clean(head)]
    lines = [
        below_title(finding),
        f"where: {told(finding.where)}" if finding.where else "",
        f"try: {finding.advice[0]}" if finding.advice and not finding.is_well else "",
    ]
    return [clean(head), *(f"  {clean(line)}" for line in lines if line)]


def _watched(capture: Capture) -> str:
    longest = max((one.lasted_s for one in capture.progress), default=0.0)
    looks = max((one.looks for one in capture.progress), default=1)
    return f", {looks} times in {longest:.1f} s" if looks > 1 else ""


def _json(diagnosis: Diagnosis, hung: bool, clear: bool) -> str:
    from hangtui.report.json_finding import finding_to_dict
    from hangtui.report.json_report import notice_to_dict, progress_to_dict

    capture = diagnosis.capture
    result = {
        "schema": "hangtui.check/1",
        "taken_at": capture.taken_at,
        "host": capture.host,
        "hung": hung,
        "all_clear": clear,
        "processes": [_process(process, diagnosis) for process in capture.processes],
        "findings": [finding_to_dict(finding) for finding in diagnosis.findings],
        "undecided": [{"rule": rule, "reason": reason} for rule, reason in diagnosis.undecided],
        "progress": [progress_to_dict(one) for one in capture.progress],
        "notices": [notice_to_dict(notice) for notice in capture.notices],
    }
    return json.dumps(result, indent=2) + "\n"


def _process(process: Process, diagnosis: Diagnosis) -> dict[str, object]:
    about = [f for f in diagnosis.findings if any(ref.pid == process.pid for ref in f.threads)]
    return {
        "pid": process.pid,
        "title": process.title,
        "threads": len(process.threads),
        "worst": about[0].severity if about else None,
        "findings": [finding.id for finding in about],
        "gaps": [asdict(gap) for gap in coverage.gaps(diagnosis.capture, process)],
    }
