"""Kills hangtui at random moments of what it is used for, and looks what that leaves behind.

    python tests/endurance/left_behind.py MODE [--count N] [--threads N] [--seed N]

Modes:

default   ``hangtui dump PID``
stop      ``hangtui dump PID --native stop``
gdb       ``hangtui dump PID --native gdb``
debugger  hangtui full screen while its debugger opens, looks at a copy, or stops the process

Moments are spread evenly over the time that the mode takes, which is measured before, from the
first instruction on; with the debugger from the key that opens it. It ends by SIGKILL, SIGHUP or
SIGTERM, or because its terminal is closed. Soon afterwards (in ``PATIENCE_S``) there may be no
process of it, no file in any place for temporary files, no System V object, and all threads of the
process must run untraced. Prints a line for each thing that is left, and the sum; exits with 1 if
there was any.
"""

import argparse
import os
import pty
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.endurance.full_screen import ALTERNATE_SCREEN, FullScreen
from tests.endurance.leftovers import Leftovers, alone, waited
from tests.endurance.unharmed import Target, eventually
from tests.waiting import comes_true

ROOT = Path(__file__).parents[2]
MODES = {
    "default": (),
    "stop": ("--native", "stop"),
    "gdb": ("--native", "gdb"),
    "debugger": (),
}
ENDS = (*[signal.SIGKILL] * 3, signal.SIGHUP, signal.SIGTERM, None)
"""How it ends; None: its terminal is closed."""
PATIENCE_S = 5.0
MEASURED = 1
"""Undisturbed runs before."""
STAYS_S = 1.0
"""How long the debugger stays open."""
TOLD_EVERY = 25
HOLDS = 0.5
"""How often the debugger stops the process."""


class Dump:
    """One ``hangtui dump`` in a terminal of its own."""

    def __init__(self, words: tuple[str, ...], pid: int, environment: dict[str, str]) -> None:
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            command = [sys.executable, "-m", "hangtui", "dump", *words, str(pid)]
            os.execve(sys.executable, command, environment)
        self._closing = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait(self) -> None:
        """Until it has ended."""
        os.waitpid(self.pid, 0)
        self.close_terminal()

    def close_terminal(self) -> None:
        """As when a window is closed."""
        if not self._closing.is_set():
            self._closing.set()
            os.close(self._terminal)

    def _read(self) -> None:
        """Or it would wait for somebody who does."""
        try:
            while not self._closing.is_set() and os.read(self._terminal, 1 << 16):
                pass
        except OSError:
            pass


class Loop:
    """The kills of one mode."""

    def __init__(self, mode: str, threads: int, seed: int) -> None:
        self._mode, self._choice = mode, random.Random(seed)
        self._target = Target(threads)  # it has System V objects of its own
        self._left = Leftovers("LC_KILL_LOOP")
        self._environment = {**self._left.environment, "PYTHONPATH": str(ROOT)}
        self._ends = Counter[str]()
        self._found: list[str] = []
        self._slowest = 0.0

    def run(self, count: int) -> int:
        """So many; the exit status."""
        once = self._debug if self._mode == "debugger" else self._dump
        try:
            lasts_s = sum(once(None) for _ in range(MEASURED)) / MEASURED
            self._say(f"undisturbed it takes {lasts_s:.2f} s")
            for number in range(count):
                once(self._choice.uniform(0, lasts_s))
                self._judge(number)
                if not (number + 1) % TOLD_EVERY:
                    self._say(f"{number + 1} kills, left behind: {len(self._found)}")
            return 1 if self._found else 0
        finally:
            self._target.end()
            ends = ", ".join(f"{count} by {name}" for name, count in sorted(self._ends.items()))
            self._say(f"{sum(self._ends.values())} kills ({ends}), left behind: {len(self._found)}")
            self._say(f"at the latest it was gone after {self._slowest:.2f} s")
            self._left.end()

    def _dump(self, moment_s: float | None) -> float:
        """One run, killed at a moment or not at all; the seconds that it took."""
        began = time.monotonic()
        dump = Dump(MODES[self._mode], self._target.pid, self._environment)
        if moment_s is not None:
            time.sleep(moment_s)
            self._end(dump.pid, dump.close_terminal)
        dump.wait()
        return time.monotonic() - began

    def _debug(self, moment_s: float | None) -> float:
        with FullScreen(self._target.pid, self._environment, "auto") as screen:
            screen.until(ALTERNATE_SCREEN)
            screen.until("Deadlock")
            began = time.monotonic()
            holds = self._choice.random() < HOLDS
            opener = threading.Thread(target=self._opens, args=(screen, holds), daemon=True)
            opener.start()
            if moment_s is None:
                opener.join()
            else:
                time.sleep(moment_s)
                self._end(screen.pid, screen.close_terminal)
                screen.has_ended(PATIENCE_S)
            took_s = time.monotonic() - began
        opener.join()
        return took_s

    def _opens(self, screen: FullScreen, holds: bool) -> None:
        """By keys, as far as it gets: registers of a copy, or the process itself, stopped."""
        try:
            if not holds:
                screen.type("2")
                screen.until("NATIVE")
                screen.type("x")
                screen.until("copy of")
            else:
                screen.hold()
                screen.until("STOPPED")
            time.sleep(STAYS_S)
        except (TimeoutError, OSError):
            pass

    def _end(self, pid: int, close_terminal: Callable[[], None]) -> None:
        end = self._choice.choice(ENDS)
        self._ends["its terminal" if end is None else end.name] += 1
        if end is None:
            close_terminal()
        else:
            os.kill(pid, end)

    def _judge(self, number: int) -> None:
        """Whether all is as if it had never been."""
        began = time.monotonic()
        limit = began + PATIENCE_S

        def wait(condition: Callable[[], bool]) -> bool:
            return comes_true(condition, limit - time.monotonic(), 0.02)

        left = waited(lambda: self._left.found(self._target.pid), wait)
        if not wait(self._target.runs):
            left.append(f"threads {self._target.states()}, traced by {self._target.tracer()}")
            os.kill(self._target.pid, signal.SIGCONT)
        self._slowest = max(self._slowest, time.monotonic() - began)
        for one in left:
            self._say(f"kill {number} left {one}")
        self._found += left
        eventually(self._target.runs)

    def _say(self, text: str) -> None:
        print(f"{self._mode}: {text}", flush=True)


def main() -> int:
    """Run one mode."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("mode", choices=MODES)
    parser.add_argument("--count", type=int, default=20, help="kills")
    parser.add_argument("--threads", type=int, default=20, help="threads that wait for a lock")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    alone(sys.argv)
    return Loop(options.mode, options.threads, options.seed).run(options.count)


if __name__ == "__main__":
    sys.exit(main())
