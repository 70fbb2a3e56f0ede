"""Native stacks: how long each program takes, for how long the process stands still for it.

    python benchmarks/native_stacks.py [--rounds N] [--target NAME ...] [--torch PYTHON]

Programs that are not installed are left out: gdb, eu-stack (elfutils), py-spy, pystack. The stop is
the longest time that the process's own clock thread could not run, so it also holds what the
machine was busy with; hangtui's own figure for its stop is printed beside it.
"""

import argparse
import contextlib
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from measure import ENVIRONMENT, HANGTUI, ROOT, longest_gap

GDB = "gdb thread apply all bt"
_LIMIT_S = 180
_LONGEST = 200
_STOPPED = re.compile(rb'(?:\s*"stopped_for_ms":)?\s*(\d+\.\d+),?\s*$')
"""A line of the JSON report, or the only one of a mini-core."""
_TARGET = """
import contextlib, os, sys, threading
sys.path.insert(0, sys.argv[1])
from ring import watch_the_clock
threading.stack_size(256 << 10)
if sys.argv[3] == "torch":
    import torch
    def work():
        square = torch.randn(64, 64)
        for _ in range(20):
            square = square @ square.softmax(0)
        threading.Event().wait()
    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
for _ in range(int(sys.argv[2])):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
with contextlib.suppress(PermissionError):  # other work of the machine shall not look like a stop
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # this thread alone
print("ready", flush=True)
watch_the_clock()
"""
_MINICORE = """
import sys
from hangtui.backends.minicore import write_minicore
core = write_minicore(int(sys.argv[1]))
core.files.close()
print(core.stopped_ms)
"""


@dataclass(slots=True)
class Cost:
    """What one program cost, run by run."""

    wall_ms: list[float] = field(default_factory=list)
    stop_ms: list[float] = field(default_factory=list)
    own_ms: list[float] = field(default_factory=list)
    """What hangtui says of its stop."""
    cpu_ms: list[float] = field(default_factory=list)
    """Of the program and its children: what wall time would be on an idle machine, nearly."""
    peak_mb: float = 0.0
    failed: str = ""


def programs(pid: int) -> dict[str, list[str]]:
    """The command lines to compare, as far as they are installed."""
    beside = Path(sys.executable).parent
    path = os.pathsep.join([str(beside), os.environ.get("PATH", "")])
    wanted = {
        "hangtui auto": [*HANGTUI, "dump", "--json", str(pid)],
        "hangtui stop": [*HANGTUI, "dump", "--json", "--native", "stop", str(pid)],
        "hangtui gdb": [*HANGTUI, "dump", "--json", "--native", "gdb", str(pid)],
        "hangtui mini-core alone": [sys.executable, "-c", _MINICORE, str(pid)],
        GDB: [
            *("gdb", "-nx", "-iex", "set debuginfod enabled off"),
            *("-p", str(pid), "-batch", "-ex", "thread apply all bt"),
        ],
        "py-spy dump --native": ["py-spy", "dump", "--native", "--pid", str(pid)],
        "pystack --native-all": ["pystack", "remote", "--native-all", str(pid)],
        "eu-stack": ["eu-stack", "-p", str(pid)],
    }
    found = {}
    for name, (program, *arguments) in wanted.items():
        place = shutil.which(program, path=path)
        if place:
            found[name] = [place, *arguments]
    return found


@contextlib.contextmanager
def target(python: str, threads: int, kind: str) -> Iterator["subprocess.Popen[str]"]:
    """A process that hangs, with a clock."""
    with subprocess.Popen(
        [python, "-c", _TARGET, str(ROOT / "benchmarks"), str(threads), kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            if not process.stdout.readline():
                raise SystemExit(f"{python} cannot run the {kind} target")
            time.sleep(1)
            yield process
        finally:
            process.kill()


def run(command: Sequence[str], cost: Cost, process: "subprocess.Popen[str]") -> None:
    """One run of one program."""
    longest_gap(process)
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        child = subprocess.Popen(
            command, stdout=output, stderr=subprocess.DEVNULL, env=ENVIRONMENT, text=True
        )
        with _ended_after(child, _LIMIT_S):
            _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = (time.perf_counter() - started) * 1000
        output.seek(0)
        own_stop = _own_stop(output)
        said = output.tell()
    stop = longest_gap(process)
    # `hangtui dump` exits with 1 where it has found something, which it has here.
    if child.returncode not in (0, 1) or not said:
        cost.failed = f"exit {child.returncode} after {wall / 1000:.0f} s"
        return
    cost.wall_ms.append(wall)
    cost.stop_ms.append(stop)
    cost.cpu_ms.append((usage.ru_utime + usage.ru_stime) * 1000)
    cost.own_ms += own_stop
    cost.peak_mb = max(cost.peak_mb, usage.ru_maxrss / 1024)


@contextlib.contextmanager
def _ended_after(child: "subprocess.Popen[str]", seconds: float) -> Iterator[None]:
    import threading

    timer = threading.Timer(seconds, child.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _own_stop(said: IO[bytes]) -> list[float]:
    """hangtui's own figure, in what it printed.

    Line by line: what this program needs at most, its children are said to have needed as well.
    """
    numbers = (_STOPPED.match(line) for line in said if len(line) < _LONGEST)
    return [float(number[1]) for number in numbers if number][:1]


def measure(name: str, python: str, threads: int, rounds: int) -> dict[str, Cost]:
    """All programs by turns on one target."""
    costs: dict[str, Cost] = {}
    with target(python, threads, name) as process:
        commands = programs(process.pid)
        for number in range(rounds + 1):
            for program, command in commands.items():
                cost = costs.setdefault(program, Cost())
                if not cost.failed:
                    run(command, Cost() if not number and rounds > 1 else cost, process)
    return costs


def table(name: str, costs: dict[str, Cost]) -> None:
    """One row for each program."""
    base = costs.get(GDB, Cost())
    print(f"\n{name}")
    print(
        "| program | wall ms | / gdb | CPU ms | longest stop ms | / gdb | own figure ms | peak MB |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for program, cost in costs.items():
        if not cost.wall_ms:
            print(f"| {program} | {cost.failed or '-'} | | | | | | |")
            continue
        wall, stop = statistics.median(cost.wall_ms), statistics.median(cost.stop_ms)
        own = f"{statistics.median(cost.own_ms):.1f}" if cost.own_ms else ""
        print(
            f"| {program} | {wall:.0f} | {_ratio(wall, base.wall_ms)} "
            f"| {statistics.median(cost.cpu_ms):.0f} | {stop:.1f} "
            f"| {_ratio(stop, base.stop_ms)} | {own} | {cost.peak_mb:.0f} |"
        )
    sys.stdout.flush()


def _ratio(value: float, base: Sequence[float]) -> str:
    return f"{value / statistics.median(base):.3f}" if base else "-"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--target", nargs="+", default=["4", "200", "2000", "torch"])
    parser.add_argument("--torch", help="a Python that has torch", default=sys.executable)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name in options.target:
        python = options.torch if name == "torch" else sys.executable
        threads = 4 if name == "torch" else int(name)
        costs = measure(name, python, threads, options.rounds if name != "2000" else 1)
        table(f"{name} threads" if name != "torch" else "torch, 4 threads", costs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
