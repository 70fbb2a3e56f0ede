"""``hangtui dump``: a report on standard output."""

import argparse
import shutil
import sys

from hangtui.cli import output, targets
from hangtui.model import Capture

_FILE_WIDTH = 100
_NARROWEST, _WIDEST = 60, 160


def run(args: argparse.Namespace) -> int:
    """Capture, and print."""
    _, capture = targets.take(
        args.targets, children=args.children, native=args.native, sysroot=args.sysroot
    )
    text = _report(capture, args)
    if args.output:
        from hangtui.capture_file import write_private

        write_private(args.output, text.encode("utf-8", "backslashreplace"))
    else:
        output.write(text)
    targets.require_some_sight(capture)
    return 0


def _report(capture: Capture, args: argparse.Namespace) -> str:
    if args.json:
        from hangtui.report.json_report import to_json

        return to_json(capture) + "\n"
    if args.md:
        from hangtui.report.markdown import to_markdown

        return to_markdown(capture)
    from hangtui.report.text_report import to_text

    to_screen = not args.output and sys.stdout is not None and sys.stdout.isatty()
    columns = shutil.get_terminal_size((_FILE_WIDTH, 24)).columns if to_screen else _FILE_WIDTH
    ascii_only = not args.output and not output.unicode_output()
    return to_text(capture, max(_NARROWEST, min(columns, _WIDEST)), ascii_only=ascii_only)
