"""hangtui beside py-spy on 200 deadlocked threads: how long reading takes, and if it stops them.

    python benchmarks/reading_vs_pyspy.py [--rounds N] [--threads N] [--depth N]

hangtui reads Python stacks, waits and holds here (no native stacks), py-spy Python stacks. The
process tells itself by a clock thread for how long it did not get to run; what it tells while
nobody reads is what the machine's other work costs it.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

from measure import HANGTUI, ROOT, by_turns, longest_gap, ring, seconds_of, table

sys.path.insert(0, str(ROOT))

from hangtui.backends.capture.collector import collect
from hangtui.provider import CaptureRequest, NativeMode

SPY = "py-spy dump PID"
SPY_RUNNING = "py-spy dump --nonblocking PID"
DUMP = "hangtui dump --native none PID"
FIRST = "hangtui: facts on the screen"
WHOLE = "hangtui: the whole capture"
NOBODY = "nobody reads"


def commands(pid: int) -> dict[str, list[str]]:
    """The command lines to compare."""
    spy = [sys.executable.rpartition("/")[0] + "/py-spy", "dump", "--pid", str(pid)]
    return {
        SPY: spy,
        SPY_RUNNING: [*spy, "--nonblocking"],
        DUMP: [*HANGTUI, "dump", "--native", "none", str(pid)],
    }


def captured(pid: int, steps: int | None) -> float:
    """Seconds until a capture of this many steps is there; None: all.

    The second step has all waits and holds. The rest of the time is spent watching whether the
    threads in a deadlock ever run, without which none is claimed.
    """
    start = time.perf_counter()
    request = CaptureRequest(pids=(pid,), native=NativeMode.NONE)
    for number, capture in enumerate(collect(request), 1):
        if number == steps:
            assert capture.waits
            break
    return time.perf_counter() - start


def wall_times(shape: Sequence[str], rounds: int) -> dict[str, list[float]]:
    """Milliseconds that each takes, on a process that does nothing but hang."""
    with ring(*shape) as target:
        measurements: dict[str, Callable[[], float]] = {
            name: partial(milliseconds_of, command)
            for name, command in commands(target.pid).items()
        }
        measurements[FIRST] = lambda: captured(target.pid, 2) * 1000
        measurements[WHOLE] = lambda: captured(target.pid, None) * 1000
        return by_turns(measurements, rounds)


def milliseconds_of(command: Sequence[str]) -> float:
    """How long a command runs."""
    return seconds_of(command) * 1000


def gaps(shape: Sequence[str], rounds: int) -> dict[str, list[float]]:
    """Milliseconds: the longest time that the clock thread did not get to run."""
    with ring(*shape, "--clock") as target:

        def longest(command: list[str]) -> float:
            longest_gap(target)
            seconds_of(command)
            return longest_gap(target)

        measurements: dict[str, Callable[[], float]] = {
            name: partial(longest, command) for name, command in commands(target.pid).items()
        }
        usual = seconds_of(commands(target.pid)[DUMP])
        measurements[NOBODY] = lambda: longest(["sleep", f"{usual:.2f}"])
        return by_turns(measurements, rounds)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=200)
    parser.add_argument("--depth", type=int, default=20, help="frames below what waits")
    options = parser.parse_args()
    shape = ("--threads", str(options.threads), "--depth", str(options.depth))
    times = wall_times(shape, options.rounds)
    title = f"Time to the stacks and waits of {options.threads} deadlocked threads"
    table(f"{title}, {options.depth} calls deep", times, SPY, "ms")
    stops = gaps(shape, options.rounds)
    table("Longest gap that the process's own clock noticed", stops, NOBODY, "ms")


if __name__ == "__main__":
    main()
