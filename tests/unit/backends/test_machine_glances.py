"""What is seen of all Python processes at a glance."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hangtui.backends.machine.glances import Glances
from hangtui.backends.machine.provider import LiveMachine
from hangtui.backends.tools import workers
from hangtui.model import Sighting, TargetError
from tests.procfs import has_ended
from tests.waiting import until

pytestmark = pytest.mark.processes


def program(code: str) -> "subprocess.Popen[bytes]":
    """A Python that says when it is ready, and then waits for its input to end."""
    words = [sys.executable, "-c", f"{code}\nprint(1, flush=True); input()", "--password=secret"]
    made = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert made.stdout is not None
    made.stdout.readline()
    return made


def end(process: "subprocess.Popen[bytes]") -> None:
    """Kill and reap."""
    process.kill()
    process.communicate()


def of(pid: int, seen: list[Sighting]) -> Sighting | None:
    """One process among those."""
    return next((one for one in seen if one.pid == pid), None)


def test_a_process_comes_uses_the_processor_and_goes() -> None:
    glances, process = Glances(), program("")
    try:
        first = of(process.pid, glances.look())
        assert first is not None
        assert first.threads == 1
        assert first.age_s < 60
        assert "secret" not in first.cmdline
    finally:
        end(process)
    assert of(process.pid, glances.look()) is None

    process = program("import threading\nthreading.Thread(target=exec, args=('while 1: pass',),"
                      " daemon=True).start()")  # fmt: skip
    try:
        before = of(process.pid, glances.look())
        assert before is not None
        until(lambda: (now := of(process.pid, glances.look())) and
              now.processor_s > before.processor_s + 0.1)  # fmt: skip
    finally:
        end(process)


def test_neither_itself_nor_what_is_no_python() -> None:
    glances = Glances()
    with subprocess.Popen(["sleep", "60"]) as other:
        for _ in range(5):
            pids = {one.pid for one in glances.look()}
            assert pids.isdisjoint({os.getpid(), other.pid})
        other.kill()


def test_one_that_becomes_python_is_found() -> None:
    glances = Glances()
    words = ["sh", "-c", f"read x; exec {sys.executable} -c 'input()'"]
    with subprocess.Popen(words, stdin=subprocess.PIPE) as process:
        assert of(process.pid, glances.look()) is None
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
        until(lambda: of(process.pid, glances.look()))
        process.kill()


def test_the_worker_goes_with_who_asked() -> None:
    async def first() -> list[Sighting]:
        stream = LiveMachine().glances()
        found = await anext(stream)
        await stream.aclose()
        return found

    def children() -> set[str]:
        return set(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split())

    process = program("")
    before = children()
    try:
        assert of(process.pid, asyncio.run(first()))
    finally:
        end(process)
    assert all(has_ended(int(pid)) for pid in children() - before)


def test_that_none_can_be_started_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(_module: str) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    async def ask() -> None:
        await anext(LiveMachine().glances())

    monkeypatch.setattr(workers, "start", fails)
    with pytest.raises(TargetError, match="Resource temporarily unavailable"):
        asyncio.run(ask())
