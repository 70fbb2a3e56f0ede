"""``hangtui dump``: a report on standard output."""

import argparse
import shutil
import sys

from hangtui.cli import output, targets
from hangtui.cli.choice import chosen
from hangtui.cli.durations import seconds
from hangtui.diagnosis import Diagnosis, diagnose

_READING = 0.7
"""The share of the time that a report may take that is for reading; the rest is for its text."""
_FILE_WIDTH = 100
_NARROWEST, _WIDEST = 60, 160


def run(args: argparse.Namespace) -> int:
    """Capture, and print."""
    choice = chosen(args)
    _, capture = targets.take(
        targets.words(args),
        children=args.children,
        native=args.native,
        sysroot=args.sysroot,
        follow=True,
        within_s=None if args.within is None else _READING * seconds(args.within),
    )
    text = _report(diagnose(capture, choice), args)
    if args.output:
        from hangtui.capture_file import write_private

        write_private(args.output, text.encode("utf-8", "backslashreplace"))
    else:
        output.write(text)
    targets.require_some_sight(capture)
    return 0


def _report(diagnosis: Diagnosis, args: argparse.Namespace) -> str:
    if args.json:
        from hangtui.report.json_report import to_json

        return to_json(diagnosis) + "\n"
    if args.md:
        from hangtui.report.markdown import to_markdown

        return to_markdown(diagnosis)
    if args.svg or args.mermaid or args.dot:
        return _drawing(diagnosis, args)
    from hangtui.report.text_report import to_text

    to_screen = not args.output and sys.stdout is not None and sys.stdout.isatty()
    columns = shutil.get_terminal_size((_FILE_WIDTH, 24)).columns if to_screen else _FILE_WIDTH
    ascii_only = not args.output and not output.unicode_output()
    width = max(_NARROWEST, min(columns, _WIDEST))
    return to_text(diagnosis, width, ascii_only=ascii_only)


def _drawing(diagnosis: Diagnosis, args: argparse.Namespace) -> str:
    if args.svg:
        from hangtui.report.svg import to_svg

        return to_svg(diagnosis)
    if args.mermaid:
        from hangtui.report.mermaid import to_mermaid

        return to_mermaid(diagnosis)
    from hangtui.report.dot import to_dot

    return to_dot(diagnosis)
