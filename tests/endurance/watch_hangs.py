"""``hangtui watch --on-hang`` beside many processes: each hang is told once, and no healthy one is.

script/watch-hangs is its command line; tests/integration/test_watch_many.py runs it small.

A hang is a process that hangs before it is watched, or one more ring in a process that goes on
(SIGUSR1). What is told is what the command of ``--on-hang`` was given. Beside them healthy programs
work; a *period* is the time after which a process without progress is looked at (``--hang-after``).
A day under the default of five minutes has 288 periods.
"""

import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.integration.targets import Interpreter, Target, interpreters, running

HUNG = ("abba", "rlock_abba", "self_deadlock", "asyncio_self", "mutex_abba", "rwlock_gil")
"""Programs that hang as a whole."""
HEALTHY = (
    *("healthy_queue", "healthy_pool", "healthy_asyncio", "healthy_asyncio_idle"),
    *("healthy_http", "healthy_processes ping_pong"),
)
"""Programs that work or rest, with what they are given."""
PERIODS_OF_A_DAY = 288
_RINGS = """
import signal, threading, time
def cross(mine, other, meet):
    with mine:
        meet.wait()
        with other:
            pass
def one_more(*_):
    a, b, meet = threading.Lock(), threading.Lock(), threading.Barrier(2)
    for pair in ((a, b), (b, a)):
        threading.Thread(target=cross, args=(*pair, meet), daemon=True).start()
signal.signal(signal.SIGUSR1, one_more)
print("ready", flush=True)
while True:
    sum(range(100_000))
    time.sleep(0.02)
"""
_TOLD_LIMIT_S = 180


@dataclass
class Result:
    """What was told."""

    hangs: int = 0
    told: Counter[int] = field(default_factory=Counter)
    """How often, by number of times: 1 is what is wanted, 0 was missed."""
    false: list[str] = field(default_factory=list)
    """What was told of healthy processes, and of hung ones too often."""
    healthy: int = 0
    """Healthy processes."""
    periods: float = 0.0
    """How many of them, summed over the healthy processes."""
    seconds: list[float] = field(default_factory=list)
    """From the hang, or the beginning of the watch, until it was told."""

    def add(self, other: "Result") -> None:
        """Put the results of two runs together."""
        self.hangs += other.hangs
        self.told += other.told
        self.false += other.false
        self.healthy += other.healthy
        self.periods += other.periods
        self.seconds += other.seconds

    @property
    def good(self) -> bool:
        """Each once, none else."""
        return not self.false and self.told == Counter({1: self.hangs})

    def __str__(self) -> str:
        worst = f"{max(self.seconds):.1f}" if self.seconds else "-"
        return (
            f"{self.hangs} hangs: told once {self.told[1]}, missed {self.told[0]},"
            f" more often {sum(self.told.values()) - self.told[0] - self.told[1]};"
            f" slowest after {worst} s; {self.healthy} healthy processes over"
            f" {self.periods:.0f} periods: {len(self.false)} false"
        )


def batch(
    number: int, hung: int, rings: int, healthy: int, hang_after_s: float, periods: float
) -> Result:
    """One watch beside *hung* hung processes, one process that gets *rings* rings one after the
    other, and *healthy* healthy ones, for *periods* of *hang_after_s* after the last was told."""
    result = Result(hangs=hung + rings, healthy=healthy)
    pythons = itertools.islice(itertools.cycle(_pythons()), number, None)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        names = [HUNG[(number * hung + each) % len(HUNG)] for each in range(hung)]
        bad = {_start(stack, name, next(pythons)).pid: name for name in names}
        well = {}
        for each in range(healthy):
            name = HEALTHY[(number + each) % len(HEALTHY)]
            well[_start(stack, name, next(pythons), asleep=False).pid] = name
        ring = stack.enter_context(_ring_program(next(pythons).path)) if rings else None
        pids = [*bad, *well, *([ring] if ring else [])]
        stack.enter_context(_watching(pids, folder, hang_after_s))
        started = time.monotonic()
        for pid in bad:
            _await(folder, pid, 1)
            result.seconds.append(time.monotonic() - started)
        for count in range(1, rings + 1):
            assert ring is not None
            began = time.monotonic()
            os.kill(ring, signal.SIGUSR1)
            _await(folder, ring, count)
            result.seconds.append(time.monotonic() - began)
        time.sleep(periods * hang_after_s)
        assert all(Path(f"/proc/{pid}").exists() for pid in pids), "one ended too early"
        told = list(_told(folder))
        result.periods = healthy * (time.monotonic() - started) / hang_after_s
    by_pid = Counter(pid for pid, _ in told)
    result.told.update(by_pid[pid] for pid in bad)
    keys = Counter(key for pid, key in told if pid == ring)
    result.told.update(keys.values())
    result.told[0] += max(0, rings - len(keys))
    result.false += [f"{well[pid]}: {key}" for pid, key in told if pid in well]
    return result


def _pythons() -> list[Interpreter]:
    return interpreters(("3.9", "3.11", "3.12", "3.13")) or [
        Interpreter(Path(sys.executable), "3", "own")
    ]


def _start(
    stack: contextlib.ExitStack, name: str, python: Interpreter, *, asleep: bool = True
) -> Target:
    program, *arguments = name.split()
    target = running(program, python.path, asleep=asleep, arguments=tuple(arguments))
    return stack.enter_context(target)


@contextlib.contextmanager
def _ring_program(python: Path) -> Iterator[int]:
    program = subprocess.Popen([python, "-c", _RINGS], stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout is not None
        program.stdout.readline()
        yield program.pid
    finally:
        program.kill()
        program.communicate()


@contextlib.contextmanager
def _watching(pids: list[int], folder: Path, hang_after_s: float) -> Iterator[None]:
    command = f'cat > "{folder}/part.$$"; mv "{folder}/part.$$" "{folder}/told.$$.json"'
    words = [sys.executable, "-m", "hangtui", "watch", *map(str, pids), "-d", str(folder)]
    words += ["--hang-after", f"{hang_after_s:g}s", "--on-hang", command, "--keep", "1000"]
    with (folder / "said").open("w") as said:
        watcher = subprocess.Popen(words, stderr=said)
    try:
        yield
        assert watcher.poll() is None, (folder / "said").read_text()
    finally:
        watcher.terminate()
        watcher.wait()


def _told(folder: Path) -> Iterator[tuple[int, str]]:
    """What the commands were given: the PID, and which hang."""
    for path in folder.glob("told.*.json"):
        told: dict[str, Any] = json.loads(path.read_text())
        finding = told["finding"]
        yield told["pid"], f"{finding['id']} {sorted(t['tid'] for t in finding['threads'])}"


def _await(folder: Path, pid: int, count: int) -> None:
    """Until so many hangs of a process were told, or the time is up: then it was missed."""
    deadline = time.monotonic() + _TOLD_LIMIT_S
    while sum(one == pid for one, _ in _told(folder)) < count and time.monotonic() < deadline:
        time.sleep(0.1)
