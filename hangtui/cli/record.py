"""``hangtui record``: a capture into a file."""

import argparse

from hangtui.cli import output, targets
from hangtui.model import clean


def run(args: argparse.Namespace) -> int:
    """Capture, and write."""
    from hangtui.capture_file import save

    # A PID only: a file that is recorded again would be a copy.
    targets.parse_pids(args.targets)
    _, capture = targets.take(args.targets, children=args.children, native=args.native)
    save(capture, args.output)
    processes, threads = len(capture.processes), len(capture.threads())
    output.say(
        f"wrote {clean(args.output)}: {processes} process{'' if processes == 1 else 'es'}, "
        f"{threads} thread{'' if threads == 1 else 's'}"
    )
    for notice in capture.notices:
        output.say(f"{notice.source}: {notice.message}")
        if notice.fix:
            output.say(f"  fix: {notice.fix}")
    return 0
