"""``--native stop``: threads that compute have a native stack, and nobody is woken for it."""

import os
import subprocess
import sys
import time

from hangtui.model import Process
from hangtui.provider import NativeMode
from tests.integration.capturing import diagnose
from tests.integration.targets import FOLDER

SPINNING = {"spin", "wait_in", "start_thread"}


def captured(pid: int) -> tuple[Process, list[set[str | None]]]:
    """The process, and the functions on each thread's stack."""
    (described,) = diagnose(pid, NativeMode.STOP).capture.processes
    stacks = [{f.function for f in thread.native_stack or ()} for thread in described.threads]
    return described, stacks


def test_a_thread_that_computes_has_a_stack_and_nobody_is_woken() -> None:
    environment = {key: value for key, value in os.environ.items() if key != "HANGTUI_READY"}
    with subprocess.Popen(
        [sys.executable, FOLDER / "interruptible.py", "spin"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    ) as process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdout.readline()
            described, stacks = captured(process.pid)
            # On a busy machine a thread may not have got to run, and so not have come to a stop.
            deadline = time.monotonic() + 60
            while not any(stack >= SPINNING for stack in stacks) and time.monotonic() < deadline:
                described, stacks = captured(process.pid)
            process.stdin.write("\n")
            process.stdin.flush()
            woken = int(process.stdout.readline())
        finally:
            process.kill()
    assert any(stack >= SPINNING for stack in stacks), stacks
    assert described.stopped_for_ms
    assert woken == 0
