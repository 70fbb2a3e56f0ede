"""``--native stop``: threads that compute have a native stack, and nobody is woken for it."""

import os
import subprocess
import sys

from hangtui.provider import NativeMode
from tests.integration.capturing import diagnose
from tests.integration.targets import FOLDER


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
            found = diagnose(process.pid, NativeMode.STOP)
            process.stdin.write("\n")
            process.stdin.flush()
            woken = int(process.stdout.readline())
        finally:
            process.kill()
    (described,) = found.capture.processes
    stacks = {
        tuple(frame.function for frame in thread.native_stack or ()) for thread in described.threads
    }
    assert any({"spin", "wait_in", "start_thread"} <= set(stack) for stack in stacks)
    assert described.stopped_for_ms
    assert woken == 0
