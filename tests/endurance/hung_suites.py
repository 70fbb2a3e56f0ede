"""Test suites that hang in ten ways (tests/targets/hung_suites), run with the plugin of pytest.

Each is told by the test that hangs and by the cause: what has to be said of each stands here.
script/check-suites runs all of them under several versions of Python.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.endurance.hangs import end_session
from tests.integration.targets import interpreters

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "targets" / "hung_suites"
VENVS = ROOT / ".pythons" / "suites"
NEEDS = ("pytest", "pytest-xdist", "pytest-asyncio", "gevent")
VERSIONS = ("3.9", "3.11", "3.13")
_LIMIT_S = 180
_REPORT = re.compile(r"^hangtui: .* has not ended for .*(?:\n(?!\n).*)*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class HungSuite:
    """One file of tests, of which one hangs."""

    name: str
    named: str
    """Whatever hangs, in the words of the report."""
    cause: tuple[str, ...]
    """Regular expressions, all of which the first finding has to match."""
    passed: str
    """What pytest's last line begins with, if the hang could be interrupted."""
    needs: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    interrupted: bool = True
    """The test can be failed; else the run is ended."""


SUITES = (
    HungSuite(
        "threads",
        "test_transfer",
        (r"Deadlock: (MainThread and back|back and MainThread) wait for each other",),
        "1 failed, 2 passed",
    ),
    HungSuite(
        "gil_and_c",
        "test_reload",
        (r"[Dd]eadlock: MainThread .*rwlock.*GIL", r"reader", r"\(test_reload\)"),
        "",
        interrupted=False,
    ),
    HungSuite(
        "asyncio_tasks",
        "test_moves",
        (r"[Dd]eadlock: tasks? .* wait for each other", r"\(move\)"),
        "1 failed, 2 passed",
        ("pytest-asyncio",),
    ),
    HungSuite(
        "greenlets",
        "test_moves",
        (r"[Dd]eadlock: .*[Gg]reenlet.* wait for each other", r"\(move\)"),
        "1 failed, 2 passed",
        ("gevent",),
    ),
    HungSuite(
        "worker",
        "test_interest",
        (r"Self-deadlock: MainThread", r"Account\.lock", r"\((Account\.)?deposit\)"),
        "1 failed, 2 passed",
        ("pytest-xdist",),
        ("-n1",),
    ),
    HungSuite(
        "child",
        "test_export",
        (
            r"[Dd]eadlock: .*wait for each other|waits for a child process to end.*output",
            r"(?i)pipe",
            r"\(test_export\)",
        ),
        "1 failed, 2 passed",
    ),
    HungSuite(
        "fork",
        "test_report",
        (r"lock.*(held|taken).*fork|fork.*lock", r"\(test_report\)"),
        "1 failed, 2 passed",
    ),
    HungSuite(
        "pool",
        "test_render",
        (r"worker.*(killed|SIGKILL|ended in a task)|killed.*worker", r"\(test_render\)"),
        "1 failed, 2 passed",
    ),
    HungSuite(
        "teardown",
        r"test_jobs \(teardown of fixtures\)",
        (r"task_done", r"\(jobs\)"),
        "3 passed, 1 error",
    ),
    HungSuite(
        "exit",
        "the exit after the tests",
        (r"exit waits for the thread listener", r"\(listen\)"),
        "3 passed",
        interrupted=False,
    ),
)


@dataclass(frozen=True, slots=True)
class Told:
    """What came of one suite."""

    suite: HungSuite
    status: int
    output: str

    @property
    def report(self) -> str:
        """What the process beside the tests said of the hang. On a busy machine it may have said
        something of what was merely slow, as of the collection of tests."""
        found = _REPORT.findall(self.output)
        named = [one for one in found if re.search(self.suite.named, one.partition("\n")[0])]
        return next(reversed(named or found), "")

    @property
    def first(self) -> str:
        """The first finding: its title, its sentence and its lines."""
        lines = self.report.splitlines()[1:]
        later = [
            n for n, line in enumerate(lines) if n and re.match(r"(error|warning|note):", line)
        ]
        return "\n".join(lines[: later[0] if later else None])

    @property
    def wrong(self) -> list[str]:
        """What is missing; nothing: the hang was told by its test and its cause."""
        faults = [] if re.search(self.suite.named, self.report) else ["the test is not named"]
        faults += [f"unsaid: {one}" for one in self.suite.cause if not re.search(one, self.first)]
        if self.suite.passed and self.suite.passed not in self.output:
            faults.append(f"pytest did not say: {self.suite.passed}")
        if self.suite.interrupted and self.status != 1:
            faults.append(f"exit status {self.status}")
        return faults


def python_for(version: str) -> Path | None:
    """An interpreter of *version* that has what the suites need, made if it is not there; None: the
    version is not here."""
    python = VENVS / version / "bin" / "python"
    if not python.exists():
        found = interpreters((version,))
        if not found:
            return None
        subprocess.run([found[0].path, "-m", "venv", VENVS / version], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *NEEDS], check=True)
    return python


def run(
    suite: HungSuite,
    python: Path,
    folder: Path,
    *,
    after: str = "3s",
    hangtui: Sequence[str] = (sys.executable, "-m", "hangtui"),
) -> Told:
    """Run *suite* in *folder*, an empty one, with hangtui of this checkout beside it."""
    source = FOLDER / f"test_{suite.name}.py"
    path = folder / source.name
    path.write_text(source.read_text())
    (folder / "pytest.ini").write_text(f"[pytest]\nhang_command = {' '.join(hangtui)}\n")
    plugin = (
        () if Path(sys.executable).parent == python.parent else ("-p", "hangtui.testing.plugin")
    )
    command = [python, "-m", "pytest", "-q", *plugin, "--hang-after", after, "--hang-abort"]
    with (folder / "output").open("wb") as output:
        popen = subprocess.Popen(
            [*command, *suite.options, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            cwd=folder,
            env=_environment(os.environ),
        )
        try:
            status = popen.wait(_LIMIT_S)
        finally:
            end_session(popen.pid)  # children that are hung, too, outlive the test that failed
            popen.wait()
    return Told(suite, status, (folder / "output").read_text(errors="replace"))


def _environment(of: Mapping[str, str]) -> dict[str, str]:
    """For a run of pytest that knows nothing of the one it is started by."""
    ours = {name: value for name, value in of.items() if not name.startswith("PYTEST")}
    return {**ours, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
