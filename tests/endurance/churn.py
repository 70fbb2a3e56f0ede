"""Captures healthy programs whose threads, processes and connections live for milliseconds.

script/churn-fleet is its command line; tests/integration/test_churn.py runs it with small counts.
"""

import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.endurance.fleet import Program, await_progress, cpu_seconds, places, running
from tests.endurance.observing import MODES, Sight, look
from tests.integration.targets import FOLDER, Interpreter, Target, await_sleep

VERSIONS = ("3.8", "3.11", "3.12", "3.13")
_BETWEEN_S = 0.03
"""The longest time between two captures: several lives of a thread."""
_WITH_CHILDREN = ("churn_processes", "churn_sockets", "churn_asyncio", "churn_channels")


def programs() -> list[Program]:
    """Each program of the files ``churn_*.py``: their functions without arguments that the file
    itself does not call; and each healthy one of ``wrapped_locks.py``."""
    found = []
    for path in sorted(FOLDER.glob("churn_*.py")):
        text = path.read_text()
        for name in re.findall(r"^def ([a-z]\w*)\(\):", text, re.MULTILINE):
            if not re.search(rf"(?<!def )\b{name}\(", text):
                place, children = path.stem.removeprefix("churn_"), path.stem in _WITH_CHILDREN
                program = Program(f"{place}.{name}", path.stem, (name,), children)
                found.append(replace(program, watches_input=True, nice=5))
    text = (FOLDER / "wrapped_locks.py").read_text()
    shapes = re.findall(r'^    "(\w+)": [A-Z]', text, re.MULTILINE)
    return found + [Program(f"shapes.{s}", "wrapped_locks", (s, "healthy")) for s in shapes]


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


@dataclass(slots=True)
class Outcome:
    """What became of a batch."""

    program: str
    version: str
    seed: int
    sight: Sight
    seconds: float = 0.0
    failure: str | None = None


def observe(batch: Batch, keep: Path, modes: dict[str, int] | None = None) -> Outcome:
    """Start the program, capture it at random moments, and keep what is said. Never raises."""
    chance = random.Random(batch.seed)
    program = batch.program
    version = batch.interpreter.version
    sight = Sight(f"{program.name}-{version}-{batch.seed}")
    outcome = Outcome(program.name, version, batch.seed, sight)
    started = time.monotonic()
    weights = modes or MODES
    try:
        with running(program, batch.interpreter, batch.captures) as target:
            if program.idle:
                await_sleep(Target(target.pid, ""))
            before = cpu_seconds(target.pid)
            for _ in range(batch.captures):
                time.sleep(chance.random() * _BETWEEN_S)
                (mode,) = chance.choices(list(weights), list(weights.values()))
                children = program.children and chance.random() < 0.7
                look(sight, target.pid, mode, keep, children=children)
            if target.poll() is not None:
                outcome.failure = f"it ended with {target.returncode}"
            elif not program.idle:
                await_progress(target.pid, before)
        if sight.ended or sight.broken:
            outcome.failure = "\n".join(
                [f"{sight.ended} times it could not be read", *sight.broken]
            )
    except Exception as error:  # noqa: BLE001  one program must not end the whole fleet
        outcome.failure = f"{type(error).__name__}: {error}"
    outcome.seconds = time.monotonic() - started
    return outcome
