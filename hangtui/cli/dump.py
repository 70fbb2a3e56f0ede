"""``hangtui dump``: a report on standard output."""

import argparse
import gc
import shutil
import sys

from hangtui.cli import followed, output, targets
from hangtui.cli.choice import chosen
from hangtui.model import Capture, Finding

_GC_THRESHOLDS = 100_000, 50, 100
_FILE_WIDTH = 100
_NARROWEST, _WIDEST = 60, 160


def run(args: argparse.Namespace) -> int:
    """Capture, and print."""
    # Modules and facts stay until the end: looking for garbage would be a tenth of the time.
    gc.set_threshold(*_GC_THRESHOLDS)
    choice = chosen(args)
    capture = followed.take(targets.words(args), args, args.sysroot)
    text = _report(capture, choice.findings(capture), args)
    if args.output:
        from hangtui.capture_file import write_private

        write_private(args.output, text.encode("utf-8", "backslashreplace"))
    else:
        output.write(text)
    targets.require_some_sight(capture)
    return 0


def _report(capture: Capture, found: tuple[Finding, ...], args: argparse.Namespace) -> str:
    if args.json:
        from hangtui.report.json_report import to_json

        return to_json(capture, found=found) + "\n"
    if args.md:
        from hangtui.report.markdown import to_markdown

        return to_markdown(capture, found)
    if args.svg or args.mermaid or args.dot:
        return _drawing(capture, found, args)
    from hangtui.report.text_report import to_text

    to_screen = not args.output and sys.stdout is not None and sys.stdout.isatty()
    columns = shutil.get_terminal_size((_FILE_WIDTH, 24)).columns if to_screen else _FILE_WIDTH
    ascii_only = not args.output and not output.unicode_output()
    width = max(_NARROWEST, min(columns, _WIDEST))
    return to_text(capture, width, ascii_only=ascii_only, found=found)


def _drawing(capture: Capture, found: tuple[Finding, ...], args: argparse.Namespace) -> str:
    if args.svg:
        from hangtui.report.svg import to_svg

        return to_svg(capture, found=found)
    if args.mermaid:
        from hangtui.report.mermaid import to_mermaid

        return to_mermaid(capture)
    from hangtui.report.dot import to_dot

    return to_dot(capture)
