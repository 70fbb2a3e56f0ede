"""hangtui beside gdb on a deadlock of four threads: how long each takes and stops the process.

python benchmarks/dump_vs_gdb.py [--rounds N] [--threads N]
"""

import argparse
import shutil
import sys
from collections.abc import Callable, Sequence

from measure import HANGTUI, by_turns, longest_gap, processor_s, ring, seconds_of, table

GDB = "gdb -p PID -batch -ex 'thread apply all bt'"
DUMP = "hangtui dump PID"
DUMP_GDB = "hangtui dump PID --native gdb"
CHECK = "hangtui check --looks 1 PID"


def commands(pid: int) -> dict[str, list[str]]:
    """The command lines to compare."""
    return {
        DUMP: [*HANGTUI, "dump", str(pid)],
        DUMP_GDB: [*HANGTUI, "dump", str(pid), "--native", "gdb"],
        CHECK: [*HANGTUI, "check", "--looks", "1", "--allow", "deadlock", str(pid)],
        GDB: [
            *("gdb", "-nx", "-iex", "set debuginfod enabled off"),
            *("-p", str(pid), "-batch", "-ex", "thread apply all bt"),
        ],
    }


def times(
    threads: int, rounds: int, clock: Callable[[Sequence[str]], float]
) -> dict[str, list[float]]:
    """Milliseconds of each command by a *clock* of seconds, on a process that only hangs."""
    with ring("--threads", str(threads)) as target:
        measurements = {
            name: lambda command=command: clock(command) * 1000
            for name, command in commands(target.pid).items()
        }
        return by_turns(measurements, rounds)


def stops(threads: int, rounds: int) -> dict[str, list[float]]:
    """Milliseconds that the process stood still, by its own clock."""
    with ring("--threads", str(threads), "--clock") as target:

        def longest_stop(command: list[str]) -> float:
            longest_gap(target)
            seconds_of(command)
            return longest_gap(target)

        measurements = {
            name: lambda command=command: longest_stop(command)
            for name, command in commands(target.pid).items()
        }
        return by_turns(measurements, rounds)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=4)
    options = parser.parse_args()
    if shutil.which("gdb") is None:
        print("gdb is not installed", file=sys.stderr)
        return 2
    count = options.threads
    walls = times(count, options.rounds, seconds_of)
    table(f"Time to the report, {count} deadlocked threads", walls, GDB, "ms")
    used = times(count, options.rounds, processor_s)
    table("Processor time, with all processes that it starts", used, GDB, "ms")
    gaps = stops(count, options.rounds)
    table("Longest stop that the process itself noticed", gaps, GDB, "ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
