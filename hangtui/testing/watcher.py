"""The process beside a run of tests that looks at it from outside when a test takes too long.

It is run by path, by whichever interpreter the tests are run by, and so needs the standard library
alone. Lines of JSON on standard input tell what the tests are at; what it finds goes to standard
error, to a folder, and to a file that the tests read. It ends with the process that it watches.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

_TURN_S = 1.0
"""How long it sleeps at most: it looks then whether the tests' process is still there."""
_LOOK_S = 120.0
"""How long one look may take on a busy machine."""
_GRACE_S = 5.0
"""How long a test that was interrupted may take to end."""
_LONGEST_NAME = 120


def start_time(pid: int) -> str | None:
    """When a process was started, in ticks since the machine was: it tells it from the next one of
    its number; None: it is no more."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return fields[19] if fields[0] not in "ZX" else None


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
        self.test: dict[str, Any] = {}
        self.deadline: float | None = None
        self.phase = ""
        self._rest = b""

    def run(self) -> None:
        """Watch until the process has ended."""
        open_ = True
        while start_time(self.pid) == self.started:
            left = _TURN_S if self.deadline is None else self.deadline - time.monotonic()
            wait = max(0.0, min(left, _TURN_S))
            if open_ and select.select([0], [], [], wait)[0]:
                open_ = self._read()
            elif not open_:
                time.sleep(wait)
            if self.deadline is not None and time.monotonic() >= self.deadline:
                self.deadline = None
                self._hang()

    def _read(self) -> bool:
        """Take what the tests say; False: they say no more."""
        data = os.read(0, 65536)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._take(json.loads(line))
        return bool(data)

    def _take(self, message: dict[str, Any]) -> None:
        if "phase" in message:
            self.phase = message["phase"]
            return
        self.test, self.phase = message, ""
        after = message.get("after")
        self.deadline = time.monotonic() + float(after) if after else None

    # -- a test that takes too long -------------------------------------------------------------

    def _hang(self) -> None:
        name, number = str(self.test.get("test", "")), self.test.get("number", 0)
        phase = f" ({self.phase})" if self.phase else ""
        head = f"hangtui: {name}{phase} has not ended for {self.test['after']:g} s"
        found, saved = self._look(name)
        text = "\n".join([head, found.rstrip(), *saved])
        answer = self.answers / f"{number}.txt"
        answer.with_suffix(".new").write_text(text)
        answer.with_suffix(".new").rename(answer)
        self._say(f"\n{text}\n")
        if self.abort:
            self._abort(name, number)

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

    def _abort(self, name: str, number: int) -> None:
        """Interrupt the test; end the process if that does not help."""
        if self.test.get("test_runs", False):
            self._send(self.signal)
            until = time.monotonic() + _GRACE_S
            while time.monotonic() < until and start_time(self.pid) == self.started:
                if select.select([0], [], [], 0.1)[0] and not self._read():
                    return
                if self.test.get("number") != number:
                    return
        self._say(f"hangtui: {name} could not be interrupted: process {self.pid} is ended\n")
        self._send(signal.SIGTERM)
        time.sleep(_GRACE_S)
        self._send(signal.SIGKILL)

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
