"""Large suites of others, which do not hang, with the plugin of pytest and without it.

    .venv/bin/python benchmarks/pytest_plugin.py [--rounds N] [--keep FOLDER] [--only NAME...]

By turns: each suite alone, and with ``--hang-after 5m``. Their results have to be the same. What
the plugin costs is told as processor time (of the watcher as well, which is no child of the tests),
as time on the clock, and as memory of the watcher and of the tests. "empty" is a suite of 5,000
tests that do nothing: what the plugin costs for each.
"""

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.endurance import suites
from tests.endurance.suite_runs import Place
from tests.endurance.suites import Suite
from tests.integration.targets import interpreters

ROOT = Path(__file__).resolve().parents[1]
LARGE = (
    Suite("networkx", ("networkx",), ("numpy", "scipy", "pandas", "lxml", "pydot"), installed=True),
    Suite("sqlalchemy", ("test/sql", "test/base"), ("pytest-xdist", "greenlet")),
    Suite("jinja2", needs=("trio",)),
    Suite("attrs", needs=("hypothesis", "cloudpickle", "pympler")),
)
_WATCHING = ("--hang-after", "5m")
_PLUGIN = ("-p", "hangtui.testing.plugin")
"""For an interpreter that has no hangtui installed."""
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_EMPTY = """
import pytest

@pytest.mark.parametrize("number", range(5_000))
def test_nothing(number):
    pass
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one run."""

    results: dict[str, suites.Result]
    clock_s: float
    processor_s: float
    """Of the tests and of the watcher."""
    tests_mb: float
    """What the tests' process had in memory at most."""
    watcher_mb: float
    """The same of the watcher; 0: there was none."""


class Watching:
    """Follows the watcher beside the tests' process: it is no child of anybody here."""

    def __init__(self, pid: int) -> None:
        self._mark = f'"pid": {pid},'.encode()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self.processor_s = self.peak_mb = 0.0
        self._thread.start()

    def stop(self) -> None:
        """The tests have ended."""
        self._ended.set()
        self._thread.join()

    def _follow(self) -> None:
        found: Path | None = None
        while not self._ended.wait(0.5):
            if found is None:
                found = next(self._watchers(), None)
            if found is not None:
                with contextlib.suppress(OSError, StopIteration):
                    self._look(found)

    def _watchers(self) -> Iterator[Path]:
        for path in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (path / "cmdline").read_bytes()
                if self._mark in words and b"watcher.py" in words:
                    yield path

    def _look(self, path: Path) -> None:
        fields = (path / "stat").read_text().rpartition(")")[2].split()
        self.processor_s = (int(fields[11]) + int(fields[12])) * _TICK_S
        status = (path / "status").read_text().splitlines()
        peak = next(line for line in status if line.startswith("VmHWM:"))
        self.peak_mb = int(peak.split()[1]) / 1024


def run(command: list[str], folder: Path, report: Path, *, watched: bool) -> Cost:
    """Run a suite once."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"}
    begun = time.perf_counter()
    process = subprocess.Popen(
        [*command, *_options(command[0], watched)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    watching = Watching(process.pid)
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0  # it has been waited for
    clock = time.perf_counter() - begun
    watching.stop()
    return Cost(
        suites.results(report),
        clock,
        used.ru_utime + used.ru_stime + watching.processor_s,
        used.ru_maxrss / 1024,
        watching.peak_mb,
    )


def _options(python: str, watched: bool) -> tuple[str, ...]:
    own = () if python == sys.executable else _PLUGIN
    return (*own, *_WATCHING) if watched else ()


def compare(name: str, command: list[str], folder: Path, report: Path, rounds: int) -> bool:
    """Print a row; whether the results were the same."""
    alone: list[Cost] = []
    watched: list[Cost] = []
    run(command, folder, report, watched=False)  # once for the caches
    for number in range(rounds):
        for which in (alone, watched) if number % 2 else (watched, alone):
            which.append(run(command, folder, report, watched=which is watched))
    one, two = alone[0].results, watched[0].results
    flaky = {c.test for run_ in alone[1:] for c in suites.changes(one, run_.results)}
    changed = [c for run_ in watched for c in suites.changes(one, run_.results)]
    changed = [c for c in changed if c.test not in flaky]
    pairs = list(zip(alone, watched, strict=True))
    processor = statistics.median(b.processor_s / a.processor_s for a, b in pairs)
    clock = statistics.median(b.clock_s / a.clock_s for a, b in pairs)
    memory = statistics.median(b.tests_mb - a.tests_mb for a, b in pairs)
    spent = statistics.median(a.processor_s for a in alone)
    print(
        f"{name:12} {len(two):6} tests  {spent:7.1f} s alone  processor {processor:.3f} x  "
        f"clock {clock:.3f} x  watcher {max(b.watcher_mb for b in watched):.1f} MB  "
        f"tests {memory:+.1f} MB  {len(changed)} changed, {len(flaky)} differ alone",
        flush=True,
    )
    for change in changed[:20]:
        print(f"    {change}")
    return not changed and bool(two)


def main() -> int:
    """Run them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", help="names of suites, or empty")
    parser.add_argument("--keep", type=Path, help="a folder for the suites, which is not removed")
    chosen = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = chosen.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        same = [True]
        if not chosen.only or "empty" in chosen.only:
            (folder / "test_empty.py").write_text(_EMPTY)
            report = folder / "empty.xml"
            words = ["-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
            command = [sys.executable, "-m", "pytest", *words, "test_empty.py"]
            same.append(compare("empty", command, folder, report, chosen.rounds))
        for suite in LARGE:
            if not chosen.only or suite.package in chosen.only:
                place = Place(suite, interpreters(("3.12",))[0], folder)
                report = folder / f"{place.name}.xml"
                command, where = place.command(report)
                same.append(compare(suite.package, command, where, report, chosen.rounds))
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
