"""``hangtui run --hang-abort``: says why a command hangs, and ends it with all that it started."""

import contextlib
import threading
import time

import psutil

from hangtui.backends.monitor.session import Caught, Receiver
from hangtui.cli import output

ABORTED = 124
"""The exit status; ``timeout`` of the coreutils has it, too."""
_GRACE_S = 5.0
"""How long it may take to end after SIGTERM."""
_TURN_S = 0.05


class Abortion:
    """Ends the command *pid* when it has stood still as a whole; *keep* judges what is captured."""

    def __init__(self, pid: int, keep: Receiver) -> None:
        self._pid = pid
        self._keep = keep
        self.done = False

    def receive(self, caught: Caught) -> bool:
        """Keep a capture; if it is of a hang of the command itself, say why, and end that."""
        wrong = self._keep(caught)
        stuck = caught.stuck is not None and caught.stuck.whole
        if wrong and stuck and caught.pid == self._pid and not self.done:
            self.done = True
            from hangtui.cli.check import text
            from hangtui.diagnosis import diagnose

            for line in text(diagnose(caught.capture)).splitlines():
                output.say(line)
            output.say(f"hangtui: process {self._pid} is ended, with all that it started")
            # The session goes on meanwhile: it passes the signals on, and sees them end.
            threading.Thread(target=_end, args=(self._pid,), daemon=True).start()
        return wrong


def _end(pid: int) -> None:
    """End a process and what it started; nobody waits for them here, as the session does."""
    try:
        leader = psutil.Process(pid)
        family = [leader, *leader.children(recursive=True)]
    except psutil.NoSuchProcess:
        return
    for one in family:
        with contextlib.suppress(psutil.Error):
            one.terminate()
    until = time.monotonic() + _GRACE_S
    while any(map(_lives, family)) and time.monotonic() < until:
        time.sleep(_TURN_S)
    for one in family:
        with contextlib.suppress(psutil.Error):
            one.kill()


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
