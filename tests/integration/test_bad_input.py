"""The command on targets that cannot be read, or only in part."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.backends.capture.collector import collect
from hangtui.provider import CaptureRequest
from tests.integration.targets import Target, running

NOBODY = 65534


def _hangtui(*words: object, prefix: Sequence[str] = ()) -> "subprocess.CompletedProcess[str]":
    command = [*prefix, sys.executable, "-m", "hangtui", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def _one_line(answer: "subprocess.CompletedProcess[str]") -> str:
    """The only message; the run must have failed for want of anything to do."""
    assert answer.returncode == 2
    assert answer.stdout == ""
    message, *fix = answer.stderr.splitlines()
    assert all(line.startswith("  fix: ") for line in fix)
    assert len(fix) < 2
    return message


def _notices(answer: "subprocess.CompletedProcess[str]") -> str:
    return "\n".join(
        f"{notice['message']} {notice['fix']}" for notice in json.loads(answer.stdout)["notices"]
    )


def test_a_pid_that_does_not_exist() -> None:
    child = subprocess.Popen(["true"])
    child.wait()
    assert f"no process {child.pid}" in _one_line(_hangtui("dump", child.pid))


def test_one_bad_pid_among_good_ones_costs_only_itself(any_python: Path) -> None:
    child = subprocess.Popen(["true"])
    child.wait()
    with running("abba", any_python) as target:
        answer = _hangtui("dump", "--json", child.pid, target.pid)
    assert answer.returncode == 0
    assert [p["pid"] for p in json.loads(answer.stdout)["processes"]] == [target.pid]
    assert f"no process {child.pid}" in _notices(answer)


def test_a_process_that_is_not_python() -> None:
    with subprocess.Popen(["sleep", "60"]) as sleeper:
        answer = _hangtui("dump", "--json", sleeper.pid)
        sleeper.kill()
    assert answer.returncode == 0
    (process,) = json.loads(answer.stdout)["processes"]
    assert process["python"] is None
    assert process["threads"][0]["native_stack"]
    assert "no CPython in this process" in _notices(answer)


def test_a_stopped_process_is_read_and_left_stopped(any_python: Path) -> None:
    with running("abba", any_python) as target:
        os.kill(target.pid, signal.SIGSTOP)
        _await_state(target, "T")
        answer = _hangtui("dump", "--json", target.pid)
        still_stopped = target.state()
        os.kill(target.pid, signal.SIGCONT)
        _await_state(target, "S")
    assert still_stopped == "T"
    assert answer.returncode == 0
    assert f"kill -CONT {target.pid}" in _notices(answer)
    capture = json.loads(answer.stdout)
    assert len([edge for edge in capture["edges"] if edge["relation"] == "held-by"]) == 2
    assert capture["cycles"] == []  # what a stopped thread seems to wait for may be over


def test_a_traced_process_is_read_and_its_tracer_named(any_python: Path) -> None:
    with running("abba", any_python) as target:
        tracer = subprocess.Popen(
            ["gdb", "-nx", "-q", "-p", str(target.pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _await_state(target, "t")
            answer = _hangtui("dump", "--json", target.pid)
        finally:
            tracer.communicate(b"detach\nquit\n", timeout=30)
        _await_state(target, "S")
    assert answer.returncode == 0
    assert f"traced by process {tracer.pid}" in _notices(answer)
    assert json.loads(answer.stdout)["processes"][0]["threads"][0]["python_stack"]


@pytest.mark.parametrize("steps", [1, 2])
def test_a_process_that_vanishes_half_way(steps: int, any_python: Path) -> None:
    """It is killed after so many steps of the capture."""
    with running("abba", any_python) as target:
        captures = collect(CaptureRequest(pids=(target.pid,)))
        for _ in range(steps):
            next(captures)
        os.kill(target.pid, signal.SIGKILL)
        while target.state() != "Z":
            pass
        *_, last = captures
    assert last.complete
    assert [process.pid for process in last.processes] == [target.pid]
    assert build(last).cycles == ()
    assert not any(thread.still for thread in last.threads())
    messages = [notice.message for notice in last.notices]
    assert any("ended while it was read" in m or "is gone" in m for m in messages)


def test_a_zombie() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    answer = _hangtui("dump", "--json", child)
    os.waitpid(child, 0)
    assert answer.returncode == 0
    assert "has ended" in _notices(answer)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process of another user")
def test_a_process_of_another_user_gets_a_notice_with_the_fix() -> None:
    """As in a container: root without SYS_PTRACE may not look into another user's process."""
    python = Path("/usr/bin/python3")
    if not python.exists():
        pytest.skip("no interpreter that another user may run")
    with running("abba", python, user=NOBODY) as target:
        without_ptrace = ["setpriv", "--bounding-set=-sys_ptrace"]
        answer = _hangtui("dump", "--json", target.pid, prefix=without_ptrace)
        state = target.state()
    assert answer.returncode == 2
    assert state == "S"
    (process,) = json.loads(answer.stdout)["processes"]
    assert len(process["threads"]) == 3
    assert "SYS_PTRACE" in _notices(answer)
    assert f"the memory of process {target.pid} may not be read" in answer.stderr


def test_a_reader_that_goes_away(any_python: Path) -> None:
    with running("abba", any_python) as target:
        command = f"{sys.executable} -m hangtui dump --json {target.pid} | head -c 10"
        answer = subprocess.run(
            command, shell=True, capture_output=True, text=True, timeout=60, check=True
        )
    assert len(answer.stdout) == 10
    assert answer.stderr == ""


def test_a_hostile_thread_name_is_shown_and_not_obeyed(any_python: Path) -> None:
    with running("hostile_name", any_python) as target:
        answers = [_hangtui("dump", *options, target.pid) for options in ([], ["--json"])]
    for answer in answers:
        assert answer.returncode == 0
        assert "\x1b" not in answer.stdout
        assert "\x07" not in answer.stdout
        assert "]0;x" in answer.stdout
        assert "[red]" in answer.stdout


def _await_state(target: Target, state: str) -> None:
    """Until all threads are in this state; the test's own limit ends a wait without an end."""
    while set(target.states()) != {state}:
        pass
