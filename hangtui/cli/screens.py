"""``hangtui`` and ``hangtui open``: the screens, over live processes or files."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hangtui.cli import targets
from hangtui.cli.collector import spared
from hangtui.cli.several import in_order
from hangtui.debugger import DebuggerFactory
from hangtui.model import Capture, UsageError
from hangtui.powers import Powers
from hangtui.provider import CaptureProvider, CaptureRequest, NativeMode

if TYPE_CHECKING:
    from hangtui.tui.lesson import Step


def run_live(args: argparse.Namespace) -> int:
    """The screens over live processes."""
    pids = targets.parse_pids(args.targets)
    missing = [pid for pid in pids if not Path(f"/proc/{pid}").is_dir()]
    if missing and len(missing) == len(pids):
        from hangtui.backends.process import processes

        raise processes.missing(*missing)
    require_terminal(f"hangtui dump {' '.join(map(str, pids)) or 'PID'}")
    from hangtui.backends.debugger.factories import LiveDebuggers
    from hangtui.backends.provider import LiveProvider

    native = NativeMode(args.native)
    if not pids and not args.children and not os.environ.get("TEXTUAL_DRIVER"):
        return _show_list(args, native)
    request = CaptureRequest(pids, args.children, native, follow=bool(pids))
    return _show(LiveProvider(), request, args, LiveDebuggers(_powers(args)))


def _show_list(args: argparse.Namespace, native: NativeMode) -> int:
    """The list of all processes; Esc leads from each back to it."""
    from hangtui.backends.debugger.factories import LiveDebuggers
    from hangtui.backends.machine.provider import LiveMachine
    from hangtui.backends.process.discovery import python_pids
    from hangtui.backends.provider import LiveProvider
    from hangtui.tui.app import BACK
    from hangtui.tui.running import run_list

    def show(pids: tuple[int, ...]) -> int:
        request = CaptureRequest(pids, native=native, follow=bool(pids))
        return _show(LiveProvider(), request, args, LiveDebuggers(_powers(args)), listed=True)

    only = python_pids()
    if len(only) == 1 and (status := show(tuple(only))) != BACK:
        return status  # as in most containers: there was nothing to choose from
    return run_list(
        LiveProvider(),
        LiveMachine(),
        show,
        ascii=args.ascii,
        colours=args.theme,
        mouse=not args.no_mouse,
    )


def run_open(args: argparse.Namespace) -> int:
    """The screens over files."""
    from hangtui.backends.debugger.factories import CoreDebuggers
    from hangtui.cli.file_provider import FileProvider
    from hangtui.cli.files import is_core, load

    with spared():
        captures = {file: load(file, args.sysroot) for file in dict.fromkeys(args.files)}
    require_terminal(f"hangtui dump {' '.join(args.files)}")
    cores = {
        process.pid: file
        for file, capture in captures.items()
        if is_core(file)
        for process in capture.processes
    }
    with spared():
        provider = FileProvider(in_order(list(captures.values())))
    debuggers = CoreDebuggers(cores, args.sysroot or "", _powers(args))
    return _show(provider, CaptureRequest(), args, debuggers)


def show_captures(captures: Sequence[Capture], args: argparse.Namespace) -> int:
    """The screens over what was read already."""
    from hangtui.backends.debugger.factories import CoreDebuggers
    from hangtui.cli.file_provider import FileProvider

    debuggers = CoreDebuggers({}, "", _powers(args))
    return _show(FileProvider(captures), CaptureRequest(), args, debuggers)


def teach(
    provider: CaptureProvider,
    request: CaptureRequest,
    steps: "Sequence[Step]",
    debuggers: DebuggerFactory,
    args: argparse.Namespace,
) -> int:
    """The screens with a line that says what to press next."""
    from hangtui.tui.app import HangtuiApp
    from hangtui.tui.keymap import keymap_path, load_keymap
    from hangtui.tui.lesson import Lesson
    from hangtui.tui.running import run

    app = HangtuiApp(
        provider,
        request,
        ascii=args.ascii,
        colours=args.theme,
        debuggers=debuggers,
        keymap=load_keymap(keymap_path(os.environ)),
    )
    app.lesson = Lesson(steps)
    return run(app, mouse=not args.no_mouse)


def _powers(args: argparse.Namespace) -> Powers:
    return Powers.of(console=args.allow_console, stop=args.allow_stop, served=args.served)


def _show(
    provider: CaptureProvider,
    request: CaptureRequest,
    args: argparse.Namespace,
    debuggers: DebuggerFactory,
    *,
    listed: bool = False,
) -> int:
    from hangtui.tui.running import run_app

    return run_app(
        provider,
        request,
        ascii=args.ascii,
        colours=args.theme,
        mouse=not args.no_mouse,
        debuggers=debuggers,
        listed=listed,
    )


def require_terminal(instead: str) -> None:
    """Raises: UsageError: there is none; *instead* is what to type then."""
    if os.environ.get("TEXTUAL_DRIVER"):
        return  # a browser shows the screens
    dumb = os.environ.get("TERM", "dumb") in ("", "dumb")
    # Textual reads keys from standard input and paints on standard error.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    if dumb or not all(stream is not None and stream.isatty() for stream in streams):
        why = "TERM is dumb or unset" if dumb else "input and output are not one"
        raise UsageError(f"the screens need a terminal, and {why}", instead)
