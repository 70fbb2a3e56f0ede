"""How many bytes the screens write to their terminal: at the start, for a key, idle, refreshing.

python benchmarks/tui_wire.py [--seconds 6] [--threads 200] [--size 120x40]

The limits: nothing at idle, and 5 KB/s while five rows change twice a second.
"""

import argparse
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

from measure import ENVIRONMENT, ROOT

LIMIT_S = 60
IDLE_LIMIT, REFRESH_LIMIT = 0.0, 5000.0
PROGRAM = """
import asyncio, sys
sys.path[:0] = [{root!r}, {root!r} + "/benchmarks"]
from tui_repaint import moved
from tests.tui import samples
from hangtui.provider import CaptureRequest
from hangtui.tui.running import run_app

class Provider:
    live = True
    number = 0
    capture = samples.many_threads({threads})
    async def take(self, request):
        self.number += 1
        yield moved(self.capture, self.number, 5)

run_app(Provider(), CaptureRequest((1,)))
"""


class Program:
    """The screens on a terminal of their own."""

    def __init__(self, size: tuple[int, int], threads: int) -> None:
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("4H", size[1], size[0], 0, 0))
            environment = {**ENVIRONMENT, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
            code = PROGRAM.format(root=str(ROOT), threads=threads)
            os.execve(sys.executable, [sys.executable, "-c", code], environment)

    def send(self, keys: bytes) -> None:
        """Type."""
        os.write(self._terminal, keys)

    def read(self, seconds: float) -> bytes:
        """All that it writes within so many seconds."""
        end, output = time.monotonic() + seconds, b""
        while (left := end - time.monotonic()) > 0:
            if select.select([self._terminal], [], [], left)[0]:
                output += os.read(self._terminal, 1 << 16)
        return output

    def until(self, word: bytes) -> bytes:
        """What it writes until *word* is among it."""
        end, output = time.monotonic() + LIMIT_S, b""
        while word not in output:
            assert time.monotonic() < end, output[-2000:]
            output += self.read(0.05)
        return output

    def close(self) -> None:
        """End it."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._terminal)


def main() -> int:
    """Measure, print, and fail beyond the limits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--threads", type=int, default=200)
    parser.add_argument("--size", default="120x40")
    options = parser.parse_args()
    columns, rows = map(int, options.size.split("x"))
    program = Program((columns, rows), options.threads)
    try:
        start = program.until(b"pool-0") + program.read(3.0)
        idle = program.read(options.seconds)
        program.send(b"j")
        key = program.read(1.0)
        program.send(b"---- ")  # the shortest time between captures: half a second
        program.read(4.0)
        refresh = program.read(options.seconds)
    finally:
        program.close()
    idle_rate = len(idle) / options.seconds
    rate = len(refresh) / options.seconds
    print(f"bytes, {options.threads} threads, {options.size}")
    print(f"  until the first capture stands   {len(start):8}")
    print(f"  one key                          {len(key):8}")
    print(f"  idle, per second                 {idle_rate:8.0f}")
    print(f"  five rows at 2 Hz, per second    {rate:8.0f}")
    return 0 if idle_rate <= IDLE_LIMIT and 0 < rate <= REFRESH_LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
