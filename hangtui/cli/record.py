"""``hangtui record``: a capture into a file."""

import argparse
import time
from pathlib import Path

from hangtui.cli import output, series, targets
from hangtui.cli.series import Looks
from hangtui.model import UsageError, clean
from hangtui.provider import CaptureRequest, NativeMode

MOST = 1000
"""Captures in a row."""


def run(args: argparse.Namespace) -> int:
    """Capture, and write, as often as asked for."""
    if not 1 <= args.times <= MOST or not 0 <= args.every <= 3600:
        raise UsageError(f"--times is 1 to {MOST}, --every 0 to 3600 seconds")
    if args.all == bool(args.targets):
        raise UsageError("give the processes, or --all", "hangtui record PID -o x.hang")
    if args.looks < 1:
        raise UsageError("--looks is at least 1")
    # A PID only: a file that is recorded again would be a copy.
    targets.parse_pids(args.targets)
    for number in range(1, args.times + 1):
        started = time.monotonic()
        _record(args, numbered(args.output, number) if args.times > 1 else args.output)
        if number < args.times:
            time.sleep(max(args.every - (time.monotonic() - started), 0.0))
    return 0


def numbered(name: str, number: int) -> str:
    """``stuck-3.hang`` for ``stuck.hang``."""
    path = Path(name)
    return str(path.with_name(f"{path.stem}-{number}{path.suffix}"))


def _record(args: argparse.Namespace, name: str) -> None:
    from hangtui.capture_file import save

    if args.all or args.looks > 1:
        pids = () if args.all else targets.parse_pids(args.targets)
        request = CaptureRequest(pids, args.children, NativeMode(args.native), follow=bool(pids))
        looks = Looks(args.looks)
        capture = series.take(request, looks) if args.looks > 1 else targets.live(request)
    else:
        _, capture = targets.take(
            args.targets, children=args.children, native=args.native, follow=True
        )
    save(capture, name)
    processes = output.counted(len(capture.processes), "process", "processes")
    threads = output.counted(len(capture.threads()), "thread", "threads")
    output.say(f"wrote {clean(name)}: {processes}, {threads}")
    for notice in capture.notices:
        output.say(f"{notice.source}: {notice.message}")
        if notice.fix:
            output.say(f"  fix: {notice.fix}")
