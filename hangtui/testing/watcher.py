"""The process beside a run of tests that looks at it from outside when a test takes too long.

It is run by path, by whichever interpreter the tests are run by, and so needs the standard library
alone. Shared memory tells what the tests are at (board.py); what it finds goes to standard error,
to a folder, and to a file that the tests read. It ends with the process that it watches.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hangtui.testing.board import Board, Note

_TURN_S = 0.25
"""How long it sleeps between two looks at what the tests are at, 0.02 ms of a processor each."""
_LOOK_S = 120.0
"""How long one look may take on a busy machine."""
_GRACE_S = 5.0
"""How long a test that was interrupted may take to end."""
_LEFT_S = 2.0
"""How long what it had started may take to end."""
_LONGEST_NAME = 120


def start_time(pid: int) -> str | None:
    """When a process was started, in ticks since the machine was: it tells it from the next one of
    its number; None: it is no more."""
    fields = _stat(pid)
    return fields[19] if fields and fields[0] not in "ZX" else None


def started_since(pid: int, begun: float) -> dict[int, str]:
    """The children of a process, theirs, and so on, that were started after *begun*, a time of the
    monotonic clock in seconds: their PIDs, and what `start_time` is of each."""
    parents: dict[int, list[int]] = {}
    for number in [int(one) for one in os.listdir("/proc") if one.isdigit()]:
        if fields := _stat(number):
            parents.setdefault(int(fields[1]), []).append(number)
    below = [pid]
    for one in below:
        below += parents.get(one, [])
    asleep = time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()
    ticks = int((begun + asleep) * os.sysconf("SC_CLK_TCK"))  # the kernel rounds down as well
    found = ((one, start_time(one)) for one in below[1:])
    return {one: start for one, start in found if start is not None and int(start) >= ticks}


def _stat(pid: int) -> list[str] | None:
    """The fields of ``/proc/PID/stat`` from the state on; None: there is no such process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return stat.rpartition(")")[2].split()


class Watcher:
    """Watches one process; *settings*: ``pid``, ``command``, ``directory``, ``answers``, ``abort``,
    ``signal``."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.pid = int(settings["pid"])
        self.started = start_time(self.pid)
        self.command: list[str] = settings["command"]
        self.directory: str | None = settings["directory"]
        self.answers = Path(settings["answers"])
        self.abort = bool(settings["abort"])
        self.signal = int(settings["signal"])
        self.board = Board(str(self.answers / "board"))
        self.below: dict[int, str] = {}
        """What tests that were aborted had started by then: PIDs, and when each was."""

    def run(self) -> None:
        """Watch until the process has ended."""
        told = 0
        while start_time(self.pid) == self.started:
            note = self.board.read()
            if note is None or not note.after or note.number == told:
                time.sleep(_TURN_S)
            elif (left := note.begun + note.after - time.monotonic()) > 0:
                time.sleep(min(left, _TURN_S))
            else:
                told = note.number
                self._hang(note)
        self._end_rest()

    # -- a test that takes too long -------------------------------------------------------------

    def _hang(self, test: Note) -> None:
        phase = f" ({test.phase})" if test.phase else ""
        head = f"hangtui: {test.name}{phase} has not ended for {test.after:g} s"
        found, saved = self._look(test.name)
        text = "\n".join([head, found.rstrip(), *saved])
        answer = self.answers / f"{test.number}.txt"
        answer.write_text(text)
        self.board.answer(test.number)
        self._say(f"\n{text}\n")
        if self.abort:
            self._abort(test)

    def _look(self, name: str) -> tuple[str, list[str]]:
        """What hangtui says of the process, and which files it wrote."""
        pid = str(self.pid)
        found = self._call("check", pid)
        if self.directory is None:
            return found, []
        stem = re.sub(r"[^\w.\[\]=-]+", "_", name).strip("._")[-_LONGEST_NAME:] or "session"
        path = Path(self.directory) / f"{stem}-{pid}"
        Path(self.directory).mkdir(parents=True, exist_ok=True)
        self._call("record", pid, "-o", f"{path}.hang")
        if not Path(f"{path}.hang").exists():
            return found, []
        self._call("dump", f"{path}.hang", "--svg", "-o", f"{path}.svg")
        Path(f"{path}.txt").write_text(f"{found}\n{self._call('dump', f'{path}.hang')}")
        return found, [f"  saved: {path}.hang (hangtui open), .txt, .svg"]

    def _call(self, *words: str) -> str:
        """The output of a command of hangtui; or why there is none."""
        try:
            done = subprocess.run(
                [*self.command, *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_LOOK_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"  {self.command[0]} could not be run: {error}"
        told = done.stdout or done.stderr
        return told.decode("utf-8", "replace")

    def _abort(self, test: Note) -> None:
        """Interrupt the test; end the process if that does not help."""
        self.below.update(started_since(self.pid, test.begun))
        if test.runs:
            self._send(self.signal)
            until = time.monotonic() + _GRACE_S
            while time.monotonic() < until and start_time(self.pid) == self.started:
                now = self.board.read()
                if now is not None and now.number != test.number:
                    return
                time.sleep(_TURN_S / 5)
        self._say(f"hangtui: {test.name} could not be interrupted: process {self.pid} is ended\n")
        self._send(signal.SIGTERM)
        time.sleep(_GRACE_S)
        self._send(signal.SIGKILL)

    def _end_rest(self) -> None:
        """End what an aborted test has started and left: it would keep the tests' output open, and
        who reads that would wait for it."""
        self._await_rest()
        for number in (signal.SIGTERM, signal.SIGKILL):
            left = self._rest()
            if left and number == signal.SIGTERM:
                pids = ", ".join(map(str, left))
                self._say(f"hangtui: an aborted test left processes, which are ended: {pids}\n")
            for pid in left:
                with contextlib.suppress(OSError):
                    os.kill(pid, number)
            self._await_rest()

    def _rest(self) -> list[int]:
        return [pid for pid, started in self.below.items() if start_time(pid) == started]

    def _await_rest(self) -> None:
        until = time.monotonic() + _LEFT_S
        while self._rest() and time.monotonic() < until:
            time.sleep(_TURN_S / 5)

    def _send(self, number: int) -> None:
        if start_time(self.pid) == self.started:
            os.kill(self.pid, number)

    def _say(self, text: str) -> None:
        with contextlib.suppress(OSError):
            os.write(2, text.encode("utf-8", "replace"))


def main() -> None:
    """Watch beside the tests' process, as no child of it: it must not be in its picture."""
    settings = json.loads(sys.argv[1])
    if os.fork():
        os._exit(0)
    os.setsid()
    os.write(1, f"{os.getpid()}\n".encode())
    os.close(1)
    try:
        Watcher(settings).run()
    finally:
        shutil.rmtree(settings["answers"], ignore_errors=True)


if __name__ == "__main__":
    main()
