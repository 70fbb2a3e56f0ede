"""What is around a process, read from real ones and from folders that look like /proc."""

import os
import signal
import subprocess
import sys
from collections.abc import Container
from pathlib import Path

import pytest

from hangtui.backends.process import context
from hangtui.backends.procfs.files import PROC, status_of
from hangtui.model import Surroundings
from tests.endurance.unharmed import eventually


def read(pid: int) -> Surroundings:
    return context.read(pid, status_of(PROC / str(pid)))


def test_children_and_zombies_are_listed() -> None:
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # ended, and not fetched
    try:
        found = {one.pid: one for one in read(os.getpid()).children or ()}
    finally:
        child.wait()

    assert found[child.pid].state == "Z"
    age = found[child.pid].age_s
    assert age is not None
    assert 0 <= age < 3600


@pytest.mark.parametrize(("code", "status"), [("exit(3)", 3), ("", 0), ("os.abort()", -6)])
def test_how_a_child_ended_is_read_although_nobody_has_fetched_it(code: str, status: int) -> None:
    child = subprocess.Popen([sys.executable, "-c", f"import os; {code}"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    try:
        found = {one.pid: one for one in read(os.getpid()).children or ()}
    finally:
        child.wait()

    assert found[child.pid].exit_status == status


def test_what_multiprocessing_starts_for_itself_is_told_from_workers() -> None:
    code = "from multiprocessing.resource_tracker import main;main({})"
    reading, writing = os.pipe()
    words = [sys.executable, "-c", code.format(reading)]
    tracker = subprocess.Popen(words, pass_fds=(reading,))
    other = subprocess.Popen(["sleep", "60"])
    try:
        expected = {tracker.pid: "resource_tracker", other.pid: None}
        assert eventually(lambda: _helpers(expected) == expected)
    finally:
        os.close(writing)
        os.close(reading)
        other.kill()
        other.wait()
        tracker.wait()


def _helpers(pids: Container[int]) -> dict[int, str | None]:
    """What multiprocessing started of ``pids``; other tests' children may run beside them."""
    children = read(os.getpid()).children or ()
    return {one.pid: one.helper for one in children if one.state == "S" and one.pid in pids}


def test_a_copy_of_a_process_is_told_from_another_program() -> None:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.read(reading, 1)
        os._exit(0)
    other = subprocess.Popen(["sleep", "60"])
    try:
        assert read(pid).forked_from == os.getpid()
        assert read(other.pid).forked_from is None
    finally:
        os.close(writing)
        os.close(reading)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        other.kill()
        other.wait()


def test_streams_and_signals_are_named() -> None:
    program = (
        "import signal, sys; signal.signal(signal.SIGTERM, print); "
        "print(flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert child.stdout
        child.stdout.readline()
        found = read(child.pid)
    finally:
        child.kill()
        child.communicate()

    assert found.streams
    assert found.streams[:2] == ("pipe", "pipe")
    assert found.handles_signals == ("SIGTERM",)


def test_a_process_that_is_gone_costs_its_facts_alone() -> None:
    found = context.read(2**22 - 1, {})
    assert (found.children, found.forked_from, found.streams) == (None, None, (None, None, None))


@pytest.mark.parametrize(
    ("file", "text", "frozen"),
    [
        ("freezer.state", "FROZEN\n", True),
        ("freezer.state", "THAWED\n", False),
        ("cgroup.events", "populated 1\nfrozen 1\n", True),
        ("cgroup.events", "populated 1\nfrozen 0\n", False),
    ],
)
def test_frozen_cgroups_of_both_kinds(
    file: str, text: str, frozen: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "CGROUPS", tmp_path)
    groups = "0::/job\n" if file.startswith("cgroup") else "5:freezer:/job\n"
    folder = tmp_path / "job" if groups.startswith("0") else tmp_path / "freezer" / "job"
    folder.mkdir(parents=True)
    (folder / file).write_text(text)

    assert (context._frozen(PROC / "self", groups) is not None) == frozen
