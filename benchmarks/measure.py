"""What the benchmarks share: running programs by turns, medians, and a table."""

import contextlib
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HANGTUI = (sys.executable, "-m", "hangtui")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
# An installed hangtui has its bytecode; the first of the runs makes it.
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)


@contextlib.contextmanager
def ring(*options: str) -> Iterator["subprocess.Popen[str]"]:
    """A deadlocked process; it is ended afterwards."""
    with subprocess.Popen(
        [sys.executable, str(ROOT / "benchmarks" / "ring.py"), *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process
        finally:
            process.kill()


def longest_gap(process: "subprocess.Popen[str]") -> float:
    """That the process's own clock noticed since it was last asked, in milliseconds."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def seconds_of(command: Sequence[str]) -> float:
    """How long the command runs. Its output must be read as fast as it comes, so it is dropped."""
    start = time.perf_counter()
    subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=ENVIRONMENT,
        check=True,
    )
    return time.perf_counter() - start


def processor_s(command: Sequence[str]) -> float:
    """The processor time of the command and of all that it waited for, in seconds: on a busy
    machine it tells more of a program than how long that runs."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds_of(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def by_turns(
    measurements: Mapping[str, Callable[[], float]], rounds: int
) -> dict[str, list[float]]:
    """All results, taken by turns, so that a slow minute of the machine hits all alike."""
    results: dict[str, list[float]] = {key: [] for key in measurements}
    for measure in measurements.values():
        measure()  # once for the caches
    for _ in range(rounds):
        for key, measure in measurements.items():
            results[key].append(measure())
    return results


def table(title: str, results: Mapping[str, Sequence[float]], base: str, unit: str) -> None:
    """One row for each: median, range, and the ratio of the medians to that of *base*."""
    print(title)
    width = max(map(len, results))
    reference = statistics.median(results[base])
    for name, values in results.items():
        median = statistics.median(values)
        ratio = f"{median / reference:6.2f} x" if reference else "       -"
        print(
            f"  {name:<{width}}  {median:8.1f} {unit}  "
            f"({min(values):.1f} to {max(values):.1f}, {len(values)} runs)  {ratio}"
        )
    print(f"  ratios to: {base}\n")
