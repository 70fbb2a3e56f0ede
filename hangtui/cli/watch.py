"""``hangtui watch``: waits beside running processes for their crash or their hang."""

import argparse
import signal
from pathlib import Path
from types import FrameType

from hangtui.backends import procfs
from hangtui.backends.catch.session import Session, waiting_for_children
from hangtui.cli import output
from hangtui.cli.catching import Keeper
from hangtui.cli.durations import seconds
from hangtui.cli.targets import parse_pid
from hangtui.model import UsageError, clean


def run(args: argparse.Namespace) -> int:
    """Wait until the process has ended; 1 if it crashed, hung, or was killed for memory."""
    pid = parse_pid(args.pid)
    if not Path(f"/proc/{pid}").is_dir():
        raise procfs.missing(pid)
    folder = Path(args.directory)
    if not folder.is_dir():
        raise UsageError(f"{clean(args.directory)} is not a directory", f"mkdir -p {folder}")
    if args.keep < 1:
        raise UsageError("--keep must be at least 1")
    hang_after = None if args.hang_after == "never" else seconds(args.hang_after)
    keeper = Keeper(folder, args.keep)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    with waiting_for_children():
        session = Session(keeper.receive, output.say, hang_after)
        session.tracer.seize(pid)
        output.say(f"hangtui: watching process {pid}; captures go to {clean(str(folder))}")
        session.watch(pid)
    output.say(f"hangtui: process {pid} has ended")
    return 1 if keeper.kept else 0


def _end(number: int, _frame: FrameType | None) -> None:
    """Let go of the process: the kernel does so when we end, and it runs on."""
    raise SystemExit(128 + number)
