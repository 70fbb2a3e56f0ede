"""The application in a process of its own, on a real pseudo-terminal."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

LIMIT_S = 20
PROGRAM = """
import asyncio, fcntl, sys, termios
if {kind!r} == "owns":
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from hangtui.model import TargetError
from hangtui.provider import CaptureRequest
from hangtui.tui.running import run_app

class Provider:
    live = True
    async def take(self, request):
        if {kind!r} == "fails":
            raise TargetError("process 1 is not ours", "run it as root")
        if {kind!r} == "yields":
            from tests.tui import samples
            yield samples.deadlock()
        while True:
            try:
                await asyncio.sleep(1000)
            except asyncio.CancelledError:
                if {kind!r} != "stubborn":
                    raise

status = run_app(Provider(), CaptureRequest((1,)))
print("networkx", "networkx" in sys.modules)
sys.exit(status)
"""


class Terminal:
    """A program on a pseudo-terminal of 120x40."""

    def __init__(self, pid: int, master: int) -> None:
        self.pid = pid
        self.output = b""
        self._master = master

    def send(self, keys: bytes) -> None:
        """Type."""
        os.write(self._master, keys)

    def hang_up(self) -> None:
        """Close the terminal."""
        os.close(self._master)
        self._master = -1

    def until(self, condition: Callable[[bytes], bool]) -> None:
        """Read until *condition* holds for all that was written."""
        end = time.monotonic() + LIMIT_S
        while not condition(self.output):
            assert time.monotonic() < end, self.output[-2000:]
            self._read()

    def wait(self) -> int:
        """Read all output; the exit status."""
        end = time.monotonic() + LIMIT_S
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.pid = 0
                while self._read():
                    pass
                return os.waitstatus_to_exitcode(status)
            assert time.monotonic() < end, "the program does not end"
            self._read()

    def close(self) -> None:
        """End the program if it runs."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self._master >= 0:
            os.close(self._master)

    def _read(self) -> bool:
        """Read what there is; whether there was something."""
        files = [self._master] if self._master >= 0 else []
        ready, _, _ = select.select(files, [], [], 0.05)
        before = len(self.output)
        if ready:
            with suppress(OSError):
                self.output += os.read(self._master, 65536)
        return len(self.output) > before


@contextmanager
def terminal(kind: str, **environ: str) -> Iterator[Terminal]:
    """The application over a provider of this *kind*."""
    # A new interpreter, not a copy of this one: pytest's threads do not survive a fork.
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    command = [sys.executable, "-c", PROGRAM.format(kind=kind)]
    env = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(sys.path)}
    for name in ("COLUMNS", "LINES"):  # they would count more than the terminal's size
        env.pop(name, None)
    pid = os.posix_spawn(
        sys.executable,
        command,
        {**env, **environ},
        file_actions=[(os.POSIX_SPAWN_DUP2, slave, fd) for fd in (0, 1, 2)],
        setsid=True,
    )
    os.close(slave)
    program = Terminal(pid, master)
    try:
        yield program
    finally:
        program.close()


def restored(output: bytes) -> bool:
    """Whether the alternate screen and the mouse were given back."""
    return (
        output.rfind(b"\x1b[?1049l") > output.rfind(b"\x1b[?1049h")
        and output.rfind(b"\x1b[?1000l") > output.rfind(b"\x1b[?1000h")
        and output.rfind(b"\x1b[?25h") > output.rfind(b"\x1b[?25l")
    )


def painted(output: bytes) -> bool:
    return b"Overview" in output


def reading(output: bytes) -> bool:
    return b"reading" in output


def test_quits_and_restores_the_terminal() -> None:
    with terminal("yields") as program:
        program.until(lambda output: b"X deadlock" in output)
        program.send(b"q")

        assert program.wait() == 0
        assert restored(program.output)


def test_nothing_heavy_is_imported_for_the_first_paint() -> None:
    with terminal("waits") as program:
        program.until(painted)
        program.send(b"q")

        assert program.wait() == 0
        assert b"networkx False" in program.output


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_restore_the_terminal(number: signal.Signals) -> None:
    with terminal("waits") as program:
        program.until(reading)
        os.kill(program.pid, number)

        assert program.wait() == 128 + number
        assert restored(program.output)
        assert b"Traceback" not in program.output


def test_paints_again_after_it_was_suspended() -> None:
    with terminal("yields") as program:
        program.until(lambda output: b"X deadlock" in output)
        program.send(b"\x1a")
        program.until(restored)
        os.waitid(os.P_PID, program.pid, os.WSTOPPED)
        program.output = b""
        os.kill(program.pid, signal.SIGCONT)

        program.until(lambda output: b"Overview" in output and b"X deadlock" in output)
        program.send(b"q")
        assert program.wait() == 0


@pytest.mark.parametrize("kind", ["owns", "waits"])
def test_ends_when_its_terminal_goes_away(kind: str) -> None:
    """Also if it is not told so: only the owner of a terminal gets a signal."""
    with terminal(kind) as program:
        program.until(reading)
        program.hang_up()

        assert program.wait() == 128 + signal.SIGHUP


def test_the_exit_does_not_wait_for_a_provider_that_hangs() -> None:
    with terminal("stubborn") as program:
        program.until(reading)
        program.send(b"q")

        assert program.wait() == 0
        assert restored(program.output)


def test_status_2_and_the_reason_if_nothing_could_be_read() -> None:
    with terminal("fails") as program:
        program.until(lambda output: b"not ours" in output)
        program.send(b"q")

        assert program.wait() == 2
        assert b"hangtui: process 1 is not ours\r\nrun it as root" in program.output


def test_no_color_writes_no_colour() -> None:
    with terminal("yields", NO_COLOR="1") as program:
        program.until(lambda output: b"X deadlock" in output)
        program.send(b"q")
        program.wait()

    assert b"38;2;" not in program.output
    assert b"38;5;" not in program.output
