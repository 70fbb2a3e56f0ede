"""Running the application so that the terminal is restored and the exit waits for nobody."""

import asyncio
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from hangtui.debugger import DebuggerFactory
from hangtui.machine import Machine
from hangtui.model import clean
from hangtui.provider import CaptureProvider, CaptureRequest, MachineProvider
from hangtui.tui.app import BACK, HangtuiApp
from hangtui.tui.appearance import PlainApp
from hangtui.tui.keymap import keymap_path, load_keymap
from hangtui.tui.machine.app import MachineApp

GRACE_S = 3.0
"""How long what still runs at the end may take to let a target go."""
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_LOOK_MS = 5000
NOTHING_READ = 2
GONE = 128 + signal.SIGHUP


def run_app(
    provider: CaptureProvider,
    request: CaptureRequest,
    *,
    ascii: bool = False,  # noqa: A002
    colours: str | None = None,
    mouse: bool = True,
    debuggers: DebuggerFactory | None = None,
    listed: bool = False,
) -> int:
    """Show the screens until the user quits; the exit status, or `BACK`."""
    keymap = load_keymap(keymap_path(os.environ))
    app = HangtuiApp(
        provider,
        request,
        ascii=ascii,
        colours=colours,
        debuggers=debuggers,
        keymap=keymap,
        listed=listed,
    )
    return run(app, mouse=mouse)


def run_list(
    provider: CaptureProvider,
    glances: MachineProvider,
    show: Callable[[tuple[int, ...]], int],
    *,
    ascii: bool = False,  # noqa: A002
    colours: str | None = None,
    mouse: bool = True,
) -> int:
    """Show the list of all processes, and *show* those that are chosen, until the user quits."""
    machine, cursor, keymap = Machine(), None, load_keymap(keymap_path(os.environ))
    while True:
        app = MachineApp(
            machine,
            provider,
            glances,
            ascii=ascii,
            colours=colours,
            cursor=cursor,
        )
        app.set_keymap(keymap)
        _run(app, mouse=mouse)
        if app.chosen is None:
            return app.return_code or 0
        cursor = app.cursor
        status = show(app.chosen)
        if status != BACK:
            return status


def run(app: HangtuiApp, *, mouse: bool = True) -> int:
    """Run *app*; the exit status."""
    app.spare_collector = True
    _run(app, mouse=mouse)
    return _status(app)


def _run(app: PlainApp, *, mouse: bool) -> None:
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda _loop, _context: None)
    try:
        asyncio.set_event_loop(loop)
        _on_signals(app, loop)
        _watch_terminal(app, loop)
        app.run(loop=loop, mouse=mouse)
    finally:
        _end(loop)


def _on_signals(app: PlainApp, loop: asyncio.AbstractEventLoop) -> None:
    """Leave in the ordinary way, which gives the terminal back; a second signal kills."""

    def leave(number: signal.Signals) -> None:
        if number is signal.SIGHUP and _terminal().poll(0):
            return
        loop.remove_signal_handler(number)
        app.exit(return_code=128 + number)

    for number in SIGNALS:
        loop.add_signal_handler(number, leave, number)


def _watch_terminal(app: PlainApp, loop: asyncio.AbstractEventLoop) -> None:
    """End when the terminal is gone, of which only the leader of its session gets a signal.

    The ordinary way out then blocks for ever: it waits for output to be written that nobody takes.
    A thread sees it even if painting has blocked the loop already.
    """
    terminal = _terminal()

    def watch() -> None:
        while not terminal.poll(_LOOK_MS):
            if loop.is_closed():
                return  # other screens follow, or none
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(lambda: asyncio.ensure_future(_abandon(app)))
            time.sleep(GRACE_S)
            os._exit(GONE)

    threading.Thread(target=watch, daemon=True, name="terminal").start()


def _terminal() -> select.poll:
    """Something to ask whether the terminal is gone, which `poll` reports unasked."""
    terminal = select.poll()
    terminal.register(sys.stdin.fileno(), 0)
    return terminal


async def _abandon(app: PlainApp) -> None:
    """Let the targets go, then end without a farewell to the terminal."""
    app.workers.cancel_all()
    tasks = [asyncio.ensure_future(worker.wait()) for worker in app.workers]
    if tasks:
        await asyncio.wait(tasks, timeout=GRACE_S)
    os._exit(GONE)


def _end(loop: asyncio.AbstractEventLoop) -> None:
    """Cancel what is left and wait a moment for it, unlike `asyncio.run`, which waits for ever."""
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        with suppress(KeyboardInterrupt):
            loop.run_until_complete(_wait(left))
    asyncio.set_event_loop(None)
    loop.close()


async def _wait(tasks: Iterable["asyncio.Task[object]"]) -> None:
    await asyncio.wait(tasks, timeout=GRACE_S)


def _status(app: HangtuiApp) -> int:
    """2 if nothing could be read, said once more where the shell's user sees it."""
    failure = app.control.status.failure
    if app.return_code or not app.failed_without_capture or failure is None:
        return app.return_code or 0
    fix = f"\n{clean(failure.fix)}" if failure.fix else ""
    sys.stderr.write(f"hangtui: {clean(failure.message)}{fix}\n")
    return NOTHING_READ
