"""Kills hangtui, or its gdb, while a process is stopped by it, and looks whether that runs again.

    python tests/endurance/kill_loop.py [--count N] [--threads N] [--victim hangtui|gdb|suspend]

Exits with 1 if the process was ever left stopped or traced.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

TARGET = """
import os, sys, threading
for _ in range(int(sys.argv[1])):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
os.write(1, b"ready\\n")
os.read(0, 1)
"""
LOOK = "import sys; from hangtui.backends import gdb; gdb.native_stacks(int(sys.argv[1]))"
LIMIT_S = 20
DELAYS_S = (0, 0, 0.0005, 0.001, 0.002, 0.004, 0.02, 0.08)


def main() -> int:
    """Runs the loop and prints one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--threads", type=int, default=20)
    parser.add_argument("--victim", choices=["hangtui", "gdb", "suspend"], default="hangtui")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    delays = random.Random(options.seed)
    with subprocess.Popen(
        [sys.executable, "-c", TARGET, str(options.threads)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as target:
        try:
            assert target.stdout is not None
            target.stdout.readline()
            left = [
                state
                for _ in range(options.count)
                if (state := _once(target.pid, options.victim, delays.choice(DELAYS_S)))
            ]
        finally:
            target.kill()
    print(f"victim {options.victim}: {options.count} times, left stopped {len(left)} {left or ''}")
    return 1 if left else 0


def _once(pid: int, victim: str, delay_s: float) -> str | None:
    """The state in which the process was left, if that is not a running one."""
    with subprocess.Popen([sys.executable, "-c", LOOK, str(pid)]) as looker:
        _wait_until(lambda: bool(_tracer(pid)) or looker.poll() is not None)
        time.sleep(delay_s)  # the moment is what varies, nothing waits for it
        tracer = _tracer(pid)
        if victim == "suspend":
            looker.send_signal(signal.SIGSTOP)
        elif victim == "hangtui":
            looker.kill()
        elif tracer:
            os.kill(tracer, signal.SIGKILL)
        try:
            if victim == "gdb":
                looker.wait(LIMIT_S)
            # Asked twice, because a stop can follow a moment after the tracer has gone.
            _wait_until(lambda: _runs(pid))
            time.sleep(0.02)
            runs_again = _runs(pid)
        finally:
            looker.kill()
    if runs_again:
        return None
    os.kill(pid, signal.SIGCONT)
    return " ".join(sorted(_states(pid)))


def _wait_until(condition: Callable[[], bool]) -> None:
    limit = time.monotonic() + LIMIT_S
    while not condition() and time.monotonic() < limit:
        time.sleep(0.0002)


def _runs(pid: int) -> bool:
    return not _tracer(pid) and _states(pid) <= {"R", "S"}


def _tracer(pid: int) -> int:
    return int(_status(Path(f"/proc/{pid}"))["TracerPid"])


def _states(pid: int) -> set[str]:
    return {_status(task)["State"][0] for task in Path(f"/proc/{pid}/task").iterdir()}


def _status(folder: Path) -> dict[str, str]:
    lines = (folder / "status").read_text().splitlines()
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


if __name__ == "__main__":
    sys.exit(main())
