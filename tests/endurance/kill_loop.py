"""Kills hangtui at random moments of its work on a process, and looks whether that runs unharmed.

    python tests/endurance/kill_loop.py [--count N] [--threads N] [--seed N] [--victim NAME ...]
                                        [--slow N]

The process sleeps in the system calls that a stop may break, and computes. After each kill all of
its threads must run and nobody may trace them; in the end none of its calls may have failed with
EINTR or have been cut short. Victims:

guard      the process that stops threads, while it copies them
capture    whoever started the guard, so that the guard must end by itself
suspended  the same, not killed but suspended
dump       ``hangtui dump --native gdb`` as a whole, by a signal
terminal   the same, by closing its terminal
gdb        the gdb that reads the copy
live       a debugger that holds the process, while it attaches or has attached
live-gdb   the gdb of that debugger
live-both  the debugger and its gdb at once
screen        hangtui full screen, while it takes a capture with gdb's native stacks
screen-copy   the same, while its debugger copies the process
screen-live   the same, while its debugger stops the process or has stopped it
screen-gdb    the gdb under such a debugger
screen-guard  the guard beside such a debugger, then hangtui

A screen ends by a signal or because its terminal is closed. Exits with 1 if the process was left
stopped or traced, if calls were woken, if anything that hangtui started lives on, or if a file is
left in any place for temporary files. That a live
debugger wakes calls is counted but no failure: its question says so.
"""

import argparse
import contextlib
import os
import pty
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.endurance.full_screen import ALTERNATE_SCREEN, FullScreen
from tests.endurance.leftovers import Leftovers, waited
from tests.endurance.unharmed import LIMIT_S, Target, eventually

ROOT = Path(__file__).parents[2]
COPY = """
import os, sys
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.ptrace.freezer.client import freeze
memory = ProcessMemory(int(sys.argv[1]))
os.write(1, b"ready\\n")
while True:
    freeze(memory, pointed_pages=1024)
"""
LIVE = """
import os, sys, time
from hangtui.backends.debugger.held import Held
from hangtui.backends.debugger.target import LiveTarget
os.write(1, b"ready\\n")
held = Held(LiveTarget(int(sys.argv[1])), lambda state: None)
time.sleep(60)
"""
DUMP = ("-m", "hangtui", "dump", "--native", "gdb")
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
GDB_SIGNALS = (signal.SIGKILL, signal.SIGHUP)
"""For a gdb that holds its target: SIGTERM it passes on as SIGINT while it attaches, by design."""
VICTIMS = ("guard", "capture", "suspended", "dump", "terminal", "gdb")
LIVE_VICTIMS = ("live", "live-gdb", "live-both")
SCREEN_VICTIMS = ("screen", "screen-copy")
LIVE_SCREEN_VICTIMS = ("screen-live", "screen-gdb", "screen-guard")
ALL_VICTIMS = (*VICTIMS, *LIVE_VICTIMS, *SCREEN_VICTIMS, *LIVE_SCREEN_VICTIMS)
WORK_S = {"guard": 0.05, "capture": 0.05, "suspended": 0.05}
"""How long what is killed takes for one round; for the others ``DUMP_S``."""
DUMP_S = 1.2
SCREEN_S = 2.5
"""How long a capture with gdb takes on the screens, and stopping the process, about."""
TRACED_S = dict.fromkeys((*LIVE_VICTIMS, *LIVE_SCREEN_VICTIMS), 0.4)
"""How long threads are traced, about; for the others ``COPY_S``."""
COPY_S = 0.004
LEFT = Leftovers("LC_KILL_LOOP")
MARKED = {**LEFT.environment, "PYTHONPATH": str(ROOT)}


class Moment:
    """When to kill: as a part of the whole work, or of the time while threads are traced."""

    def __init__(self, part: float, while_traced: bool, slow: float = 1) -> None:
        self.part = part
        self._while_traced = while_traced
        self._slow = slow

    def come(self, target: "Target", work_s: float, traced_s: float = COPY_S) -> bool:
        """Wait for it; whether threads are traced then."""
        if self._while_traced:
            limit = time.monotonic() + (2 * work_s + 1) * self._slow
            while not target.is_traced() and time.monotonic() < limit:
                pass
            time.sleep(self.part * traced_s * self._slow)
        else:
            time.sleep(self.part * work_s * self._slow)
        return target.is_traced()


class Score:
    """What became of the process, kill by kill."""

    def __init__(self) -> None:
        self._kills, self._traced = Counter[str](), Counter[str]()
        self._woken, self._so_far = Counter[str](), 0
        self._left: list[str] = []

    def judge(self, victim: str, was_traced: bool, target: Target) -> None:
        """Look at it after one kill."""
        self._kills[victim] += 1
        self._traced[victim] += was_traced
        if not eventually(target.runs):
            self._left.append(f"{victim}: {target.states()}, traced by {target.tracer()}")
            os.kill(target.pid, signal.SIGCONT)
        left = waited(lambda: LEFT.found(target.pid), lambda gone: eventually(gone, 0.05))
        self._left += [f"{victim}: {one}" for one in left]
        now = _settled(target)
        self._woken[victim] += now - self._so_far
        self._so_far = now

    def told(self) -> int:
        """Print it; the exit status."""
        for victim, count in self._kills.items():
            print(
                f"{victim}: {count} kills, {self._traced[victim]} of them while threads were "
                f"traced, calls woken for nothing: {self._woken[victim]}"
            )
        print(f"{sum(self._kills.values())} kills, left behind: {len(self._left)} {self._left}")
        harmless = set(ALL_VICTIMS) - {*LIVE_VICTIMS, *LIVE_SCREEN_VICTIMS}
        return 1 if self._left or any(self._woken[victim] for victim in harmless) else 0


