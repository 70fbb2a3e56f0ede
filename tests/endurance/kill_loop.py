"""Kills hangtui at random moments of its work on a process, and looks whether that runs unharmed.

    python tests/endurance/kill_loop.py [--count N] [--threads N] [--seed N] [--victim NAME ...]

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

Exits with 1 if anything was left stopped, or woken. That the last three wake calls is counted but
no failure: to attach a debugger does that, as the question before it says.
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
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "tests" / "targets" / "interruptible.py"
COPY = """
import os, sys
from hangtui.backends.guard.client import freeze
os.write(1, b"ready\\n")
while True:
    freeze(int(sys.argv[1]), pointed_pages=1024)
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
LIMIT_S = 20
VICTIMS = ("guard", "capture", "suspended", "dump", "terminal", "gdb")
LIVE_VICTIMS = ("live", "live-gdb", "live-both")
WORK_S = {"guard": 0.05, "capture": 0.05, "suspended": 0.05}
"""How long what is killed takes for one round; for the others ``DUMP_S``."""
DUMP_S = 1.2
TRACED_S = {"live": 0.4, "live-gdb": 0.4, "live-both": 0.4}
"""How long threads are traced, about; for the others ``COPY_S``."""
COPY_S = 0.004
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


class Moment:
    """When to kill: as a part of the whole work, or of the time while threads are traced."""

    def __init__(self, part: float, while_traced: bool) -> None:
        self._part = part
        self._while_traced = while_traced

    def come(self, target: "Target", work_s: float, traced_s: float = COPY_S) -> bool:
        """Wait for it; whether threads are traced then."""
        if self._while_traced:
            limit = time.monotonic() + 2 * work_s + 1
            while not target.main_tracer() and time.monotonic() < limit:
                pass
            time.sleep(self._part * traced_s)
        else:
            time.sleep(self._part * work_s)
        return bool(target.main_tracer())


class Target:
    """The process that must not be harmed."""

    def __init__(self, threads: int) -> None:
        environment = {key: ENVIRONMENT[key] for key in ENVIRONMENT if key != "HANGTUI_READY"}
        self._process = subprocess.Popen(
            [sys.executable, TARGET, "spin", str(threads)],
            env={**environment, "HANGTUI_TARGET_LIMIT": "36000"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._question, self._answer = self._process.stdin, self._process.stdout
        self._answer.readline()
        self.pid = self._process.pid

    def woken(self) -> int:
        """How often a call returned although nothing had happened."""
        self._question.write("\n")
        self._question.flush()
        return int(self._answer.readline())

    def end(self) -> None:
        """Kill it."""
        self._process.kill()
        self._process.wait()

    def tracer(self) -> int:
        """PID of a tracer of any thread; 0: none."""
        return max((int(status["TracerPid"]) for status in self._statuses()), default=0)

    def main_tracer(self) -> int:
        """PID of the main thread's tracer; 0: none. Quick to ask for."""
        text = Path(f"/proc/{self.pid}/status").read_text()
        return int(text.partition("TracerPid:")[2].split(None, 1)[0])

    def runs(self) -> bool:
        """Whether nobody traces it and no thread is stopped."""
        return all(
            status["TracerPid"] == "0" and status["State"][0] in "RSD"
            for status in self._statuses()
        )

    def states(self) -> str:
        """The kernel's letters of its threads."""
        return "".join(sorted({status["State"][0] for status in self._statuses()}))

    def _statuses(self) -> Iterator[dict[str, str]]:
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            lines = (task / "status").read_text().splitlines()
            yield {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


def main() -> int:
    """Runs the loop and prints a line for each victim."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60, help="kills, of all victims together")
    parser.add_argument("--threads", type=int, default=20, help="threads that wait for a lock")
    parser.add_argument(
        "--victim", choices=VICTIMS + LIVE_VICTIMS, nargs="+", default=VICTIMS + LIVE_VICTIMS
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    choice = random.Random(options.seed)
    target = Target(options.threads)
    kills, traced, left = Counter[str](), Counter[str](), list[str]()
    woken = Counter[str]()
    so_far = 0
    try:
        for number in range(options.count):
            victim = options.victim[number % len(options.victim)]
            moment = Moment(choice.uniform(0, 1), choice.random() < 0.7)
            signals = GDB_SIGNALS if victim == "live-gdb" else SIGNALS
            was_traced = _once(target, victim, choice.choice(signals), moment)
            kills[victim] += 1
            traced[victim] += was_traced
            if not _eventually(target.runs):
                left.append(f"{victim}: {target.states()}, traced by {target.tracer()}")
                os.kill(target.pid, signal.SIGCONT)
            now = _settled(target)
            woken[victim] += now - so_far
            so_far = now
    finally:
        target.end()
    for victim, count in kills.items():
        print(
            f"{victim}: {count} kills, {traced[victim]} of them while threads were traced, "
            f"calls woken for nothing: {woken[victim]}"
        )
    print(f"left stopped: {len(left)} {left or ''}")
    return 1 if left or any(woken[victim] for victim in VICTIMS) else 0


def _settled(target: Target) -> int:
    """How many calls were woken, once those of the last kill have all been counted."""
    before, now = -1, target.woken()
    while now != before:
        time.sleep(0.1)
        before, now = now, target.woken()
    return now


def _once(target: Target, victim: str, number: signal.Signals, moment: Moment) -> bool:
    """One kill; whether threads were traced at that moment."""
    if victim == "terminal":
        return _close_terminal(target, moment)
    with _working(victim, target.pid) as worker:
        traced = moment.come(target, WORK_S.get(victim, DUMP_S), TRACED_S.get(victim, COPY_S))
        children = _children(worker.pid, "gdb")
        if victim == "suspended":
            worker.send_signal(signal.SIGSTOP)
            _eventually(target.runs)  # before it is killed: that is the point
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
        env=ENVIRONMENT,
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
        os.execve(sys.executable, [sys.executable, *DUMP, str(target.pid)], ENVIRONMENT)
    traced = moment.come(target, DUMP_S)
    os.close(terminal)
    if not _eventually(lambda: os.waitpid(pid, os.WNOHANG)[0] == pid):
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


def _eventually(condition: Callable[[], bool]) -> bool:
    limit = time.monotonic() + LIMIT_S
    while not (holds := condition()) and time.monotonic() < limit:
        time.sleep(0.0005)
    return holds


if __name__ == "__main__":
    sys.exit(main())
