"""The process that must not be harmed; for ``kill_loop.py``."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.procfs import stat_of, status_of
from tests.waiting import comes_true

_PROGRAM = Path(__file__).parents[1] / "targets" / "interruptible.py"
_CLEARLY = 20
"""Clock ticks (10 ms) of processor time that only the thread that computes will ever use."""
LIMIT_S = 20


class Target:
    """The process that must not be harmed."""

    def __init__(self, threads: int, *, computes: bool = True) -> None:
        """*threads* that wait for a lock; *computes*: one more needs a whole processor."""
        environment = {key: value for key, value in os.environ.items() if key != "HANGTUI_READY"}
        self._process = subprocess.Popen(
            [sys.executable, _PROGRAM, "deadlock", *(["spin"] if computes else []), str(threads)],
            env={**environment, "HANGTUI_TARGET_LIMIT": "36000"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._question, self._answer = self._process.stdin, self._process.stdout
        self._answer.readline()
        self.pid = self._process.pid
        self._spinning = self._thread_that_spins() if computes else None

    def woken(self) -> int:
        """How often a call returned although nothing had happened."""
        self._question.write("\n")
        self._question.flush()
        return int(self._answer.readline())

    def end(self) -> None:
        """Kill it."""
        with self._process:
            self._process.kill()

    def tracer(self) -> int:
        """PID of a tracer of any thread; 0: none."""
        return max((int(status["TracerPid"]) for status in self._statuses()), default=0)

    def is_traced(self) -> bool:
        """Whether somebody traces the thread that computes, which no copy leaves out."""
        assert self._spinning is not None, "no thread computes"
        return "TracerPid:\t0\n" not in self._spinning.read_text()

    def _thread_that_spins(self) -> Path:
        """Its status file: that of the thread with the most processor time."""
        limit = time.monotonic() + LIMIT_S
        while time.monotonic() < limit:
            used, task = max(
                (int(stat_of(task)[11]), task)
                for task in Path(f"/proc/{self.pid}/task").iterdir()
                if task.name != str(self.pid)
            )
            if used > _CLEARLY:
                return task / "status"
            time.sleep(0.01)
        raise TimeoutError("no thread computes")

    def runs(self) -> bool:
        """Whether nobody traces it and no thread is stopped."""
        return all(
            status["TracerPid"] == "0" and status["State"][0] in "RSD"
            for status in self._statuses()
        )

    def states(self) -> str:
        """The kernel's letters of its threads."""
        return "".join(sorted({status["State"][0] for status in self._statuses()}))

    def _statuses(self) -> Iterator[dict[str, str]]:
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            yield status_of(task)


def eventually(condition: Callable[[], bool], every_s: float = 0.0005) -> bool:
    """Whether it comes true in time; asked every so many seconds."""
    return comes_true(condition, LIMIT_S, every_s)