def main() -> int:
    """Runs the loop and prints a line for each victim."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60, help="kills, of all victims together")
    parser.add_argument("--threads", type=int, default=20, help="threads that wait for a lock")
    parser.add_argument("--victim", choices=ALL_VICTIMS, nargs="+", default=ALL_VICTIMS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slow", type=float, default=1, help="how often slower all is here")
    options = parser.parse_args()
    choice = random.Random(options.seed)
    target = Target(options.threads)
    score = Score()
    try:
        for number in range(options.count):
            victim = options.victim[number % len(options.victim)]
            moment = Moment(choice.uniform(0, 1), choice.random() < 0.7, options.slow)
            if victim in (*SCREEN_VICTIMS, *LIVE_SCREEN_VICTIMS):
                was_traced = _kill_screen(target, victim, choice, moment)
            else:
                signals = GDB_SIGNALS if victim == "live-gdb" else SIGNALS
                was_traced = _once(target, victim, choice.choice(signals), moment)
            score.judge(victim, was_traced, target)
    finally:
        target.end()
        LEFT.end()
        status = score.told()
    return status


def _settled(target: Target) -> int:
    """How many calls were woken, once those of the last kill have all been counted."""
    before, now = -1, target.woken()
    while now != before:
        time.sleep(0.1)
        before, now = now, target.woken()
    return now


def _kill_screen(target: Target, victim: str, choice: random.Random, moment: Moment) -> bool:
    """One end of the full screen, or of what works under it and then of it; as ``_once``."""
    end = choice.choice((*SIGNALS, None))
    with FullScreen(target.pid, MARKED) as screen:
        screen.until(ALTERNATE_SCREEN)
        if victim != "screen":
            screen.until("Deadlock")
            screen.type("2x") if victim == "screen-copy" else screen.hold()
        traced = moment.come(target, SCREEN_S, TRACED_S.get(victim, COPY_S))
        if victim in ("screen-gdb", "screen-guard"):
            _kill_under(victim.partition("-")[2], choice.choice(GDB_SIGNALS))
            if screen.has_ended(SCREEN_S * moment.part):
                raise AssertionError("the screens ended with what works for them")
        if end is None:
            screen.close_terminal()
        else:
            os.kill(screen.pid, end)
        if not screen.has_ended(LIMIT_S):
            raise AssertionError(f"the screens survived {end or 'the end of their terminal'}")
    return traced


def _kill_under(name: str, number: signal.Signals) -> None:
    """Kill what works for the screens."""
    for pid, command in LEFT.started().items():
        if ("guard.keeper" if name == "guard" else "--interpreter=mi3") in command:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL if name == "guard" else number)


def _once(target: Target, victim: str, number: signal.Signals, moment: Moment) -> bool:
    """One kill; whether threads were traced at that moment."""
    if victim == "terminal":
        return _close_terminal(target, moment)
    with _working(victim, target.pid) as worker:
        traced = moment.come(target, WORK_S.get(victim, DUMP_S), TRACED_S.get(victim, COPY_S))
        children = _children(worker.pid, "gdb")
        if victim == "suspended":
            worker.send_signal(signal.SIGSTOP)
            eventually(target.runs)  # before it is killed: that is the point
        elif victim in ("guard", "gdb", "live-gdb", "live-both"):
            name = "python" if victim == "guard" else "gdb"
            if victim == "live-both":
                worker.kill()
            for child in children if victim == "live-both" else _children(worker.pid, name):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL if victim == "live-both" else number)
        else:
            worker.send_signal(number)
        if victim == "dump":
            worker.wait(LIMIT_S)
    return traced


@contextlib.contextmanager
def _working(victim: str, pid: int) -> Iterator["subprocess.Popen[bytes]"]:
    """The program whose work is disturbed; it is ended afterwards."""
    dump = victim in ("dump", "gdb")
    program = LIVE if victim in LIVE_VICTIMS else COPY
    command = [*DUMP, str(pid)] if dump else ["-c", program, str(pid)]
    with subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.DEVNULL if dump else subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=MARKED,
    ) as worker:
        try:
            if worker.stdout is not None:
                worker.stdout.readline()
            yield worker
        finally:
            worker.kill()


def _close_terminal(target: Target, moment: Moment) -> bool:
    """Run hangtui in a terminal of its own, and close that."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [sys.executable, *DUMP, str(target.pid)], MARKED)
    traced = moment.come(target, DUMP_S)
    os.close(terminal)
    if not eventually(lambda: os.waitpid(pid, os.WNOHANG)[0] == pid):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return traced


def _children(pid: int, name: str) -> list[int]:
    """The children of a process that run a program of this name."""
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [int(word) for word in words if name in _name(int(word))]
    return []


def _name(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text()
    return ""


if __name__ == "__main__":
    sys.exit(main())
