"""Programs whose kind of hang is known, each judged by the first thing that hangtui finds in it.

A folder of such cases has a program and a ``case.json`` per case (how to start it, on which
versions it hangs, what is true of it) and a ``run_case.py`` that starts them. script/check-cases
is the command line.
"""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parents[2]
COPY = _ROOT / ".pythons" / "cases"
"""Cases build into their own folders, so they run in a copy."""
_CHECK_LIMIT_S = 120
_STARTS = 2
"""A program that needs long to start on a busy machine gets another chance."""
_START_LIMIT_S, _SETTLE_S = 60, 3
"""As ``run_case.py`` has them, where a case says nothing else."""
_MARK = re.compile(r"MARK (\w+) pid=(\d+)")
_Json = dict[str, Any]

BUSY = {"busy", "busy-loop", "working"}
"""They all tell that a thread computes, and that its end cannot be foreseen: no alarm."""
RULES = {
    "asyncio": {"deadlock", "event-loop-blocked", "event-loop-stalled", "self-deadlock"},
    "container": {"deadlock"},
    "control-healthy": {"alive", "idle", "lock-contention", "waiting-for-input", *BUSY},
    "distributed": {
        "collective-mismatch",
        "nobody-left-to-wake",  # of what keeps a rank, with who waits for that
        "rank-elsewhere",
        "waiting-for-cluster",
    },
    "exit": {"exit-waits-for-thread"},
    "file-lock": {
        "database-locked",
        "deadlock",
        "file-locked",
        "rank-elsewhere",
        "waiting-for-cluster",
    },
    "fork": {"lock-held-across-fork", "threads-lost-in-fork"},
    "gc-finalizer": {"deadlock-by-elimination", "finalizer-blocked"},
    "gil-held-in-native-call": {"deadlock", "gil-held-while-blocked", "gil-hog"},
    "gil-vs-native-lock": {"deadlock"},
    "import-lock": {"deadlock"},
    "lost-wakeup": {"nobody-left-to-wake"},
    "lost-worker": {"lost-worker", "no-workers-left", "result-thread-ended", "workers-replaced"},
    "memory-leak": {"memory-limit"},
    "native-lock-cycle": {"deadlock"},
    "network": {"deadlock", "self-deadlock", "waiting-for-peer"},
    "orphaned-lock": {"orphaned-lock"},
    "pipe": {"deadlock", "output-unread"},
    "pool-starvation": {"pool-starvation", "executor-starvation", "pool-deadlock"},
    "process-state": {"held-from-outside", "zombie-children"},
    "python-lock-cycle": {"deadlock"},
    "self-deadlock": {"self-deadlock"},
    "slow": {"gc-storm"},
    "spin": {"native-spin", *BUSY},
    "waiting-for-input": {"waiting-for-input"},
}
"""Category of a case: ids of the rules that may come first."""
RINGS = {
    "database-locked",
    "deadlock",
    "deadlock-by-elimination",
    "self-deadlock",
    "event-loop-blocked",
    "executor-starvation",
    "pool-starvation",
    "finalizer-blocked",
}
"""Rules that tell of a ring of waits."""


class Mark(StrEnum):
    """How a case came out."""

    RIGHT = "ok"
    WRONG = "WRONG"
    NOT_HERE = "n/a"
    """It could not be run on this machine."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case under one version."""

    case: str
    version: str
    mark: Mark
    first: str = ""
    """Id, severity and certainty of the first finding."""
    why: tuple[str, ...] = ()


def judge(case: _Json, report: _Json, roles: dict[str, int]) -> tuple[str, ...]:
    """What is wrong with the first finding of *report*, as ``hangtui check --json`` prints it.

    *roles*: the PIDs of the processes that the case gives names to.
    """
    if not report["findings"]:
        return ("nothing found",)
    first, truth = report["findings"][0], case["expected"]
    parts = (first["title"], first["sentence"])
    said = " ".join((*parts, *(x for n in ("evidence", "unknown", "advice") for x in first[n])))
    said = said.lower()
    wrong = [f"does not say any of {group}" for group in truth.get("must_mention", ())
             if not any(word.lower() in said for word in group)]  # fmt: skip
    wrong += [
        f"claims {word!r}" for word in truth.get("must_not_claim") or () if word.lower() in said
    ]
    wrong += _rule(case, first["id"])
    wrong += _threads(truth, first, roles, {one["pid"] for one in report["processes"]}, said)
    if case["kind"] == "healthy":
        alarms = [one["title"] for one in report["findings"] if one["severity"] == "error"]
        wrong += [f"false alarm: {title}" for title in alarms]
    return tuple(wrong)


def _rule(case: _Json, rule: str) -> Iterator[str]:
    allowed = RULES.get(case["category"])
    if allowed and case["expected"].get("cycle"):
        allowed = allowed & RINGS
    if allowed and rule not in allowed:
        yield f"the rule is {rule}, not {' or '.join(sorted(allowed))}"


def _threads(
    truth: _Json, first: _Json, roles: dict[str, int], seen: set[int], said: str
) -> Iterator[str]:
    """Threads that wait or hold by the truth, and are neither named nor counted as victims.

    Only names that a thread can have are compared: some cases describe theirs in words.
    """
    told = [(one["pid"], one["name"]) for one in (*first["threads"], *first["victims"])]
    for thread in truth.get("threads", ()):
        name, pid = thread.get("name", ""), roles.get(thread.get("process", ""))
        if not (thread.get("waits_for") or thread.get("holds")) or not _is_name(name):
            continue
        if pid is not None and pid not in seen:
            continue  # not a process that the case attaches to
        if name != "MainThread" and name.lower() in said:
            continue
        if not any(name == one and pid in (None, its) for its, one in told):
            yield f"leaves out the thread {name}" + (f" of {thread['process']}" if pid else "")


