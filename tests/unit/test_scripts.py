import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.waiting import until

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "script" / "demo"

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(
        not Path(sys.prefix, ".hangtui-setup").exists(),
        reason="needs the environment of script/setup",
    ),
]


def environment(**extra: str) -> dict[str, str]:
    return {**os.environ, "HANGTUI_VENV": sys.prefix, "TERM": "xterm-256color", **extra}


def marked(mark: str) -> set[int]:
    """The processes that inherited this mark in their environment."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"HANGTUI_TEST_MARK={mark}".encode() in path.read_bytes().split(b"\0"):
                found.add(int(path.parent.name))
        except OSError:
            continue
    return found


def test_the_demo_shows_a_real_deadlock_and_ends_it() -> None:
    done = subprocess.run(
        [DEMO, "abba", "check"],
        capture_output=True,
        text=True,
        env=environment(HANGTUI_TEST_MARK="check"),
        stdin=subprocess.DEVNULL,
    )

    assert done.returncode == 1, done.stderr
    assert "teller-1 and teller-2 wait for each other" in done.stdout
    assert marked("check") == set()


def test_the_demo_explains_itself() -> None:
    done = subprocess.run([DEMO, "--help"], capture_output=True, text=True)

    assert done.returncode == 0
    assert "script/demo [gil|abba|container]" in done.stdout


def test_the_demo_refuses_what_it_does_not_know() -> None:
    done = subprocess.run([DEMO, "nosuch"], capture_output=True, text=True)

    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("end", ["quit", "hang-up"])
def test_the_demo_on_a_terminal_leaves_nothing(end: str) -> None:
    mark = f"terminal-{end}"
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(DEMO, [str(DEMO), "abba"], environment(HANGTUI_TEST_MARK=mark))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 40, 120, 0, 0))
    try:
        read_until(terminal, b"teller-1")
        assert len(marked(mark)) >= 3, "the script, the sample and hangtui"
        if end == "quit":
            os.write(terminal, b"q")
            read_until_closed(terminal)
    finally:
        os.close(terminal)
        kill_late(pid)
    until(lambda: not marked(mark), lambda: marked(mark))


def read_until(terminal: int, text: bytes) -> None:
    seen = b""
    deadline = time.monotonic() + 60
    while text not in seen:
        assert select.select([terminal], [], [], max(0, deadline - time.monotonic()))[0], seen[
            -2000:
        ]
        seen += os.read(terminal, 65536)


def read_until_closed(terminal: int) -> None:
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass  # how Linux says that nobody has the other end any more


def kill_late(pid: int) -> None:
    """Waits for the script, which ends by itself now that its terminal is closed."""
    deadline = time.monotonic() + 20
    while os.waitpid(pid, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
