"""Compares the locks that are proven to be held with the truth, over random programs.

    python tests/endurance/random_locks.py [--seeds N] [--first SEED] [--threads N] [--modes ...]

Runs on every CPython of this machine and exits with 1 if any lock was claimed that is not held,
or is held and was not claimed. tests/integration/test_random_locks.py runs a few seeds.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hangtui.backends.capture.collector import collect
from hangtui.model import Capture, Certainty, NodeKind, resource_id
from hangtui.provider import CaptureRequest, NativeMode
from tests.integration.targets import READABLE, Interpreter, interpreters, running

MODES = ("plain", "hot", "lines", "opcodes", "monitoring")
MONITORING_SINCE = 12
"""The first minor version with ``sys.monitoring``."""


@dataclass(slots=True)
class Comparison:
    """Claims against the truth."""

    threads: int = 0
    held: int = 0
    """Locks that were held in truth."""
    extra: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    lost_waits: list[str] = field(default_factory=list)
    """Threads whose wait was not found, or was found for a lock that they hold."""

    @property
    def exact(self) -> bool:
        """Whether every claim is true, and none is missing."""
        return not (self.extra or self.missing or self.lost_waits)

    def add(self, other: "Comparison") -> None:
        """Sum up."""
        self.threads += other.threads
        self.held += other.held
        self.extra += other.extra
        self.missing += other.missing
        self.lost_waits += other.lost_waits

    def __str__(self) -> str:
        """Figures in words."""
        return (
            f"{self.threads} threads, {self.held} locks held, {len(self.extra)} extra,"
            f" {len(self.missing)} missing, {len(self.lost_waits)} waits lost"
        )


def possible(interpreter: Interpreter, mode: str) -> bool:
    """Whether an interpreter has what a mode needs."""
    minor = int(interpreter.version.split(".")[1].rstrip("t"))
    return {"monitoring": minor >= MONITORING_SINCE, "opcodes": minor >= 7}.get(mode, True)


def compare(interpreter: Interpreter, seed: int, threads: int, mode: str) -> Comparison:
    """Run one target and judge what is claimed of it."""
    with tempfile.TemporaryDirectory(prefix="hangtui-random-") as folder:
        truth = Path(folder) / "truth"
        arguments = (str(seed), str(threads), mode, str(truth))
        with running("random_locks", interpreter.path, arguments=arguments) as target:
            *_, capture = collect(CaptureRequest((target.pid,), native=NativeMode.NONE))
        return _judge(capture, json.loads(truth.read_text()), f"{interpreter.id} {mode} {seed}")


def _judge(capture: Capture, truth: dict[str, list[int]], place: str) -> Comparison:
    result = Comparison()
    names = {thread.id: thread.name for thread in capture.threads()}
    claimed: dict[str, set[str]] = {name: set() for name in names.values()}
    for hold in capture.holds:
        if hold.evidence.certainty is Certainty.PROVEN:
            claimed[names[hold.holder]].add(hold.resource)
    awaited = {names[wait.waiter]: wait.target for wait in capture.waits}
    (process,) = capture.processes
    for name, addresses in truth.items():
        held = {resource_id(NodeKind.LOCK, process.pid, address) for address in addresses}
        result.threads += 1
        result.held += len(held)
        result.extra += [f"{place} {name}: {node}" for node in claimed[name] - held]
        result.missing += [f"{place} {name}: {node}" for node in held - claimed[name]]
        if not awaited.get(name, "").startswith("lock:") or awaited[name] in held:
            result.lost_waits.append(f"{place} {name}: {awaited.get(name)}")
    return result


def main() -> int:
    """Runs the seeds and prints one line for each interpreter and mode."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--threads", type=int, default=60)
    parser.add_argument("--modes", nargs="+", choices=MODES, default=MODES)
    parser.add_argument("--pythons", nargs="+", default=READABLE)
    options = parser.parse_args()
    total = Comparison()
    for interpreter in interpreters(tuple(options.pythons)):
        for mode in options.modes:
            if not possible(interpreter, mode):
                continue
            result = Comparison()
            for seed in range(options.first, options.first + options.seeds):
                result.add(compare(interpreter, seed, options.threads, mode))
            print(f"{interpreter.id} {mode}: {result}", flush=True)
            for line in [*result.extra, *result.missing, *result.lost_waits][:5]:
                print(f"    {line}")
            total.add(result)
    print(f"all: {total}")
    return 0 if total.exact else 1


if __name__ == "__main__":
    sys.exit(main())
