"""hangtui full screen, in a terminal of its own, driven by keys; for ``kill_loop.py``."""

import contextlib
import os
import pty
import re
import select
import signal
import sys
import termios
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

ALTERNATE_SCREEN = "\x1b[?1049h"
"""What a program tells a terminal that shall show it full screen."""
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
_LIMIT_S = 60
_SIZE = (36, 120)


class FullScreen:
    """One hangtui that looks at one process."""

    def __init__(self, pid: int, environment: Mapping[str, str], native: str = "gdb") -> None:
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            command = [sys.executable, "-m", "hangtui", "--native", native, str(pid)]
            os.execve(sys.executable, command, {**environment, "TERM": "xterm-256color"})
        termios.tcsetwinsize(self._terminal, _SIZE)
        self._said = bytearray()
        self._closing = False
        self._ended = False
        self._asking = threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close_terminal()
        if not self.has_ended(_LIMIT_S):
            os.kill(self.pid, signal.SIGKILL)
            self.has_ended(_LIMIT_S)

    def until(self, words: str) -> None:
        """Wait until *words* have been drawn.

        Raises:
            TimeoutError: they were not.
        """
        limit = time.monotonic() + _LIMIT_S
        while words.encode() not in self._said:
            if time.monotonic() > limit or self.has_ended():
                drawn = _ESCAPES.sub(" ", self._said.decode(errors="replace"))
                raise TimeoutError(f"the screens did not show {words!r}, but: {drawn[-4000:]}")
            time.sleep(0.005)

    def type(self, keys: str) -> None:
        """Press keys; what was drawn before counts no longer for ``until``."""
        self._said.clear()
        os.write(self._terminal, keys.encode())

    def hold(self) -> None:
        """Have the process stopped, by keys: Thread screen, debugger, and yes."""
        self.type("2")
        self.until("NATIVE")
        self.type("A")
        self.until("Stop process")
        self.type("y")

    def close_terminal(self) -> None:
        """As when a window is closed, or a line drops."""
        if not self._closing:
            self._closing = True
            self._reader.join()
            os.close(self._terminal)

    def has_ended(self, wait_s: float = 0.0) -> bool:
        """Whether it has, after *wait_s* at most."""
        limit = time.monotonic() + wait_s
        while not self._was_reaped() and time.monotonic() < limit:
            time.sleep(0.005)
        return self._ended

    def _was_reaped(self) -> bool:
        """May be asked by several threads."""
        with self._asking:
            if not self._ended:
                self._ended = os.waitpid(self.pid, os.WNOHANG)[0] == self.pid
            return self._ended

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # EIO: nobody has the terminal any more
            while not self._closing:
                if select.select([self._terminal], [], [], 0.02)[0]:
                    self._said += os.read(self._terminal, 1 << 16)


def marked(mark: str) -> dict[int, str]:
    """The command lines of the processes that have *mark* in their environment, by PID."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                words = (folder / "cmdline").read_bytes().split(b"\0")
                found[int(folder.name)] = b" ".join(words).decode(errors="replace")
    return found
