"""``hangtui run``: a command on this terminal, captured when it crashes or hangs."""

import argparse
import contextlib
import os
import shlex
import signal
import sys
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from types import FrameType

from hangtui.backends.monitor.child import TYPED, Child, pass_on, untraced
from hangtui.backends.monitor.session import Occasion, Session, waiting_for_children
from hangtui.backends.tools import scratch
from hangtui.cli import output
from hangtui.cli.aborting import ABORTED, Abortion
from hangtui.cli.catching import Keeper, Kept
from hangtui.cli.durations import seconds
from hangtui.cli.signals import handled
from hangtui.model import TargetError, UsageError, clean

_KEEP = 20


def run(args: argparse.Namespace) -> int:
    """Run the command to its end; its own exit status, 128 and the number for a signal, `ABORTED`
    if it hung and was ended for that."""
    words = args.command[1:] if args.command[:1] == ["--"] else args.command
    if not words:
        raise UsageError("no command to run", "hangtui run -- python server.py")
    hang_after = seconds(args.hang_after) if args.hang_after else None
    fixed = Path(args.output) if args.output else None
    core = Path(args.core) if args.core else None
    if args.hang_abort and hang_after is None:
        raise UsageError(
            "--hang-abort needs a time", "hangtui run --hang-after 5m --hang-abort -- ..."
        )
    keeper = Keeper(_folder(fixed), _KEEP, any_stillness=True, fixed=fixed)
    with waiting_for_children(*TYPED) as mask:
        child = Child(words, mask)
        heard = dict.fromkeys(TYPED, partial(pass_on, pid=child.pid))
        abortion = Abortion(child.pid, keeper.receive) if args.hang_abort else None
        receive = abortion.receive if abortion else keeper.receive
        with _passing_signals_to(child.pid):
            status = _watched(child, Session(receive, output.say, hang_after, core, heard))
    child.require_started(status)
    code = os.waitstatus_to_exitcode(status)
    if keeper.kept and not args.no_open and _has_terminal():
        _show(keeper.kept)
    if abortion is not None and abortion.done:
        return ABORTED
    return code if code >= 0 else 128 - code


def _watched(child: Child, session: Session) -> int:
    """Let the child run to its end; its wait status."""
    try:
        child.seize(session.tracer)
    except TargetError as error:
        output.say(f"hangtui: {error.message}: its crash will not be captured")
        child.go()
        return untraced(child)
    child.go()
    status = session.watch(child.pid).get(child.pid)
    if status is None:
        raise TargetError("hangtui lost track of the command")
    return status


def _folder(fixed: Path | None) -> Path:
    """Where captures go: here, or where everybody may write."""
    if fixed is not None:
        if not fixed.parent.is_dir():
            raise UsageError(
                f"{clean(str(fixed.parent))} is not a directory",
                f"mkdir -p {shlex.quote(clean(str(fixed.parent)))}",
            )
        return fixed.parent
    here = Path()
    if os.access(here, os.W_OK):
        return here
    return scratch.place()


def _passing_signals_to(pid: int) -> AbstractContextManager[None]:
    """Pass on to it what is sent to us; what a terminal may send is `TYPED`."""

    def pass_it_on(number: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)

    passed = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
    return handled(passed, pass_it_on)


def _has_terminal() -> bool:
    streams = (sys.stdin, sys.stdout, sys.stderr)
    dumb = os.environ.get("TERM", "dumb") in ("", "dumb")
    return not dumb and all(stream is not None and stream.isatty() for stream in streams)


def _show(kept: list[Kept]) -> None:
    """The screens over the last crash, else over the last capture."""
    from hangtui.cli.file_provider import FileProvider
    from hangtui.provider import CaptureRequest
    from hangtui.tui.running import run_app

    _take_terminal()
    crashes = [one for one in kept if one.caught.occasion is not Occasion.STILL]
    capture = (crashes or kept)[-1].caught.capture
    run_app(FileProvider((capture,)), CaptureRequest())


def _take_terminal() -> None:
    """Become the terminal's foreground again, if the command had its own process group there."""
    before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.tcsetpgrp(sys.stdin.fileno(), os.getpgrp())
    signal.signal(signal.SIGTTOU, before)
