"""Children of multiprocessing are told by the names that the program gave them."""

import subprocess
import sys

from hangtui.cli.series import Looks, take
from hangtui.provider import CaptureRequest

PROGRAM = """
import multiprocessing, os, time

def nothing():
    pass

context = multiprocessing.get_context("fork")
context.Process(target=nothing, name="branch north").start()
context.Process(target=nothing).start()
time.sleep(0.5)
print("ready", flush=True)
time.sleep(60)
"""


def test_the_name_of_one_that_has_ended() -> None:
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE) as target:
        try:
            assert target.stdout is not None
            target.stdout.readline()
            made = take(CaptureRequest(pids=(target.pid,)), Looks(1, 0.0))
        finally:
            target.kill()

    around = made.processes[0].around
    assert around is not None
    assert sorted((one.state, one.called or "") for one in around.children or ()) == [
        ("Z", ""),
        ("Z", "branch north"),
    ]
