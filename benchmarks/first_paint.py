"""How soon the first full screen stands, and the first facts on it, from exec on.

python benchmarks/first_paint.py [--rounds N] [--size 120x40] [--spinning N]

With --spinning so many programs compute all the time, each in a session of its own, as services do.
"""

import argparse
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Sequence

from measure import ENVIRONMENT, HANGTUI, by_turns, ring, seconds_of, table
from taken_processors import spinning

LIMIT_S = 30
BARE = "python -c pass"
TEXTUAL = "python -c 'import textual.app'"
PAINT = "hangtui PID: first full screen"
FACTS = "hangtui PID: names of the hung threads"
FAMILY = "hangtui --children PID: names of the hung threads"
_TOKEN = re.compile(
    r"\x1b\[(?P<row>\d+);(?P<column>\d+)H|(?P<home>\x1b\[H)"
    r"|(?P<escape>\x1b(?:\[[0-9;?<>=$ ]*[a-zA-Z]|[PX^_\]].*?(?:\x07|\x1b\\)|.))"
    r"|(?P<newline>\n)|(?P<text>[^\x1b\n\r]+)",
    re.DOTALL,
)


class Screen:
    """As much of a terminal as it takes to know which rows have been painted."""

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._row = 1
        self._painted: set[int] = set()
        self.text = ""

    def feed(self, data: str) -> None:
        """What the program wrote."""
        for token in _TOKEN.finditer(data):
            if token["row"]:
                self._row = int(token["row"])
            elif token["home"]:
                self._row = 1
            elif token["newline"]:
                self._row += 1
            elif token["text"]:
                self._painted.add(self._row)
                self.text += token["text"]

    @property
    def full(self) -> bool:
        """Whether every row has been written to."""
        return self._painted.issuperset(range(1, self._rows + 1))


def milliseconds_until(
    done: Callable[[Screen], bool], words: Sequence[str], columns: int, rows: int
) -> float:
    """From the start of the program until its screen is as wanted; it is ended then."""
    start = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        size = struct.pack("4H", rows, columns, 0, 0)
        fcntl.ioctl(0, termios.TIOCSWINSZ, size)
        environment = {**ENVIRONMENT, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        os.execve(HANGTUI[0], [*HANGTUI, *words], environment)
    try:
        screen = Screen(rows)
        while not done(screen):
            remaining = LIMIT_S - (time.perf_counter() - start)
            if remaining <= 0 or not select.select([terminal], [], [], remaining)[0]:
                raise TimeoutError(screen.text[-500:])
            screen.feed(os.read(terminal, 1 << 16).decode(errors="replace"))
        return (time.perf_counter() - start) * 1000
    finally:
        os.kill(child, signal.SIGKILL)
        os.close(terminal)
        os.waitpid(child, 0)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--size", default="120x40")
    parser.add_argument("--spinning", type=int, default=0)
    options = parser.parse_args()
    columns, rows = map(int, options.size.split("x"))

    def until(done: Callable[[Screen], bool], *words: str) -> Callable[[], float]:
        return lambda: milliseconds_until(done, words, columns, rows)

    def names(screen: Screen) -> bool:
        return "worker-1" in screen.text and "worker-4" in screen.text

    with ring() as target, spinning(options.spinning, apart=True):
        pid = str(target.pid)
        results = by_turns(
            {
                BARE: lambda: seconds_of([sys.executable, "-c", "pass"]) * 1000,
                TEXTUAL: lambda: seconds_of([sys.executable, "-c", "import textual.app"]) * 1000,
                PAINT: until(lambda screen: screen.full, pid),
                FACTS: until(names, pid),
                FAMILY: until(names, "--children", pid),
            },
            options.rounds,
        )
    table(f"From exec, {columns} columns x {rows} rows", results, TEXTUAL, "ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