def _is_name(text: str) -> bool:
    return bool(text) and not set(text) & set(" ()") and ".." not in text


def _await_hung(case: _Json, run: Any) -> None:
    """As ``Run.wait_hung``, but finds marks within lines: what several write at once gets mixed.

    Raises:
        RuntimeError: it did not come so far.
    """
    hung = case["hung"]
    if hung.get("marker"):
        run.wait_hung()
        return
    needed = set(hung.get("roles") or ["main"])
    deadline = time.monotonic() + hung.get("start_timeout_s", _START_LIMIT_S)
    while not needed <= run.roles.keys():
        if time.monotonic() > deadline or run.popen.poll() is not None:
            raise RuntimeError(f"marks {sorted(needed)} not seen, but {sorted(run.roles)}")
        time.sleep(0.1)
        for role, pid in _MARK.findall(" ".join(run.lines)):
            run.roles.setdefault(role, int(pid))
    time.sleep(hung.get("settle_s", _SETTLE_S))


@dataclass(frozen=True, slots=True)
class Cases:
    """A copy of a folder of cases, with its own runner."""

    runner: Any
    """The module ``run_case.py``."""

    def all(self) -> list[_Json]:
        """Every case that hangs, spins, grows, is stopped or healthy: crashes end before a look."""
        names = (os.path.relpath(folder, self.runner.ROOT) for folder in self.runner.case_dirs())
        found = map(self.runner.load, names)
        return [case for case in found if case["kind"] != "crash"]

    def run(self, case: _Json, version: str, options: tuple[str, ...] = ()) -> Outcome:
        """Start *case*, wait until it is hung, look, end it, judge. *options*: of ``check``."""
        return self._started(case, version, lambda run: _look(case, version, run, options))

    def silent(self, case: _Json, version: str, captures: int) -> Outcome:
        """Start *case*, which is healthy, and take so many captures: each without an alarm."""
        return self._started(case, version, lambda run: _silent(case, version, run, captures))

    def _started(self, case: _Json, version: str, judged: Callable[[Any], Outcome]) -> Outcome:
        why: tuple[str, ...] = ()
        for _ in range(_STARTS):
            try:
                run = self.runner.Run(case, version, quiet=True)
            except (SystemExit, OSError, subprocess.CalledProcessError) as error:
                return Outcome(case["name"], version, Mark.NOT_HERE, why=(str(error),))
            try:
                _await_hung(case, run)
                return judged(run)
            except RuntimeError as error:
                why = (f"did not start: {error}", *run.lines[-1:])
            finally:
                run.stop()
        return Outcome(case["name"], version, Mark.NOT_HERE, why=why)


def _look(case: _Json, version: str, run: Any, options: tuple[str, ...]) -> Outcome:
    try:
        report = _report(run, options)
    except _NoReportError as error:
        return Outcome(case["name"], version, Mark.WRONG, why=(str(error),))
    wrong = judge(case, report, run.roles)
    first = next(iter(report["findings"]), None)
    shown = "{id} {severity} {certainty}".format(**first) if first else ""
    mark = Mark.WRONG if wrong else Mark.RIGHT
    return Outcome(case["name"], version, mark, shown, wrong)


def _silent(case: _Json, version: str, run: Any, captures: int) -> Outcome:
    """Every other capture is one of several looks. Fewer, if the program ends by itself before."""
    alarms: Counter[str] = Counter()
    taken = 0
    try:
        while taken < captures:
            looks = ("--looks", "1") if taken % 2 else ("--looks", "3", "--seconds", "0.5")
            found = _report(run, looks)["findings"]
            taken += 1
            alarms.update(
                f"{one['severity']}: {one['title']}" for one in found if one["severity"] != "note"
            )
    except _NoReportError as error:
        if not taken or run.popen.poll() is None:
            return Outcome(case["name"], version, Mark.WRONG, why=(str(error),))
    wrong = tuple(f"{count} of {taken}: {alarm}" for alarm, count in alarms.items())
    mark = Mark.WRONG if wrong else Mark.RIGHT
    return Outcome(case["name"], version, mark, f"{taken} captures", wrong)


class _NoReportError(Exception):
    """What ``hangtui check`` said instead."""


def _report(run: Any, options: tuple[str, ...]) -> _Json:
    command = [sys.executable, "-m", "hangtui", "check", "--json", *options, str(run.pid)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=_ROOT, timeout=_CHECK_LIMIT_S
        )
    except subprocess.TimeoutExpired as error:
        raise _NoReportError(f"no report: {error}") from error
    try:
        report: _Json = json.loads(done.stdout)
    except ValueError as error:
        raise _NoReportError(f"no report: {done.stderr.strip()[-200:]}") from error
    return report


def cases(folder: Path, copy: Path = COPY) -> Cases:
    """Copy *folder* and load its runner.

    Raises:
        FileNotFoundError: it has no ``run_case.py``.
    """
    shutil.copytree(
        folder, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".venvs", "build")
    )
    spec = importlib.util.spec_from_file_location("run_case", copy / "run_case.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Cases(module)
