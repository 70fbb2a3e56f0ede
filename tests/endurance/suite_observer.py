"""Captures the processes of a running test suite at random moments; for ``suite_runs.py``."""

import contextlib
import os
import random
import signal
import time
from collections.abc import Mapping
from pathlib import Path

from tests.endurance import observing
from tests.endurance.unharmed import Target
from tests.procfs import stat_of

MARK = "HANGTUI_SUITE"
"""A variable of the environment by which a suite's processes are known."""
_BETWEEN_S = 0.3
"""The longest time between two captures."""
_PROBE_EVERY = 40
"""After so many captures of a suite one of the process that notices when its calls are woken."""
_WHOLE = 0.15
"""The share of captures that take all processes of a suite at once."""
_OTHERS = 0.05
"""The share of captures that may be of a process that is not Python."""
_STOPPED_S = 5
"""A process that tests stop on purpose goes on before that."""


class Observer:
    """Captures the processes of suites; with a process beside them that notices EINTR."""

    def __init__(self, keep: Path, seed: int, modes: Mapping[str, int]) -> None:
        self._keep, self._modes = keep, modes
        self._chance = random.Random(seed)
        self._probe = Target(3, computes=False)
        self._woken = self._probe.woken()
        self._number = 0
        self.harm: list[str] = []
        """What happened to processes that should not have."""

    def close(self) -> None:
        """End the process that is beside."""
        self._probe.end()

    def step(self, sight: observing.Sight, mark: str) -> None:
        """One capture, at a random moment."""
        time.sleep(self._chance.random() * _BETWEEN_S)
        pids = marked(mark)
        if self._chance.random() > _OTHERS:
            pids = [pid for pid in pids if _is_python(pid)]
        if not pids:
            return
        children = self._chance.random() < _WHOLE
        (mode,) = self._chance.choices(list(self._modes), list(self._modes.values()))
        going = [pid for pid in pids if not _is_stopped(pid)]
        observing.look(sight, self._chance.choice(pids), mode, self._keep, children=children)
        self.look_for_harm(mode, going)
        self._number += 1
        if self._number % _PROBE_EVERY == 0:
            self._look_at_probe(mode)

    def look_for_harm(self, mode: str, going: list[int]) -> None:
        """Whether processes that were *going* on are stopped now."""
        limit = time.monotonic() + _STOPPED_S
        while left := [pid for pid in going if _is_stopped(pid)]:
            if time.monotonic() > limit:
                self.harm += [f"{mode}: {_words(pid)} was left stopped" for pid in left]
                return
            time.sleep(0.05)

    def _look_at_probe(self, mode: str) -> None:
        aside = observing.Sight("probe")
        observing.look(aside, self._probe.pid, mode, self._keep / "probe")
        self.harm += [f"the process beside: {text}" for text in aside.broken]
        if not self._probe.runs():
            self.harm.append(f"{mode}: the process beside was left {self._probe.states()}")
        if (now := self._probe.woken()) != self._woken:
            self.harm.append(f"{mode}: {now - self._woken} calls of the process beside were woken")
            self._woken = now


def marked(mark: str) -> list[int]:
    """PIDs of the living processes of a suite, and of descendants whose environment was cleared."""
    word = f"{MARK}={mark}".encode()
    parents, found = {}, set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            state, parent = stat_of(folder)[:2]
            if state != "Z":
                parents[int(folder.name)] = int(parent)
            if word in (folder / "environ").read_bytes():
                found.add(int(folder.name))
    # Those that are started later mostly have higher numbers; the others are found next time.
    for pid in sorted(parents):
        if parents[pid] in found:
            found.add(pid)
    return sorted(found & set(parents))


def _is_python(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return "python" in os.readlink(f"/proc/{pid}/exe")
    return False


def _is_stopped(pid: int) -> bool:
    """By a signal or by a tracer."""
    with contextlib.suppress(OSError, ValueError):
        return stat_of(pid)[0] in "Tt"
    return False


def _words(pid: int) -> str:
    with contextlib.suppress(OSError):
        command = Path(f"/proc/{pid}/cmdline").read_bytes()[:200].replace(b"\0", b" ")
        return f"{pid} ({command.decode(errors='replace')})"
    return str(pid)


def end_all(mark: str) -> None:
    """Kill whatever is left of a suite."""
    while left := marked(mark):
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
