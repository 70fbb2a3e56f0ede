"""Builds and runs the native targets that are no Python at all."""

import contextlib
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.integration.targets import FOLDER
from tests.procfs import state_of


def build(source: str, program: Path, *options: str, compiler: str = "gcc") -> Path:
    """Compile one of the native targets."""
    path = FOLDER / "native" / source
    subprocess.run([compiler, *options, "-pthread", "-o", program, path], check=True)
    return program


def await_sleep(pid: int) -> None:
    """It says that it is ready a moment before all its threads sleep; if it ends, they never do."""
    deadline, in_a_row = time.monotonic() + 30, 0
    while in_a_row < 3 and time.monotonic() < deadline:
        try:
            states = [state_of(task) for task in Path(f"/proc/{pid}/task").iterdir()]
        except OSError:
            return
        if "Z" in states:
            return
        in_a_row = in_a_row + 1 if set(states) == {"S"} else 0
        time.sleep(0.002)


@contextlib.contextmanager
def started(command: Sequence[str | Path]) -> Iterator["subprocess.Popen[bytes]"]:
    """A program that has said it is ready; it is killed afterwards."""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            await_sleep(process.pid)
            yield process
        finally:
            process.kill()
