"""Captures healthy programs whose threads, processes and connections live for milliseconds.

script/churn-fleet is its command line; tests/integration/test_churn.py runs it with small counts.
"""

import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hangtui.analysis.waitgraph import build
from hangtui.backends.collect import collect
from hangtui.capture_file import save
from hangtui.cli import series
from hangtui.findings import run
from hangtui.model import Capture, Severity
from hangtui.provider import CaptureRequest, NativeMode
from hangtui.report.text_report import to_text
from tests.endurance.fleet import Program, await_progress, cpu_seconds, places, running
from tests.integration.targets import FOLDER, Interpreter

VERSIONS = ("3.8", "3.11", "3.12", "3.13")
LOOKS = "looks"
MODES = {"auto": 80, LOOKS: 10, "stop": 6, "gdb": 4}
"""How a capture is taken, and how often of a hundred: several looks, as ``check`` takes them, read
native stacks as ``auto`` does."""
_BETWEEN_S = 0.03
"""The longest time between two captures: several lives of a thread."""
_WITH_CHILDREN = ("churn_processes", "churn_sockets", "churn_asyncio", "churn_channels")


def programs() -> list[Program]:
    """Each program of the files ``churn_*.py``: their functions without arguments."""
    found = []
    for path in sorted(FOLDER.glob("churn_*.py")):
        for name in re.findall(r"^def ([a-z]\w*)\(\):", path.read_text(), re.MULTILINE):
            children = path.stem in _WITH_CHILDREN
            found.append(
                Program(
                    f"{path.stem.removeprefix('churn_')}.{name}",
                    path.stem,
                    (name,),
                    children=children,
                    watches_input=True,
                )
            )
    return found


@dataclass(frozen=True, slots=True)
class Batch:
    """Some captures of one program; all that is left to chance follows from its seed."""

    program: Program
    interpreter: Interpreter
    captures: int
    seed: int


def batches(
    chosen: Sequence[Program], versions: Sequence[str], captures: int, size: int, seed: int
) -> list[Batch]:
    """As many as make up *captures*: every program under every Python before any comes twice."""
    pairs = [(one, place) for one in chosen for place in places(one, tuple(versions))]
    random.Random(seed).shuffle(pairs)
    counts = [size] * (captures // size) + [captures % size] * (captures % size > 0)
    return [
        Batch(*pairs[number % len(pairs)], count, seed + number)
        for number, count in enumerate(counts if pairs else [])
    ]


@dataclass(frozen=True, slots=True)
class Said:
    """A finding of a healthy program that is more than a note."""

    severity: str
    mode: str
    text: str
    kept: str
    """The file with the capture."""


@dataclass(slots=True)
class Outcome:
    """What became of a batch."""

    program: str
    version: str
    seed: int
    captures: int = 0
    waits: int = 0
    seconds: float = 0.0
    modes: dict[str, int] = field(default_factory=dict)
    notes: dict[str, int] = field(default_factory=dict)
    said: list[Said] = field(default_factory=list)
    failure: str | None = None


def observe(batch: Batch, keep: Path, modes: dict[str, int] | None = None) -> Outcome:
    """Start the program, capture it at random moments, and keep what is said. Never raises."""
    chance = random.Random(batch.seed)
    program = batch.program
    outcome = Outcome(program.name, batch.interpreter.version, batch.seed)
    started = time.monotonic()
    weights = modes or MODES
    try:
        with running(program, batch.interpreter, batch.captures) as target:
            before = cpu_seconds(target.pid)
            for _ in range(batch.captures):
                time.sleep(chance.random() * _BETWEEN_S)
                (mode,) = chance.choices(list(weights), list(weights.values()))
                children = program.children and chance.random() < 0.7
                judge(taken(target.pid, mode, children), mode, outcome, keep)
            if target.poll() is None:
                await_progress(target.pid, before)
            else:
                outcome.failure = f"it ended with {target.returncode}"
    except Exception as error:  # noqa: BLE001  one program must not end the whole fleet
        outcome.failure = f"{type(error).__name__}: {error}"
    outcome.seconds = time.monotonic() - started
    return outcome


def taken(pid: int, mode: str, children: bool) -> Capture:
    """A capture, or the last of several."""
    if mode == LOOKS:
        return series.take(CaptureRequest((pid,), children), series.Looks(3, 0.3))
    *_, capture = collect(CaptureRequest((pid,), children, NativeMode(mode)))
    return capture


def judge(capture: Capture, mode: str, outcome: Outcome, keep: Path) -> None:
    """Count a capture, and keep it if it says more than notes."""
    outcome.captures += 1
    outcome.waits += len(capture.waits)
    outcome.modes[mode] = outcome.modes.get(mode, 0) + 1
    bad = []
    for finding in run(capture, build(capture)):
        if finding.severity is Severity.NOTE:
            outcome.notes[finding.id] = outcome.notes.get(finding.id, 0) + 1
        else:
            bad.append(finding)
    if not bad:
        return
    name = f"{outcome.program}-{outcome.version}-{outcome.seed}-{outcome.captures}"
    keep.mkdir(parents=True, exist_ok=True)
    save(capture, keep / f"{name}.hang")
    (keep / f"{name}.txt").write_text(to_text(capture))
    for finding in bad:
        text = "\n    ".join((f"{finding.id}: {finding.title}", finding.sentence))
        outcome.said.append(Said(finding.severity.value, mode, text, f"{name}.hang"))
