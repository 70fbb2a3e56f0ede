"""Processes that are watched until they crash or hang, and what that costs them: nothing."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.integration.targets import running

_LIMIT_S = 60


@contextmanager
def _watching(pid: int, folder: Path, *options: str) -> Iterator["subprocess.Popen[str]"]:
    """``hangtui watch`` once it traces the process."""
    words = [sys.executable, "-m", "hangtui", "watch", str(pid), "-d", str(folder), *options]
    watcher = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        assert watcher.stderr is not None
        line = watcher.stderr.readline()
        assert f"watching process {pid}" in line, line + watcher.stderr.read()
        yield watcher
    finally:
        watcher.kill()
        watcher.communicate()


def _captures(folder: Path, kind: str) -> list[Path]:
    deadline = time.monotonic() + _LIMIT_S
    while not (found := sorted(folder.glob(f"hangtui-*-{kind}.hang"))):
        assert time.monotonic() < deadline, os.listdir(folder)
        time.sleep(0.05)
    return found


def _report(path: Path) -> Any:
    command = [sys.executable, "-m", "hangtui", "dump", "--json", str(path)]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def _status(pid: int, key: str) -> str:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(line.split(":", 1)[1].strip() for line in lines if line.startswith(f"{key}:"))


def test_a_deadlock_is_recorded_once(any_python: Path, tmp_path: Path) -> None:
    with running("abba", any_python) as target:
        with _watching(target.pid, tmp_path, "--hang-after", "1s") as watcher:
            (path,) = _captures(tmp_path, "hang")
            report = _report(path)
            assert report["findings"][0]["id"] == "deadlock"
            assert report["processes"][0]["tracer_pid"] is None
            assert watcher.poll() is None
        assert _status(target.pid, "TracerPid") == "0"


def test_the_target_runs_on_when_the_watcher_is_killed(any_python: Path, tmp_path: Path) -> None:
    with running("healthy_queue", any_python, asleep=False) as target:
        with _watching(target.pid, tmp_path) as watcher:
            assert _status(target.pid, "TracerPid") == str(watcher.pid)
            assert not {"T", "t"} & set(target.states())
        assert _status(target.pid, "TracerPid") == "0"
        assert not {"T", "t"} & set(target.states())


def test_job_control_works_as_before(any_python: Path, tmp_path: Path) -> None:
    healthy = running("healthy_queue", any_python, asleep=False)
    with healthy as target, _watching(target.pid, tmp_path):
        for number, letters in ((signal.SIGSTOP, "Tt"), (signal.SIGCONT, "SR")):
            os.kill(target.pid, number)
            deadline = time.monotonic() + _LIMIT_S
            while not set(target.states()) <= set(letters):
                assert time.monotonic() < deadline, (number, target.states())
                time.sleep(0.01)


def test_a_fatal_signal_from_outside(any_python: Path, tmp_path: Path) -> None:
    program = "import signal, sys; print('ready', flush=True); signal.pause()"
    child = subprocess.Popen([any_python, "-c", program], stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        child.stdout.readline()
        with _watching(child.pid, tmp_path) as watcher:
            os.kill(child.pid, signal.SIGABRT)
            assert child.wait(_LIMIT_S) == -signal.SIGABRT
            assert watcher.wait(_LIMIT_S) == 1
        (path,) = _captures(tmp_path, "crash")
        report = _report(path)
        assert report["findings"][0]["id"] == "crash-signalled"
        assert report["crash"]["sender_pid"] == os.getpid()
    finally:
        child.kill()
        child.communicate()


def test_only_so_many_captures_are_kept(any_python: Path, tmp_path: Path) -> None:
    old = [tmp_path / f"hangtui-2026010{day}T000000.000-1-crash.hang" for day in (1, 2, 3)]
    for path in old:
        path.touch()
    foreign = tmp_path / "mine.hang"
    foreign.touch()
    options = ("--hang-after", "1s", "--keep", "2")
    stuck = running("abba", any_python)
    with stuck as target, _watching(target.pid, tmp_path, *options):
        _captures(tmp_path, "hang")
        deadline = time.monotonic() + _LIMIT_S
        while old[1].exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
    assert [path.exists() for path in old] == [False, False, True]
    assert foreign.exists()


@pytest.mark.parametrize("words", [["0"], ["1x"], ["1", "--hang-after", "soon"], ["1", "-d", "/x"]])
def test_wrong_words(words: list[str]) -> None:
    command = [sys.executable, "-m", "hangtui", "watch", *words]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT_S)
    assert answer.returncode == 2
    assert answer.stderr.startswith("hangtui: ")
    assert "Traceback" not in answer.stderr
