"""Programs in tests/hangs, which hang as libraries make programs hang, and their healthy twins.

Each folder has a ``main.py``, a ``twin.py`` and a ``case.json``: what it needs, what is true of it,
what the first finding has to say. script/check-hangs is the command line.
"""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from hangtui.findings.engine import RULE_FAILED
from tests.endurance.cases import BUSY, judge
from tests.integration.targets import interpreters

ROOT = Path(__file__).parents[2]
HANGS = ROOT / "tests" / "hangs"
VENVS = ROOT / ".pythons" / "hangs"
REASSURING = {"alive", "idle", "lock-contention", *BUSY}
"""What may not come first of a program that hangs."""
_LIFE_S, _CHECK_LIMIT_S = 110, 120
"""Of a started program, and of one look at it."""
_MARK = re.compile(r"MARK (\w+) pid=(\d+)")
_Json = dict[str, Any]


class Mark(StrEnum):
    """How a case came out."""

    RIGHT = "right"
    UNSAID = "unsaid"
    """The first finding leaves something out, or there is none."""
    FALSE = "false"
    """It reassures, claims what is not so, or a rule failed."""
    NOT_HERE = "n/a"
    """It could not be run on this machine."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one program."""

    case: str
    mark: Mark
    first: str = ""
    """Id, severity and certainty of the first finding, and its title."""
    exits: tuple[int | None, int | None] = (None, None)
    """Status of hangtui, and what it should be; None: either is fair."""
    why: tuple[str, ...] = ()

    @property
    def exit_right(self) -> bool:
        """The status is what it should be."""
        return self.exits[1] in (None, self.exits[0])


class NotHereError(Exception):
    """Why a program cannot be run."""


def all_cases(set_number: int | None = None) -> list[_Json]:
    """Every case, or those of one set, in the order of their numbers."""
    found = []
    paths = HANGS.glob("*/case.json")
    for path in sorted(paths, key=lambda path: int(path.parent.name.partition("_")[0])):
        case = json.loads(path.read_text(encoding="utf-8"))
        if set_number in (None, case["set"]):
            found.append({**case, "dir": str(path.parent)})
    return found


def is_chosen(name: str, beginnings: Sequence[str]) -> bool:
    """Whether *name* begins in one of these ways; a number alone is a whole number."""
    number = name.partition("_")[0]
    return any(number == one if one.isdigit() else name.startswith(one) for one in beginnings)


