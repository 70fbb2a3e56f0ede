"""``hangtui watch``: waits beside running processes for their crash or their hang."""

import argparse
import signal
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from hangtui.backends.monitor.session import Session, waiting_for_children
from hangtui.backends.monitor.tracer import Tracer
from hangtui.cli import output
from hangtui.cli.catching import Keeper, Kept
from hangtui.cli.choice import chosen
from hangtui.cli.durations import seconds
from hangtui.cli.metrics import Metrics
from hangtui.cli.on_hang import OnHang
from hangtui.cli.targets import parse_pids
from hangtui.model import TargetError, UsageError, clean


def run(args: argparse.Namespace) -> int:
    """Wait until the processes have ended; 1 if one crashed, hung, or was killed for memory."""
    pids = parse_pids(args.pids)
    folder = Path(args.directory)
    if not folder.is_dir():
        raise UsageError(f"{clean(args.directory)} is not a directory", f"mkdir -p {folder}")
    if args.keep < 1:
        raise UsageError("--keep must be at least 1")
    hang_after = None if args.hang_after == "never" else seconds(args.hang_after)
    on_hang = OnHang(args.on_hang, args.on_crash, seconds(args.on_limit))
    metrics = Metrics(_metrics_file(args.metrics))

    def tell(kept: Kept) -> None:
        metrics.count(kept)
        on_hang.tell(kept)

    keeper = Keeper(folder, args.keep, choice=chosen(args), then=tell)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    with waiting_for_children():
        session = Session(keeper.receive, output.say, hang_after)
        watched = _seize(session.tracer, pids, children=args.children)
        output.say(f"hangtui: watching {_named(watched)}; captures go to {clean(str(folder))}")
        metrics.watching(len(watched))
        session.watch(*watched)
        metrics.watching(0)
    output.say(f"hangtui: {_named(watched)} {'has' if len(watched) == 1 else 'have'} ended")
    return 1 if keeper.kept else 0


def _metrics_file(name: str | None) -> Path | None:
    """Where metrics go.

    Raises:
        UsageError: node_exporter would not read a file of that name there.
    """
    if name is None:
        return None
    path = Path(name)
    if path.suffix != ".prom" or not path.parent.is_dir():
        raise UsageError(
            f"{clean(name)} is no .prom file in a directory that is there",
            "--metrics /var/lib/prometheus/node-exporter/hangtui.prom",
        )
    return path


def _seize(tracer: Tracer, pids: Sequence[int], *, children: bool) -> list[int]:
    """Those that can be watched; the others are complained of.

    Raises:
        TargetError: none can be.
    """
    watched: list[int] = []
    failures: list[TargetError] = []
    for pid in pids:
        try:
            tracer.seize(pid)
        except TargetError as error:
            failures.append(error)
            continue
        watched.append(pid)
        if children:
            tracer.seize_children(pid)
    if not watched:
        raise failures[0]
    for failure in failures:
        output.complain(failure)
    return watched


def _named(pids: Sequence[int]) -> str:
    return f"process{'' if len(pids) == 1 else 'es'} {', '.join(map(str, pids))}"


def _end(number: int, _frame: FrameType | None) -> None:
    """Let go of the process: the kernel does so when we end, and it runs on."""
    raise SystemExit(128 + number)
