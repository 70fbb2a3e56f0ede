"""The jobs in docs/ci.md and the action of this repository: they parse, and their steps run here on
suites that hang, in a shell, as a runner would run them."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
LIMIT_S = 120
PYTEST = (ROOT / "tests" / "targets" / "hung_suites" / "test_threads.py").read_text()
UNITTEST = """
import threading
import unittest

class TestAccount(unittest.TestCase):
    def test_deposit(self):
        lock = threading.Lock()
        with lock:
            self.twice(lock)

    def twice(self, lock):
        with lock:
            pass
"""
pytestmark = pytest.mark.processes


def blocks(language: str) -> list[str]:
    """The examples of the page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def jobs(name: str) -> Mapping[str, Any]:
    """Those of the example that begins with a comment which names its file."""
    (text,) = (one for one in blocks("yaml") if one.startswith(f"# {name}"))
    made: Mapping[str, Any] = yaml.safe_load(text)
    return made


def in_shell(
    folder: Path, lines: str, *, shell: Sequence[str] = ("bash", "-e", "-c"), **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a step of a job: where packages would be installed they are there already, and a minute
    is two seconds."""
    lines = re.sub(r"^.*\bpip install\b.*$", "true", lines, flags=re.MULTILINE)
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        [*shell, lines.replace("60s", "2s").replace("5m", "2s")],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=LIMIT_S,
        cwd=folder,
        env={**ours, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1", **variables},
        check=False,
    )


def in_turn(folder: Path, steps: Iterable[str]) -> subprocess.CompletedProcess[str]:
    """Run steps until one fails; that one."""
    for step in steps:
        done = in_shell(folder, step)
        if done.returncode:
            return done
    raise AssertionError("no step failed")


@pytest.fixture
def hung_pytest(tmp_path: Path) -> Path:
    """A folder with a suite of pytest that hangs."""
    (tmp_path / "test_bank.py").write_text(PYTEST)
    return tmp_path


@pytest.fixture
def hung_unittest(tmp_path: Path) -> Path:
    """The same of unittest."""
    (tmp_path / "test_bank.py").write_text(UNITTEST)
    return tmp_path


def test_github_fails_the_job_and_puts_the_reason_on_its_page(hung_pytest: Path) -> None:
    steps = jobs(".github")["jobs"]["pytest"]["steps"]
    summary = hung_pytest / "summary.md"
    before = [one["run"] for one in steps if "run" in one and "if" not in one]
    after = [one["run"] for one in steps if "run" in one and one.get("if") == "failure()"]
    (upload,) = (one for one in steps if one.get("uses", "").startswith("actions/upload-artifact"))

    done = in_turn(hung_pytest, before)
    assert done.returncode == 1
    assert "1 failed, 2 passed" in done.stdout
    (step,) = after
    assert in_shell(hung_pytest, step, GITHUB_STEP_SUMMARY=str(summary)).returncode == 0
    assert "Deadlock: MainThread and back wait for each other" in summary.read_text()
    kept = hung_pytest / upload["with"]["path"]
    assert {one.suffix for one in kept.iterdir()} == {".hang", ".txt", ".svg"}


def test_gitlab_keeps_captures_and_junit_of_pytest(hung_pytest: Path) -> None:
    job = jobs(".gitlab-ci.yml")["pytest"]
    done = in_turn(hung_pytest, job["script"])

    assert done.returncode == 1
    for line in job["after_script"]:
        assert in_shell(hung_pytest, line).returncode == 0
    (folder,) = job["artifacts"]["paths"]
    assert ".md" in {one.suffix for one in (hung_pytest / folder).iterdir()}
    report = (hung_pytest / job["artifacts"]["reports"]["junit"]).read_text()
    assert "Deadlock: MainThread and back wait for each other" in report


def test_gitlab_ends_what_is_no_pytest(hung_unittest: Path) -> None:
    done = in_turn(hung_unittest, jobs(".gitlab-ci.yml")["unittest"]["script"])

    assert done.returncode == 124
    assert "Self-deadlock: MainThread" in done.stderr
    assert ".twice)" in done.stderr
    assert (hung_unittest / "hangs" / "run.hang").exists()


def test_jenkins(hung_pytest: Path) -> None:
    (text,) = blocks("groovy")
    steps = re.findall(r"sh '(.*)'", text)
    done = in_turn(hung_pytest, steps)

    assert done.returncode == 1
    assert "Deadlock: MainThread and back wait for each other" in done.stdout + done.stderr
    assert re.findall(r"artifacts: '(.*?)'", text) == ["hangs/*"]
    assert list(hung_pytest.glob("hangs/*.hang"))
    assert (hung_pytest / "report.xml").exists()


def test_any_shell(hung_unittest: Path) -> None:
    (text,) = blocks("sh")
    done = in_shell(hung_unittest, text)

    assert done.returncode == 124
    assert "Self-deadlock: MainThread" in done.stderr


class Runner:
    """Runs the steps of action.yml; hangtui is where its first step would install it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.output, self.summary = folder / "output", folder / "summary.md"
        command = folder / "temporary" / "hangtui" / "bin" / "hangtui"
        command.parent.mkdir(parents=True)
        command.symlink_to(Path(sys.executable).with_name("hangtui"))

    def step(self, name: str, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run one, with these inputs and the defaults of the others."""
        (step,) = (one for one in ACTION["runs"]["steps"] if one.get("id") == name)
        given = {key: one.get("default", "") for key, one in ACTION["inputs"].items()} | inputs
        values = {
            key: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: given[m[1]], text)
            for key, text in step["env"].items()
        }
        return in_shell(
            self.folder,
            step["run"],
            shell=("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"),
            RUNNER_TEMP=str(self.folder / "temporary"),
            GITHUB_OUTPUT=str(self.output),
            GITHUB_STEP_SUMMARY=str(self.summary),
            **values,
        )


def test_the_action_says_that_a_command_hung(hung_unittest: Path) -> None:
    runner = Runner(hung_unittest)
    done = runner.step("run", run="python -m unittest discover", **{"hang-after": "2s"})

    assert done.returncode == 124
    assert runner.output.read_text() == "hung=true\n"
    assert runner.step("summary").returncode == 0
    assert "Self-deadlock: MainThread" in runner.summary.read_text()


def test_the_action_leaves_a_command_its_own_status(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    done = runner.step("run", run="echo built; exit 3", **{"hang-after": "1m"})

    assert (done.returncode, done.stdout) == (3, "built\n")
    assert runner.output.read_text() == "hung=false\n"
    assert runner.step("summary").returncode == 0
    assert not runner.summary.exists()


def test_no_input_reaches_a_shell_but_by_the_environment() -> None:
    steps = [one["run"] for one in ACTION["runs"]["steps"] if "run" in one]

    assert [one for one in steps if "${{" in one] == []


def test_every_example_is_valid() -> None:
    assert all(yaml.safe_load(one) for one in blocks("yaml"))
    assert set(re.findall(r"^\| `([\w-]+)` \|.*\|.*\|$", PAGE, re.MULTILINE)) >= set(
        ACTION["inputs"]
    )
