"""Processes that are watched until they crash or hang, and what that costs them: nothing."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hangtui.cli.main import main
from tests.integration.capturing import dumped
from tests.integration.targets import running
from tests.integration.watching import captures, watching
from tests.procfs import tracer_of
from tests.waiting import LIMIT_S, until


def test_a_deadlock_is_recorded_once(any_python: Path, tmp_path: Path) -> None:
    with running("abba", any_python) as target:
        with watching(target.pid, tmp_path, "--hang-after", "1s") as watcher:
            (path,) = captures(tmp_path, "hang")
            report = dumped(path)
            assert report["findings"][0]["id"] == "deadlock"
            assert report["processes"][0]["tracer_pid"] is None
            assert watcher.poll() is None
        assert tracer_of(target.pid) == 0


def test_the_target_runs_on_when_the_watcher_is_killed(any_python: Path, tmp_path: Path) -> None:
    with running("healthy_queue", any_python, asleep=False) as target:
        with watching(target.pid, tmp_path) as watcher:
            assert tracer_of(target.pid) == watcher.pid
            assert not {"T", "t"} & set(target.states())
        assert tracer_of(target.pid) == 0
        assert not {"T", "t"} & set(target.states())


def test_job_control_works_as_before(any_python: Path, tmp_path: Path) -> None:
    healthy = running("healthy_queue", any_python, asleep=False)
    with healthy as target, watching(target.pid, tmp_path):
        os.kill(target.pid, signal.SIGSTOP)
        until(lambda: set(target.states()) <= {"T", "t"}, target.states)
        os.kill(target.pid, signal.SIGCONT)
        until(lambda: set(target.states()) <= {"S", "R"}, target.states)


def test_a_fatal_signal_from_outside(any_python: Path, tmp_path: Path) -> None:
    program = "import signal, sys; print('ready', flush=True); signal.pause()"
    child = subprocess.Popen([any_python, "-c", program], stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        child.stdout.readline()
        with watching(child.pid, tmp_path) as watcher:
            os.kill(child.pid, signal.SIGABRT)
            assert child.wait(LIMIT_S) == -signal.SIGABRT
            assert watcher.wait(LIMIT_S) == 1
        (path,) = captures(tmp_path, "crash")
        report = dumped(path)
        assert report["findings"][0]["id"] == "crash-signalled"
        assert report["crash"]["sender_pid"] == os.getpid()
    finally:
        child.kill()
        child.communicate()


_PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import signal; print(1, flush=True); "
                          "signal.pause()"], stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
child.wait()
"""


@contextmanager
def _parent(python: Path) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """A process that waits for its child, and the child's PID."""
    words = [str(python), "-c", _PARENT]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            child = int(process.stdout.readline())
            yield process, child
        finally:
            process.kill()
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)


def test_children_that_were_there_before(any_python: Path, tmp_path: Path) -> None:
    with (
        _parent(any_python) as (process, child),
        watching(process.pid, tmp_path, "--children") as watcher,
    ):
        assert tracer_of(child) == watcher.pid
        os.kill(child, signal.SIGSEGV)
        assert process.wait(LIMIT_S) == 0
        assert watcher.wait(LIMIT_S) == 1
    (path,) = captures(tmp_path, "crash")
    assert dumped(path)["crash"]["pid"] == child


def test_several_processes_until_the_last_has_ended(any_python: Path, tmp_path: Path) -> None:
    """One that cannot be watched costs itself alone."""
    with _parent(any_python) as (first, _), _parent(any_python) as (second, child):
        more = (str(second.pid), str(first.pid), "4194303")
        with watching(first.pid, tmp_path, *more, "--hang-after", "never") as watcher:
            assert tracer_of(second.pid) == watcher.pid
            assert tracer_of(child) == 0
            first.kill()
            first.wait()
            os.kill(second.pid, signal.SIGABRT)
            assert second.wait(LIMIT_S) == -signal.SIGABRT
            _, said = watcher.communicate(timeout=LIMIT_S)
            assert watcher.returncode == 1
    assert f"processes {first.pid}, {second.pid} have ended" in said
    (path,) = captures(tmp_path, "crash")
    assert dumped(path)["crash"]["pid"] == second.pid


def test_only_so_many_captures_are_kept(any_python: Path, tmp_path: Path) -> None:
    old = [tmp_path / f"hangtui-2026010{day}T000000.000-1-crash.hang" for day in (1, 2, 3)]
    for path in old:
        path.touch()
    foreign = tmp_path / "mine.hang"
    foreign.touch()
    options = ("--hang-after", "1s", "--keep", "2")
    stuck = running("abba", any_python)
    with stuck as target, watching(target.pid, tmp_path, *options):
        captures(tmp_path, "hang")
        until(lambda: not old[1].exists())
    assert [path.exists() for path in old] == [False, False, True]
    assert foreign.exists()


@pytest.mark.parametrize("words", [["0"], ["1x"], ["1", "--hang-after", "soon"], ["1", "-d", "/x"]])
def test_wrong_words(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["watch", *words])
    said = capsys.readouterr().err
    assert code == 2
    assert said.startswith("hangtui: ")
    assert "Traceback" not in said
