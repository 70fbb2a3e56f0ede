"""A real terminal: what a program paints is kept as text, and keys can be typed."""

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

_CONTROLS = re.compile(rb"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[@-Z\\-_=>78])")
_LIMIT_S = 60


class Terminal:
    """Holds the program's other end."""

    def __init__(self, descriptor: int, process: "subprocess.Popen[bytes]") -> None:
        self._descriptor = descriptor
        self._process = process
        self._raw = b""

    @property
    def text(self) -> str:
        """All that was painted so far, without colours and positions."""
        return _CONTROLS.sub(b"", self._raw).decode(errors="replace")

    def until(self, *words: str) -> str:
        """Read until all these words were painted."""
        deadline = time.monotonic() + _LIMIT_S
        while not all(word in self.text for word in words):
            assert time.monotonic() < deadline, f"{words} not in {self.text[-3000:]}"
            assert self._read(deadline), f"it ended before {words}: {self.text[-3000:]}"
        return self.text

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._descriptor, keys.encode())

    def forget(self) -> None:
        """What was painted so far counts no more."""
        self._raw = b""

    def end(self) -> int:
        """Read to the end; the exit code."""
        deadline = time.monotonic() + _LIMIT_S
        while self._read(deadline):
            assert time.monotonic() < deadline, "it does not end"
        return self._process.wait(_LIMIT_S)

    def _read(self, deadline: float) -> bool:
        """Whether there was something, or may be later."""
        ready, _, _ = select.select([self._descriptor], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            return True
        try:
            data = os.read(self._descriptor, 65536)
        except OSError:  # EIO: the other end is closed
            return False
        self._raw += data
        return bool(data)


@contextlib.contextmanager
def opened(
    *command: str,
    size: tuple[int, int] | None = (24, 80),
    env: Mapping[str, str] = os.environ,
    cwd: Path | None = None,
) -> Iterator[Terminal]:
    """A command on a terminal of *size* rows and columns; None: it never got a size."""
    ours, its = pty.openpty()
    if size:
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("4H", *size, 0, 0))
    process = subprocess.Popen(
        command,
        env={**env, "TERM": "xterm"},
        cwd=cwd,
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    )
    os.close(its)
    try:
        yield Terminal(ours, process)
    finally:
        os.close(ours)
        process.kill()
        process.wait()
