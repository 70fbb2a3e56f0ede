"""``hangtui check`` on real processes: exit codes, JSON, several looks, awaited processes."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hangtui.cli.main import main
from tests.integration.targets import running

QUICK = ("--looks", "2", "--seconds", "0.3")


def check(*words: str) -> tuple[int, dict[str, Any], str]:
    """Exit code, the JSON, and what was said."""
    command = [sys.executable, "-m", "hangtui", "check", "--json", *QUICK, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    return done.returncode, json.loads(done.stdout or "{}"), done.stderr


def test_a_deadlock_is_exit_code_1(any_python: Path) -> None:
    with running("abba", any_python) as target:
        code, told, _ = check(str(target.pid))
        allowed, quiet, _ = check(str(target.pid), "--allow", "deadlock")

    assert (code, told["hung"], told["schema"]) == (1, True, "hangtui.check/1")
    assert told["findings"][0]["id"] == "deadlock"
    assert told["processes"][0]["worst"] == "error"
    assert (allowed, quiet["hung"]) == (0, False)


def test_how_long_things_stood_still_is_told(any_python: Path) -> None:
    with running("abba", any_python) as target:
        _, told, _ = check(str(target.pid))

    rests = [one["unchanged_s"] for one in told["progress"]]
    assert rests
    assert all(one["looks"] == 2 for one in told["progress"])
    assert max(rests) > 0.2


def test_an_idle_process_is_exit_code_0(any_python: Path) -> None:
    with running("hangs", any_python, arguments=("idles",)) as target:
        code, told, _ = check(str(target.pid))

    assert (code, told["hung"]) == (0, False)
    assert [finding["id"] for finding in told["findings"]] == ["idle"]


def test_all_processes_are_checked(any_python: Path) -> None:
    with running("hangs", any_python, arguments=("idles",)) as target:
        code, told, _ = check("--all")

    assert code in (0, 1, 2)  # other programs of this machine may hang, or be closed to us
    assert target.pid in [process["pid"] for process in told["processes"]]


def test_the_child_that_is_awaited_is_looked_at_too(any_python: Path) -> None:
    with running("hangs", any_python, asleep=False, arguments=("lock_across_fork",)) as target:
        code, told, _ = check(str(target.pid))

    assert code == 1
    assert told["findings"][0]["id"] == "lock-held-across-fork"
    assert len(told["processes"]) == 2


def test_a_child_behind_a_shell_is_looked_at_too(any_python: Path) -> None:
    with running("behind_a_shell", any_python, asleep=False) as target:
        code, told, _ = check(str(target.pid))

    assert code == 1
    assert told["findings"][0]["id"] == "deadlock"
    assert len(told["processes"]) == 3  # the shell waits for it


def test_the_program_that_started_us_is_looked_at(any_python: Path) -> None:
    program = (
        "import subprocess, sys\ndef asks():\n    sys.exit(subprocess.call(sys.argv[1:]))\nasks()\n"
    )
    command = [sys.executable, "-m", "hangtui", "dump", "--parent", "--json"]
    done = subprocess.run(
        [str(any_python), "-c", program, *command],
        capture_output=True, text=True, timeout=100, check=True,
    )  # fmt: skip
    told = json.loads(done.stdout)

    (process,) = told["processes"]
    functions = [frame["function"] for frame in process["threads"][0]["python_stack"]]
    assert "asks" in functions


def test_a_process_that_has_ended_is_not_well(capsys: pytest.CaptureFixture[str]) -> None:
    with subprocess.Popen(["true"]) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        status = main(["check", "--looks", "2", "--seconds", "0.2", str(child.pid)])
    said = capsys.readouterr()

    assert status == 2
    assert f"process {child.pid} has ended; its parent {os.getpid()} has not reaped it" in said.err
    assert "nothing wrong" not in said.out


@pytest.mark.parametrize(
    "words", [["--all", "1"], [], ["1", "--only", "no-such-thing"], ["4194303"]]
)
def test_wrong_words_are_exit_code_2(words: list[str]) -> None:
    assert main(["check", *words]) == 2


HANGING_TEST = """\
import threading

left, right, both = threading.Lock(), threading.Lock(), threading.Barrier(2)


def transfer(first, second):
    with first:
        both.wait()
        with second:
            pass


def test_transfer():
    threading.Thread(target=transfer, args=(right, left), daemon=True).start()
    transfer(left, right)
"""


def test_the_documented_fixture_explains_a_test_that_hangs(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "checking.md").read_text()
    fixture = page.partition("```python\n")[2].partition("```")[0]
    assert "Timer(50, explain)" in fixture
    (tmp_path / "conftest.py").write_text(fixture.replace("Timer(50,", "Timer(1,"))
    (tmp_path / "test_it.py").write_text(HANGING_TEST)
    scripts = Path(sys.executable).parent
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_it.py"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        try:
            assert run.stderr is not None
            said = list(itertools.takewhile(lambda line: "captured on" not in line, run.stderr))
        finally:
            run.kill()

    assert said[0].startswith("ERROR: Deadlock: MainThread and ")
    assert any("test_it.py:9" in line for line in said)
