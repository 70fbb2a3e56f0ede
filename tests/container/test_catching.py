"""``hangtui run`` as the first process of a container and by exec, and ``watch`` beside it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.container import images
from tests.container.conftest import Container, podman, started

CRASHES = """
import os, subprocess, time
orphan = int(subprocess.check_output(["sh", "-c", "sleep 0.1 >/dev/null & echo $!"]))
while os.path.exists("/proc/%d" % orphan):  # until its parent, the first process, fetches it
    time.sleep(0.05)
print("ready", flush=True)
while not os.path.exists("/captures/go"):
    time.sleep(0.05)
os.abort()
"""
ENDS = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(5))
print("ready", flush=True)
while True:
    time.sleep(1)
"""
FAILS = """
import json, os
print(json.dumps({k: v for k, v in os.environ.items() if k != "PWD"}), flush=True)  # sh's own
os.abort()
"""


def _report(path: Path) -> Any:
    words = [sys.executable, "-P", "-m", "hangtui", "dump", "--json", str(path)]
    return json.loads(subprocess.run(words, capture_output=True, check=True).stdout)


def test_as_the_first_process(tmp_path: Path) -> None:
    """It captures the crash, fetches orphans as an init must, and ends as the command did."""
    words = ("hangtui", "run", "-o", "/captures/x.hang", "--", "python3", "-c", CRASHES)
    volume = ("--volume", f"{tmp_path}:/captures")
    with started(images.DEBUG, *volume, command=words) as container:
        (tmp_path / "go").touch()
        assert podman("wait", container.name).output.strip() == "134"

    report = _report(tmp_path / "x.hang")
    assert report["crash"]["signal"] == "SIGABRT"
    assert report["findings"][0]["id"] == "crash-abort"
    assert report["crash"]["thread"]["name"] == "MainThread"
    (process,) = report["processes"]
    assert process["python"]["version"].startswith("3.9.")


def test_the_first_process_passes_signals_on() -> None:
    with started(images.DEBUG, command=("hangtui", "run", "python3", "-c", ENDS)) as container:
        podman("stop", "--time", "60", container.name)
        assert container.inspect(".State.ExitCode") == "5"


def test_by_exec_with_the_environment_of_the_container() -> None:
    preload = "--env=LD_PRELOAD=/nonexistent.so"
    with started(images.DEBUG, preload) as container:
        run = ("hangtui", "run", "--no-open", "-o", "/tmp/x.hang", "--")
        alone = container.exec("python3", "-c", FAILS)
        done = container.exec(*run, "python3", "-c", FAILS)
        answer = container.exec("hangtui", "dump", "--json", "/tmp/x.hang").json()

    assert (alone.code, done.code) == (134, 134)
    assert done.json() == alone.json()
    assert done.json()["LD_PRELOAD"] == "/nonexistent.so"
    assert answer["crash"]["signal"] == "SIGABRT"


def _watched(container: Container, *options: str) -> dict[str, Any]:
    """What a watcher that was started by exec has recorded of the first process."""
    script = (
        "hangtui watch 1 --hang-after 1s -d /tmp & "
        "until cat /tmp/hangtui-*-hang.hang >/dev/null 2>&1; do sleep 0.1; done; "
        "kill $!; wait $! 2>/dev/null; hangtui dump --json /tmp/hangtui-*-hang.hang"
    )
    return container.exec("sh", "-c", script, options=options).json()


def test_a_watcher_beside_the_first_process() -> None:
    with started(images.DEBUG) as container:
        answer = _watched(container)
        state = container.exec("cat", "/proc/1/status").output

    assert answer["findings"][0]["id"] == "deadlock"
    assert "TracerPid:\t0" in state