def python_for(case: _Json, version: str, venv: Path | None) -> str:
    """The interpreter for *case*: of *version* if it hangs there, with its packages.

    Raises:
        NotHereError: there is none, or a package cannot be installed.
    """
    if version not in case["versions"]:
        version = case["versions"][-1]
    if not case["needs"]:
        found = interpreters((version,))
        if not found:
            raise NotHereError(f"no Python {version}")
        return str(found[0].path)
    folder = venv or VENVS / version
    python = folder / "bin" / "python"
    if not python.exists():
        found = interpreters((version,))
        if not found:
            raise NotHereError(f"no Python {version}")
        subprocess.run([found[0].path, "-m", "venv", folder], check=True, capture_output=True)
    known = _installed(python)
    missing = [name for name in case["needs"] if _plain(name) not in known]
    if missing:
        command = [python, "-m", "pip", "install", "--quiet", *missing]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise NotHereError(f"cannot install {missing}: {done.stderr.strip()[-200:]}")
    return str(python)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[<>=\[]", name)[0]).lower()


def _installed(python: Path) -> set[str]:
    listed = "(one.metadata['Name'] for one in distributions())"
    code = f"from importlib.metadata import distributions; print(*{listed})"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return {_plain(name) for name in done.stdout.split()}


class Program:
    """A started case or twin, in a session of its own."""

    def __init__(self, case: _Json, python: str, which: str) -> None:
        command = [part.format(python=python, dir=case["dir"]) for part in case[which]]
        self.hung: _Json = case["hung"]
        self.lines: list[str] = []
        self._known: set[int] = set()
        self.popen = subprocess.Popen(
            ["timeout", "-s", "KILL", str(_LIFE_S), *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            cwd=case["dir"],
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.popen.stdout or ():
            self.lines = [*self.lines, line.decode(errors="replace").rstrip()][-500:]

    def settle(self) -> int:
        """Wait until it is hung, or at work. Returns the PID to look at.

        Raises:
            NotHereError: it did not come so far.
        """
        roles: dict[str, int] = {}
        deadline = time.monotonic() + self.hung["start_timeout_s"]
        while not set(self.hung["roles"]) <= roles.keys():
            if time.monotonic() > deadline or self.popen.poll() is not None:
                raise NotHereError(f"did not start: {self.lines[-1:]}")
            time.sleep(0.1)
            roles.update({role: int(pid) for role, pid in _MARK.findall(" ".join(self.lines))})
        time.sleep(self.hung["settle_s"])
        # Once `timeout` has ended what it started, nobody knows any more whose the rest are.
        self._known = started_by({self.popen.pid})
        if self.popen.poll() is not None:
            raise NotHereError(f"has ended: {self.lines[-1:]}")
        return roles[self.hung["target"]]

    def stop(self) -> None:
        """End every process of its session, and what these have started elsewhere."""
        end_all({self.popen.pid, *self._known})
        self.popen.wait()
        self._reader.join()


def end_session(leader: int) -> None:
    """End every process of the session that *leader* began, and what these have started."""
    end_all({leader})


def end_all(known: set[int]) -> None:
    """End processes, those of their sessions, and what these have started elsewhere."""
    known = set(known)
    while left := started_by(known):
        known |= left
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(0.05)


def started_by(known: set[int]) -> set[int]:
    """PIDs that run and are of *known*, of their sessions, or descend from these."""
    parents, found = dict[int, int](), set[int]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] in "ZX":
            continue
        pid = int(path.parent.name)
        parents[pid] = int(fields[1])
        if pid in known or int(fields[3]) in known:
            found.add(pid)
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def look(pid: int, hangtui: tuple[str, ...], options: tuple[str, ...]) -> tuple[_Json, int]:
    """What ``hangtui check`` reports of a process, and its exit status.

    Raises:
        NotHereError: what it said instead.
    """
    command = [*hangtui, "check", "--json", *options, str(pid)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=ROOT, timeout=_CHECK_LIMIT_S
        )
        return json.loads(done.stdout), done.returncode
    except subprocess.TimeoutExpired as error:
        raise NotHereError(f"no report: {error}") from error
    except ValueError as error:
        raise NotHereError(f"no report: {done.stderr.strip()[-200:]}") from error


def verdict(case: _Json, report: _Json, status: int) -> Verdict:
    """Judge the first finding of *report* by what is true of *case*."""
    # Threads and the kind of rule are not compared: the words that must be said are the measure.
    truth = {**case["expected"], "threads": (), "cycle": ()}
    wrong = judge({**case, "category": "", "expected": truth}, report, {})
    first = next(iter(report["findings"]), None)
    shown = "{id} {severity} {certainty}: {title}".format(**first) if first else ""
    mark = Mark.UNSAID if wrong else Mark.RIGHT
    calm = first and first["id"] in REASSURING and first["severity"] == "note"
    if first and (calm or any(one.startswith("claims") for one in wrong)):
        mark = Mark.FALSE
    failed = tuple(one["sentence"] for one in report["findings"] if one["id"] == RULE_FAILED)
    if failed:
        mark, wrong = Mark.FALSE, (*wrong, *failed)
    return Verdict(case["name"], mark, shown, (status, case["exit"]), wrong)


def run(case: _Json, python: str, hangtui: tuple[str, ...], looks: int) -> Verdict:
    """Start *case*, wait until it is hung, look, end it, judge."""
    program = Program(case, python, "start")
    try:
        report, status = look(program.settle(), hangtui, ("--looks", str(looks)))
    except NotHereError as error:
        return Verdict(case["name"], Mark.NOT_HERE, why=(str(error),))
    finally:
        program.stop()
    return verdict(case, report, status)


def run_twin(case: _Json, python: str, hangtui: tuple[str, ...], captures: int) -> Verdict:
    """Start the twin of *case* and look again and again; right if no error and no warning."""
    program = Program(case, python, "twin")
    alarms: Counter[str] = Counter()
    try:
        pid = program.settle()
        for taken in range(captures):
            options = ("--looks", "1") if taken % 2 else ("--looks", "3", "--seconds", "0.5")
            report, _ = look(pid, hangtui, options)
            alarms.update(
                "{severity} {id}: {title}".format(**one)
                for one in report["findings"]
                if one["severity"] != "note" or one["id"] == RULE_FAILED
            )
    except NotHereError as error:
        return Verdict(case["name"], Mark.NOT_HERE, why=(str(error),))
    finally:
        program.stop()
    wrong = tuple(f"{count} of {captures}: {alarm}" for alarm, count in alarms.items())
    return Verdict(case["name"], Mark.FALSE if wrong else Mark.RIGHT, why=wrong)


def own_hangtui() -> tuple[str, ...]:
    """The command of this checkout."""
    return (sys.executable, "-m", "hangtui")
