"""Installs test suites of others, runs them, and captures their processes at random moments.

Everything lies in one folder; script/foreign-suites is the command line.
"""

import contextlib
import os
import re
import secrets
import shutil
import subprocess
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.endurance import observing, suites
from tests.endurance.suite_observer import MARK, Observer, end_all
from tests.endurance.suites import CPYTHON, Change, Judgement, Result, Suite
from tests.integration.targets import Interpreter

_TEST_LIMIT_S = 240
"""For one test of a package."""
_INSTALL_LIMIT_S = 900


class NotHereError(Exception):
    """A suite cannot be had, or not for this Python."""


@dataclass(slots=True)
class Run:
    """One run of a suite."""

    results: dict[str, Result]
    seconds: float
    exit_status: int | None
    """None: it did not end in time."""
    tail: str
    """The end of what it wrote."""


@dataclass
class Place:
    """A suite under one Python: where it is installed, and how it is run."""

    suite: Suite
    interpreter: Interpreter
    folder: Path
    """Of all suites."""
    limit_s: float = 900.0
    """For one run."""

    def __post_init__(self) -> None:
        self._own = self.folder / f"{self.suite.name}-{self.interpreter.version}"

    @property
    def name(self) -> str:
        """Of its files."""
        return self._own.name

    @cached_property
    def _python(self) -> Path:
        """The interpreter that runs the tests.

        Raises:
            NotHereError: a package is not to be had.
        """
        if self.suite.package == CPYTHON:
            return self.interpreter.path
        environment = self._own / "venv"
        if not (environment / "done").exists():
            shutil.rmtree(self._own, ignore_errors=True)  # what was not finished
            self._must([str(self.interpreter.path), "-m", "venv", str(environment)])
            pip = [str(environment / "bin" / "python"), "-m", "pip", "-q"]
            wanted = self.suite.package + self.suite.release
            if not self.suite.installed:
                wanted = f"{self.suite.package}=={self._fetched(pip, wanted)}"
            self._must([*pip, "install", wanted, "pytest", "pytest-timeout", *self.suite.needs])
            (environment / "done").touch()
        return environment / "bin" / "python"

    def _fetched(self, pip: list[str], wanted: str) -> str:
        """Unpack the source distribution, and say which release it is."""
        source = self._own / "source"
        only = ["--no-deps", "--no-binary", self.suite.package, "-d", str(source)]
        self._must([*pip, "download", *only, wanted])
        (archive,) = source.iterdir()
        self._must(["tar", "-xf", str(archive), "-C", str(source)])
        archive.unlink()
        (unpacked,) = source.iterdir()
        # The package that is installed is meant to be tested, not the one beside the tests.
        for found in (unpacked / self.suite.package, unpacked / "src"):
            if found.is_dir() and not any(t.startswith(found.name) for t in self.suite.tests):
                found.rename(found.with_name(f"not-{found.name}"))
        match = re.search(r"-(\d[\w.+!]*)$", unpacked.name)
        if match is None:
            raise NotHereError(f"{unpacked.name} does not say its release")
        return match[1]

    def _must(self, command: list[str]) -> None:
        self._own.mkdir(parents=True, exist_ok=True)
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=_INSTALL_LIMIT_S,
                check=False,
                # pip leaves files in the folder for temporary ones, where only ours are looked for.
                env={**os.environ, "TMPDIR": str(self._own)},
            )
        except subprocess.TimeoutExpired as error:
            raise NotHereError(f"{command[3:]} takes too long") from error
        if done.returncode:
            raise NotHereError(f"{' '.join(command[3:])}: {done.stderr[-500:]}")

    def command(self, report: Path) -> tuple[list[str], Path]:
        """The words that run the suite, and where.

        Raises:
            NotHereError: it is not to be had.
        """
        python = [str(self._python)]
        if self.suite.package == CPYTHON:
            # Its limit is one for the whole file.
            words = ["-m", "test", "--timeout", str(int(self.limit_s)), "--junit-xml", str(report)]
            return [*python, *words, *self.suite.options, *self.suite.tests], self._own
        pytest = [*python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short"]
        pytest += ["--continue-on-collection-errors"]
        pytest += ["-o", "addopts="]  # they ask for plug-ins that have nothing to do with results
        pytest += [f"--timeout={_TEST_LIMIT_S}", f"--junitxml={report}", *self.suite.options]
        if self.suite.installed:
            return [*pytest, "--pyargs", *self.suite.tests], self._own
        (source,) = (self._own / "source").iterdir()
        return [*pytest, *self.suite.tests], source

    def is_there(self) -> bool:
        """Install it, if it is not; whether an interpreter has a file of its own tests."""
        if self.suite.package != CPYTHON:
            return bool(self._python)
        found = subprocess.run(
            [self.interpreter.path, "-c", f"import test.{self.suite.name}"],
            capture_output=True,
            check=False,
        )
        return found.returncode == 0

    def run(self, observer: Observer | None, sight: observing.Sight | None, limit: int = 0) -> Run:
        """Run it once; with an observer while that takes captures, up to *limit* if not 0.

        Raises:
            NotHereError: it is not to be had.
        """
        self._own.mkdir(parents=True, exist_ok=True)
        report, log = self._own / "report.xml", self._own / "log"
        report.unlink(missing_ok=True)
        command, where = self.command(report)
        mark = secrets.token_hex(8)
        temporary = self.folder / "tmp"  # a short path: Unix sockets are made in it
        temporary.mkdir(exist_ok=True)
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("PYTEST")},
            MARK: mark,
            "TMPDIR": str(temporary),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        started = time.monotonic()
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["nice", "-n", "5", *command],
                cwd=where,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            while process.poll() is None and time.monotonic() < started + self.limit_s:
                if observer and sight and (not limit or sight.captures < limit):
                    observer.step(sight, mark)
                else:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(1)
            status = process.poll()
        finally:
            end_all(mark)
            process.wait()
        tail = log.read_bytes()[-3000:].decode(errors="replace")
        return Run(suites.results(report), time.monotonic() - started, status, tail)

    def judged(
        self, found: list[Change], observer: Observer, sight: observing.Sight
    ) -> dict[str, list[str]]:
        """What results that differ mean; the suite runs again, twice alone and once observed."""
        if not found:
            return {}
        alone = [self.run(None, None).results for _ in range(2)]
        left = [c for c in found if suites.judged(c, alone, ()) is Judgement.CHANGED]
        observed = [self.run(observer, sight).results] if left else []
        told: dict[str, list[str]] = {}
        for change in found:
            words = f"{change.test}: {change.alone}, observed {change.observed}"
            told.setdefault(suites.judged(change, alone, observed).value, []).append(words)
        return told
