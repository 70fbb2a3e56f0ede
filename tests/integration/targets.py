"""Starts target programs under the CPythons of this machine, and ends them with their children."""

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.procfs import state_of

FOLDER = Path(__file__).parents[1] / "targets"
_FETCHED = Path(__file__).parents[2] / ".pythons" / "bin"
"""Where script/fetch-pythons and script/build-free-threaded put interpreters."""
READABLE = (*(f"3.{minor}" for minor in range(6, 16)), "3.13t")
_START_LIMIT_S = 60


@dataclass(frozen=True, slots=True)
class Interpreter:
    """One CPython to run targets with."""

    path: Path
    version: str
    origin: str

    @property
    def id(self) -> str:
        """Its name in a test's parameters."""
        return f"{self.origin}-{self.version}"

    @property
    def number(self) -> tuple[int, bool]:
        """What versions are sorted by: a free-threaded one comes before all others."""
        threaded = self.version.endswith("t")
        return (0 if threaded else int(self.version.split(".")[1])), threaded


def interpreters(versions: tuple[str, ...] = READABLE) -> list[Interpreter]:
    """Every CPython found on this machine, of the wanted minor versions."""
    found = []
    for version in versions:
        pattern = f".pyenv/versions/{version}.*/bin/python{version}"
        found += [Interpreter(path, version, "pyenv") for path in sorted(Path.home().glob(pattern))]
        for origin, folder in (("system", Path("/usr/bin")), ("fetched", _FETCHED)):
            path = folder / f"python{version}"
            if path.exists():
                found.append(Interpreter(path, version, "built" if version[-1] == "t" else origin))
    return found


@dataclass(frozen=True, slots=True)
class Target:
    """A running target."""

    pid: int
    source: str
    """Text of its program."""

    def line(self, text: str) -> int:
        """The number of the only line that contains *text*."""
        lines = [n for n, line in enumerate(self.source.splitlines(), 1) if text in line]
        assert len(lines) == 1, f"{text!r} is on lines {lines}"
        return lines[0]

    def state(self) -> str:
        """The kernel's letter."""
        return state_of(self.pid)

    def states(self) -> list[str]:
        """The kernel's letters of all threads."""
        found = []
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended since
                found.append(state_of(task))
        return found


@contextlib.contextmanager
def running(
    program: str,
    interpreter: Path,
    *,
    asleep: bool = True,
    user: int | None = None,
    arguments: tuple[str, ...] = (),
) -> Iterator[Target]:
    """A target that has said it is ready; with *asleep*, until all of its threads sleep.

    However the block ends, the target must not be stopped then, and is killed.
    """
    path = FOLDER / f"{program}.py"
    with tempfile.TemporaryDirectory(prefix="hangtui-test-") as folder:
        fifo = Path(folder) / "ready"
        os.mkfifo(fifo)
        for place, mode in ((Path(folder), 0o755), (fifo, 0o666)):
            place.chmod(mode)
        environment = {
            **os.environ,
            "HANGTUI_READY": str(fifo),
            "HANGTUI_PYTHON": str(interpreter),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        process = subprocess.Popen(
            [interpreter, path, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            user=user,
        )
        try:
            await_ready(process, fifo)
            target = Target(process.pid, path.read_text())
            if asleep:
                await_sleep(target)
            yield target
            assert process.poll() is not None or "T" not in target.states(), "it was left stopped"
        finally:
            with contextlib.suppress(ProcessLookupError):  # workers may outlive it
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def await_ready(process: "subprocess.Popen[bytes]", fifo: Path) -> None:
    """Wait until a program writes into the pipe that it was given."""
    deadline = time.monotonic() + _START_LIMIT_S
    descriptor = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        while time.monotonic() < deadline:
            with contextlib.suppress(BlockingIOError):
                if os.read(descriptor, 16):
                    return
            assert process.poll() is None, f"the target ended with {process.returncode}"
            time.sleep(0.005)
    finally:
        os.close(descriptor)
    raise AssertionError("the target did not get ready")


def await_sleep(target: Target) -> None:
    """A waiter of the GIL wakes every 5 ms; at each look it sleeps most probably."""
    deadline = time.monotonic() + _START_LIMIT_S
    in_a_row = 0
    while in_a_row < 3:
        assert time.monotonic() < deadline, f"the target does not settle: {target.states()}"
        in_a_row = in_a_row + 1 if set(target.states()) == {"S"} else 0
        time.sleep(0.003)
