"""``hangtui check``: looks several times, says what is wrong, and tells by its exit code."""

import argparse
import json
from collections.abc import Iterable
from dataclasses import replace

from hangtui.analysis.coverage import partly, unread
from hangtui.cli import output, series, targets
from hangtui.cli.choice import chosen
from hangtui.cli.series import Looks
from hangtui.findings import Verdict
from hangtui.model import Capture, Finding, Process, Severity, UsageError, clean
from hangtui.provider import CaptureRequest, NativeMode


def run(args: argparse.Namespace) -> int:
    """Capture, judge, and print the findings."""
    choice = chosen(args)
    asked, capture = _look(args)
    verdict = choice.verdict(capture)
    bad = any(finding.severity is Severity.ERROR for finding in verdict.findings)
    output.write(_json(capture, verdict, bad) if args.json else _text(verdict))
    if bad:
        return 1
    _require_sight(asked, capture, args)
    if not args.json and all(f.severity is Severity.NOTE for f in verdict.findings):
        output.write(_all_clear(capture))
    return 0


def _require_sight(asked: targets.Targets, capture: Capture, args: argparse.Namespace) -> None:
    """Of those that were asked for; others may stay in the dark.

    Raises:
        TargetError: one of them could not be read, or with --all none.
    """
    if args.all:
        for notice in capture.notices:
            output.say(f"{notice.source}: {notice.message}")
        targets.require_some_sight(capture)
    elif asked.files or args.children:
        targets.require_sight(asked, capture)
    else:
        own = tuple(process for process in capture.processes if process.pid in asked.pids)
        targets.require_sight(asked, replace(capture, processes=own))


def _look(args: argparse.Namespace) -> tuple[targets.Targets, Capture]:
    if args.all and (args.targets or args.parent):
        raise UsageError("--all looks at all Python processes: leave out the others")
    if args.looks < 1 or args.seconds < 0:
        raise UsageError("--looks is at least 1, --seconds at least 0")
    asked, capture = targets.Targets(), None
    if not args.all:
        asked, capture = targets.take(
            targets.words(args), children=args.children, native=args.native, sysroot=args.sysroot
        )
        if asked.files:
            return asked, capture
    request = CaptureRequest(asked.pids, args.children, NativeMode(args.native))
    looks = Looks(args.looks, args.seconds)
    if args.looks == 1:
        return asked, capture or targets.live(request)
    return asked, series.take(request, looks, capture)


def _text(verdict: Verdict) -> str:
    return "".join(map(_lines, verdict.findings))


def _all_clear(capture: Capture) -> str:
    dark, partial = unread(capture), partly(capture)
    seen = [process for process in capture.processes if process not in (*dark, *partial)]
    pids, count = _pids(seen), sum(len(process.threads) for process in seen)
    threads = f"{count} thread{'' if count == 1 else 's'} looked at{_watched(capture)}"
    rest = f"; {_pids(dark)} could not be looked into" if dark else ""
    rest += f"; {_pids(partial)} could be read only in part" if partial else ""
    return f"nothing wrong found in {pids or 'the others'}: {threads}{rest}\n"


def _pids(processes: Iterable[Process]) -> str:
    return ", ".join(str(process.pid) for process in processes)


def _lines(finding: Finding) -> str:
    head = f"{finding.severity}: {finding.title} [{finding.certainty}]"
    return f"{clean(head)}\n  {clean(finding.sentence)}\n"


def _watched(capture: Capture) -> str:
    longest = max((one.lasted_s for one in capture.progress), default=0.0)
    looks = max((one.looks for one in capture.progress), default=1)
    return f", {looks} times in {longest:.1f} s" if looks > 1 else ""


def _json(capture: Capture, verdict: Verdict, bad: bool) -> str:
    from hangtui.report.json_report import finding_to_dict, notice_to_dict, progress_to_dict

    result = {
        "schema": "hangtui.check/1",
        "taken_at": capture.taken_at,
        "host": capture.host,
        "hung": bad,
        "processes": [_process(process, verdict) for process in capture.processes],
        "findings": [finding_to_dict(finding) for finding in verdict.findings],
        "undecided": [{"rule": rule, "reason": reason} for rule, reason in verdict.undecided],
        "progress": [progress_to_dict(one) for one in capture.progress],
        "notices": [notice_to_dict(notice) for notice in capture.notices],
    }
    return json.dumps(result, indent=2) + "\n"


def _process(process: Process, verdict: Verdict) -> dict[str, object]:
    about = [f for f in verdict.findings if any(ref.pid == process.pid for ref in f.threads)]
    return {
        "pid": process.pid,
        "title": process.title,
        "threads": len(process.threads),
        "worst": about[0].severity if about else None,
        "findings": [finding.id for finding in about],
    }
