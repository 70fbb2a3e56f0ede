"""The one client of a cluster: a program in the cluster's own Python (`on_cluster`) that joins it
once, and through which each of its machines is asked."""

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
from pathlib import Path

from hangtui.backends.tools import scratch
from hangtui.model import TargetError, clean

_PROGRAM = str(Path(__file__).with_name("on_cluster.py"))
_ENDING_S = 5.0
_MOST_LINES, _LINE = 10_001, 1024
_REASON = 300


class Client:
    """Runs until it is closed, or we are gone; *machines*: what it says of each, a line."""

    def __init__(self, python: str, engine: str, address: str, within_s: float) -> None:
        self._python = python
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(scratch.folder())
            self._socket = str(folder.path / "client")
            said = stack.enter_context(tempfile.TemporaryFile())
            words = [python, _PROGRAM, engine, address, f"{within_s:g}", self._socket]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(
                words,
                stdin=pipe,
                stdout=pipe,
                stderr=said,
                start_new_session=True,  # all that it started ends with it
            )
            stack.callback(self._end)
            folder.ends(self._process.pid)
            machines = self._listed(within_s)
            if machines is None:
                said.seek(max(0, said.seek(0, os.SEEK_END) - _REASON))
                text = clean(said.read().decode(errors="replace").strip())
                raise TargetError(f"{engine} {clean(address)}: {text or 'no answer in time'}")
            self.machines = machines
            self._stack = stack.pop_all()

    def command(self, handle: str) -> tuple[str, ...]:
        """The command line that runs on one of the machines what stands behind it."""
        return self._python, _PROGRAM, "ask", self._socket, handle

    def close(self) -> None:
        """Leave nothing of it behind."""
        self._stack.close()

    def _listed(self, within_s: float) -> list[str] | None:
        """The machines; None: it did not say in time, or failed."""
        assert self._process.stdout is not None
        late = threading.Timer(within_s, self._process.kill)
        late.start()
        lines: list[str] = []
        with contextlib.closing(self._process.stdout) as said:
            while len(lines) < _MOST_LINES and (line := said.readline(_LINE)).strip():
                lines.append(line.decode(errors="replace").strip())
        late.cancel()
        if line:
            return lines
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDING_S)  # it says last why it fails
        return None

    def _end(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDING_S)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
