"""Ray, jobs of torch and vLLM that start, work and end, each captured at random moments.

The programs are in tests/targets/engines; script/engine-captures is the command line.
"""

import contextlib
import os
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.endurance import hangs
from tests.endurance.observing import MODES, Sight, look
from tests.procfs import state_of

_TARGETS = Path(__file__).parents[1] / "targets" / "engines"
_TORCHRUN = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
STARTING, WORKING, ENDING = "starting", "working", "ending"
_FAMILY = 0.3
"""The share of captures that take all processes together."""
_KILLED = 0.3
"""The share of lives that SIGTERM ends, before they end by themselves."""
_BETWEEN_S = 0.2
"""The longest time between two captures."""
_LIFE_S = 600.0
"""An engine that is then still there does not end."""


@dataclass(frozen=True, slots=True)
class Life:
    """A program of an engine, from its start to its end."""

    engine: str
    """The environment that it needs, and how its file begins."""
    mode: str
    launcher: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """How it is told from the others, and may be the name of a file."""
        return f"{self.engine}-{self.mode}"

    def command(self, python: Path, seconds: float) -> list[str]:
        """What starts it, to work for so long."""
        program = _TARGETS / f"{self.engine}_work.py"
        work = [str(python), *self.launcher, str(program), self.mode, str(seconds)]
        return ["nice", "-n", str(-os.getpriority(os.PRIO_PROCESS, 0)), *work]


LIVES = (
    *(Life("ray", mode) for mode in "idle tasks slow actors asyncs queue data again".split()),
    Life("torch", "loader"),
    *(Life("torch", mode, _TORCHRUN) for mode in "ddp slow saves collectives".split()),
    *(Life("vllm", mode) for mode in "idle busy streams".split()),
)


@dataclass(slots=True)
class _Started:
    """A running engine."""

    process: "subprocess.Popen[bytes]"
    ready: int
    """The end of the pipe into which it says that it is ready."""
    seconds: float
    works_until: float | None = None

    @property
    def phase(self) -> str:
        """Where it is in its life."""
        if self.works_until is None:
            with contextlib.suppress(BlockingIOError):
                if os.read(self.ready, 16):
                    self.works_until = time.monotonic() + self.seconds
        if self.works_until is None:
            return STARTING
        return WORKING if time.monotonic() < self.works_until else ENDING

    def pythons(self) -> list[int]:
        """PIDs of its processes that run Python."""
        found = []
        for pid in hangs.started_by({self.process.pid}):
            with contextlib.suppress(OSError):
                if "python" in Path(os.readlink(f"/proc/{pid}/exe")).name:
                    found.append(pid)
        return sorted(found)


@contextlib.contextmanager
def _started(life: Life, python: Path, seconds: float) -> Iterator[_Started]:
    with tempfile.TemporaryDirectory(prefix="hangtui-engine-") as folder:
        fifo = Path(folder) / "ready"
        os.mkfifo(fifo)
        ready = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        told = {"HANGTUI_READY": str(fifo), "HANGTUI_TARGET_LIMIT": "600", "OMP_NUM_THREADS": "1"}
        process = subprocess.Popen(
            life.command(python, seconds),
            env={**os.environ, **told},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield _Started(process, ready, seconds)
        finally:
            hangs.end_all({process.pid})
            process.wait()
            os.close(ready)


def observed(
    life: Life, python: Path, seconds: float, keep: Path, seed: str
) -> tuple[Sight, dict[str, int]]:
    """Run an engine, and capture it until it is gone: what was said, and captures by phase.

    Raises:
        AssertionError: it never came to work, or did not end.
    """
    chance, sight = random.Random(seed), Sight(seed)
    phases = dict.fromkeys((STARTING, WORKING, ENDING), 0)
    deadline = time.monotonic() + _LIFE_S
    killed = chance.random() < _KILLED
    with _started(life, python, seconds) as engine:
        while engine.process.poll() is None and state_of(engine.process.pid) != "Z":
            assert time.monotonic() < deadline, "it does not end"
            phase = engine.phase
            if phase != ENDING:  # which may be short
                time.sleep(chance.random() * _BETWEEN_S)
            known = engine.pythons()
            if phase == ENDING and killed:
                killed = False
                engine.process.send_signal(signal.SIGTERM)
            before = sight.captures
            if known:
                (mode,) = chance.choices(list(MODES), list(MODES.values()))
                mode = "auto" if phase == ENDING else mode
                family = chance.random() < _FAMILY
                pid = engine.process.pid if family else chance.choice(known)
                look(sight, pid, mode, keep, children=family)
            phases[phase] += sight.captures - before
        reached = engine.phase
    assert reached != STARTING, "it ended before it was ready"
    return sight, phases
