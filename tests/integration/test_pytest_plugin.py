"""The plugin of pytest on suites that really hang."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from hangtui.testing.plugin import seconds
from hangtui.testing.watcher import start_time

LIMIT_S = 120

RING = """
import threading

def test_before():
    pass

def test_transfer():
    left, right = threading.Lock(), threading.Lock()
    both = threading.Barrier(2)

    def back():
        with right:
            both.wait()
            with left:
                pass

    threading.Thread(target=back, name="back", daemon=True).start()
    with left:
        both.wait()
        with right:
            pass

def test_after():
    pass
"""
TEARDOWN = """
import pytest
import queue

@pytest.fixture
def jobs():
    made = queue.Queue()
    made.put(1)
    yield made
    made.join()

@pytest.mark.hang_after("500ms")
def test_jobs(jobs):
    pass

def test_after():
    pass
"""
IN_C = '''
import ctypes

def test_before():
    pass

def test_mutex():
    """No signal ends that."""
    mutex = ctypes.create_string_buffer(64)
    library = ctypes.PyDLL(None)
    library.pthread_mutex_lock(mutex)
    library.pthread_mutex_lock(mutex)

def test_never():
    pass
'''
AT_EXIT = """
import threading

def listen(stop):
    stop.wait()

def test_listener():
    threading.Thread(target=listen, args=(threading.Event(),), name="listener").start()
"""
IMPORT = """
import queue

def load():
    return queue.Queue().get()

load()

def test_never():
    pass
"""


def run(folder: Path, suite: str, *words: str) -> subprocess.CompletedProcess[str]:
    """pytest on one file, as it is run outside of this project."""
    path = folder / "test_shop.py"
    path.write_text(suite)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST")
    }
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q"]
    return subprocess.run(
        [*command, f"--rootdir={folder}", *words, str(path)],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        cwd=folder,
        env=environment,
        check=False,
    )


def test_a_ring_fails_its_test_with_the_reason_and_the_others_go_on(tmp_path: Path) -> None:
    done = run(tmp_path, RING, "--hang-after=3s", "--hang-abort", "--hang-dir=hangs")
    told = done.stdout + done.stderr

    assert done.returncode == 1
    assert "1 failed, 2 passed" in done.stdout
    assert "test_transfer has not ended for 3 s" in done.stderr
    assert "error: Deadlock: MainThread and back wait for each other (right, left)" in told
    assert "FAILED test_shop.py::test_transfer - Failed: hangtui: " in done.stdout
    saved = sorted(path.suffix for path in (tmp_path / "hangs").glob("*test_transfer*"))
    assert saved == [".hang", ".svg", ".txt"]


def test_without_abort_a_test_that_hangs_is_told_and_left_alone(tmp_path: Path) -> None:
    slow = "import time\n\ndef test_transfer():\n    time.sleep(6)\n"
    done = run(tmp_path, slow, "--hang-after=3s")

    assert "1 passed" in done.stdout
    assert done.stderr.count("test_transfer has not ended for 3 s") == 1


def test_a_fixture_that_hangs_when_it_is_taken_down(tmp_path: Path) -> None:
    done = run(tmp_path, TEARDOWN, "--hang-abort")

    assert "2 passed, 1 error" in done.stdout
    assert "test_jobs (teardown of fixtures) has not ended for 0.5 s" in done.stderr
    assert "(jobs)" in done.stderr
    assert "parked" not in done.stderr


def test_what_cannot_be_interrupted_is_ended_and_named(tmp_path: Path) -> None:
    done = run(tmp_path, IN_C, "--hang-after=3s", "--hang-abort")

    assert done.returncode == -signal.SIGTERM
    assert "test_mutex has not ended for 3 s" in done.stderr
    assert "test_mutex could not be interrupted" in done.stderr
    assert "(test_mutex)" in done.stderr


LEAVES = """
import subprocess, sys, time
server = subprocess.Popen(["sleep", "600"], stdout=-3, stderr=-3)
print(f"server {server.pid}", file=sys.__stderr__)
time.sleep(0.1)  # the kernel tells when a process was started in hundredths of a second

def test_report():
    for stubborn in ("", "trap '' TERM;"):
        report = subprocess.Popen(["sh", "-c", f"{stubborn} sleep 600 & wait; sleep 600"])
    report.wait()

def test_after():
    pass
"""


def test_what_an_aborted_test_has_started_does_not_keep_the_output_open(tmp_path: Path) -> None:
    done = run(tmp_path, LEAVES, "--hang-after=2s", "--hang-abort", "-s")
    server = int(re.findall(r"server (\d+)", done.stderr)[0])
    os.kill(server, signal.SIGKILL)  # it was there before, and is left alone

    assert "1 failed, 1 passed" in done.stdout
    ended = re.findall(r"left processes, which are ended: ([\d, ]+)", done.stderr)
    assert [len(one.split(",")) for one in ended] == [4]
    assert str(server) not in ended[0]


def test_a_worker_of_xdist(tmp_path: Path) -> None:
    done = run(tmp_path, RING, "--hang-after=3s", "--hang-abort", "-n1")

    assert "1 failed, 2 passed" in done.stdout
    assert "Deadlock: MainThread" in done.stdout


@pytest.mark.parametrize(
    ("suite", "what", "words"),
    [
        (AT_EXIT, "the exit after the tests", ("its exit waits for the thread listener",)),
        (IMPORT, "the collection of tests", ("queue.Queue", "(load)")),
    ],
)
def test_what_hangs_outside_of_the_tests(
    suite: str, what: str, words: Sequence[str], tmp_path: Path
) -> None:
    done = run(tmp_path, suite, "--hang-after=3s", "--hang-abort")

    assert done.returncode == -signal.SIGTERM
    assert f"{what} has not ended for 3 s" in done.stderr
    assert [word for word in words if word not in done.stderr] == []


STARTED = """
import os
import psutil

def test_who_watches():
    mark = '"pid": %d,' % os.getpid()
    found = psutil.process_iter(["cmdline"])
    print("watchers:", *(one.pid for one in found if mark in " ".join(one.info["cmdline"] or [])))
"""


def test_it_is_inert_until_a_time_is_given_and_ends_with_the_tests(tmp_path: Path) -> None:
    quiet = run(tmp_path, STARTED, "-s")
    watched = run(tmp_path, STARTED, "-s", "--hang-after=1m")

    assert "watchers:\n" in quiet.stdout
    (line,) = (one for one in watched.stdout.splitlines() if "watchers:" in one)
    watcher = int(line.split()[-1])
    assert "1 passed" in quiet.stdout
    assert "1 passed" in watched.stdout
    deadline = time.monotonic() + LIMIT_S
    while start_time(watcher) is not None:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_time_that_is_none(tmp_path: Path) -> None:
    done = run(tmp_path, RING, "--hang-after=soon")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--hang-after is a time such as 30s or 5m, not 'soon'" in done.stderr


@pytest.mark.parametrize(
    ("text", "number"), [("90", 90), ("30s", 30), ("500ms", 0.5), ("5m", 300), ("1.5h", 5400)]
)
def test_times(text: str, number: float) -> None:
    assert seconds(text) == number


@pytest.mark.parametrize("text", ["", "-1s", "0", "5d", "s"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        seconds(text)
