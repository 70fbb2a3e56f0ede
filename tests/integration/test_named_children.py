"""Children of multiprocessing are told by the names that the program gave them."""

import os
import signal
import subprocess
import sys

from hangtui.cli.series import Looks, take
from hangtui.provider import CaptureRequest

PROGRAM = """
import multiprocessing, os, time

def nothing():
    os.read(reads, 1)  # to start the next one would collect one that has ended by then

reads, writes = os.pipe()
context = multiprocessing.get_context("fork")
both = [context.Process(target=nothing, name="branch north"), context.Process(target=nothing)]
for one in both:
    one.start()
os.write(writes, b"..")
for one in both:
    os.waitid(os.P_PID, one.pid, os.WEXITED | os.WNOWAIT)
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


COLLECTED = """
import multiprocessing, os, time

def work(seconds, status):
    time.sleep(seconds)
    os._exit(status)

context = multiprocessing.get_context("fork")
well = context.Process(target=work, args=(0, 0), name="branch south")
failed = context.Process(target=work, args=(0, 3), name="branch north")
killed = context.Process(target=work, args=(60, 0))
for one in (well, failed, killed):
    one.start()
killed.kill()
for one in (well, failed, killed):
    one.join()
child = context.Process(target=work, args=(60, 0), name="branch west")
child.start()
print(f"ready {child.pid}", flush=True)
time.sleep(60)
"""


def test_those_that_failed_and_were_collected_are_known_to_their_parent_alone() -> None:
    with subprocess.Popen([sys.executable, "-c", COLLECTED], stdout=subprocess.PIPE) as target:
        assert target.stdout is not None
        child = int(target.stdout.readline().split()[1])
        try:
            made = take(CaptureRequest(pids=(target.pid, child)), Looks(1, 0.0))
        finally:
            target.kill()
            os.kill(child, signal.SIGKILL)

    failed = {one.pid: one.around.failed for one in made.processes if one.around}
    assert [(one.name, one.exit_status) for one in failed[target.pid]] == [
        ("branch north", 3),
        ("ForkProcess-3", -9),
    ]
    assert failed[child] == ()
