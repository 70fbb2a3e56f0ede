"""A file of CPython's own tests, run while its processes are captured.

script/foreign-suites does the same with packages and many more captures.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.endurance.suite_observer import MARK, Observer, end_all, marked
from tests.endurance.suite_runs import NotHereError, Place
from tests.endurance.suites import CPYTHON, Suite
from tests.integration.targets import Interpreter, interpreters
from tests.waiting import until

ROOT = Path(__file__).parents[2]
CAPTURES = 6

# A false alarm is one, however rare: no second try.
pytestmark = pytest.mark.flaky(reruns=0)


def python() -> Interpreter:
    """One with its tests; Debian's has none."""
    found = [one for one in interpreters(("3.12", "3.11", "3.13")) if one.origin == "pyenv"]
    if not found:
        pytest.skip("no CPython with its own tests here")
    return found[0]


def test_a_suite_comes_out_alike_under_observation(tmp_path: Path) -> None:
    version = python().version
    words = ["--count", str(CAPTURES), "--packages", "test_queue", "--python", version]
    done = subprocess.run(
        [sys.executable, "script/foreign-suites", *words, "--keep", tmp_path, "--seed", "3"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert all(line["tests"] > 10 for line in lines)
    assert sum(line["sight"]["captures"] for line in lines) >= CAPTURES
    assert list((tmp_path / "ours").iterdir()) == []


def test_a_suite_that_an_interpreter_lacks_is_not_there(tmp_path: Path) -> None:
    place = Place(Suite(CPYTHON, ("test_nothing_of_this_name",)), python(), tmp_path)
    assert not place.is_there()


def test_what_cannot_be_installed_is_told_of(tmp_path: Path) -> None:
    place = Place(Suite("a package"), Interpreter(Path("/bin/false"), "3.0", "none"), tmp_path)
    with pytest.raises(NotHereError):
        place.is_there()


@pytest.mark.thorough
def test_a_package_that_is_not_to_be_had_is_told_of(tmp_path: Path) -> None:
    place = Place(Suite("not a name of a package"), python(), tmp_path)
    with pytest.raises(NotHereError):
        place.is_there()


def test_what_a_suite_leaves_is_found_and_ended() -> None:
    script = "env -i sleep 60 & wait"  # the child does not say whose it is
    with subprocess.Popen(["/bin/sh", "-c", script], env={MARK: "left"}) as shell:
        until(lambda: len(marked("left")) == 2)
        assert shell.pid in marked("left")
        end_all("left")
    assert shell.returncode == -signal.SIGKILL
    assert marked("left") == []


def test_a_process_that_is_stopped_meanwhile_is_noticed(tmp_path: Path) -> None:
    observer = Observer(tmp_path, 1, {"auto": 1})
    try:
        with subprocess.Popen(["sleep", "60"]) as sleeper:
            observer.look_for_harm("auto", [sleeper.pid])
            assert observer.harm == []
            sleeper.send_signal(signal.SIGSTOP)
            os.waitpid(sleeper.pid, os.WUNTRACED)
            observer.look_for_harm("auto", [sleeper.pid])
            sleeper.kill()
        assert len(observer.harm) == 1
        assert "was left stopped" in observer.harm[0]
    finally:
        observer.close()
