"""``hangtui doctor``: what works here, and the exact fix for what does not."""

import argparse
import shutil

from hangtui.backends.doctor import examination
from hangtui.cli import output, targets
from hangtui.report.doctor_report import to_json, to_text


def run(args: argparse.Namespace) -> int:
    """Examine, and print; 2 if no captures can be taken."""
    checkup = examination.examine(targets.parse_pid(args.pid) if args.pid else None)
    width = max(60, min(shutil.get_terminal_size((100, 24)).columns, 160))
    output.write(to_json(checkup) + "\n" if args.json else to_text(checkup, width))
    return 0 if checkup.healthy else 2
