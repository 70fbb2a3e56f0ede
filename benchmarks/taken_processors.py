"""hangtui beside py-spy and gdb where all processors are taken: how long a report takes there.

    python benchmarks/taken_processors.py [--rounds N] [--spinning N]

Programs that spin take all processors, several each; a process with a deadlock of four threads is
looked at. As root, hangtui raises its own priority; "without SYS_NICE" it may not.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial

from measure import HANGTUI, by_turns, ring, seconds_of, table

DUMP, LOW = "hangtui dump PID", "hangtui dump PID, without SYS_NICE"
SPY, GDB, PASS = "py-spy dump --pid PID", "gdb, thread apply all bt", "python -c pass"
_SPIN = "import signal; signal.alarm(300)\nwhile True: pass"


@contextlib.contextmanager
def spinning(count: int, *, apart: bool = False) -> Iterator[None]:
    """So many programs that compute all the time; *apart*: each in a session of its own."""
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            words = [sys.executable, "-c", _SPIN]
            process = stack.enter_context(subprocess.Popen(words, start_new_session=apart))
            stack.callback(process.kill)
        yield


def commands(pid: int) -> dict[str, list[str]]:
    """The command lines to compare."""
    dump = [*HANGTUI, "dump", str(pid)]
    spy = sys.executable.rpartition("/")[0] + "/py-spy"
    gdb = ["gdb", "-nx", "-iex", "set debuginfod enabled off", "-p", str(pid), "-batch"]
    found = {
        PASS: [sys.executable, "-c", "pass"],
        DUMP: dump,
        LOW: ["setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice", *dump],
        SPY: [spy, "dump", "--pid", str(pid)],
        GDB: [*gdb, "-ex", "thread apply all bt"],
    }
    if os.geteuid() or shutil.which("setpriv") is None:
        del found[LOW]
    return {name: words for name, words in found.items() if shutil.which(words[0])}


def times(rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each command."""
    with ring() as target:
        measurements = {
            name: partial(lambda words: seconds_of(words) * 1000, words)
            for name, words in commands(target.pid).items()
        }
        return by_turns(measurements, rounds)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--spinning", type=int, default=6 * len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    table("Processors that nobody else uses", times(options.rounds), PASS, "ms")
    with spinning(options.spinning):
        taken = times(options.rounds)
    table(f"{options.spinning} programs that spin", taken, PASS, "ms")


if __name__ == "__main__":
    main()
