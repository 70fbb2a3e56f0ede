"""Builds and runs the native targets that are no Python at all."""

import contextlib
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.integration.targets import FOLDER


def build(source: str, program: Path, *options: str, compiler: str = "gcc") -> Path:
    """Compile one of the native targets."""
    path = FOLDER / "native" / source
    subprocess.run([compiler, *options, "-pthread", "-o", program, path], check=True)
    return program


def _await_sleep(pid: int) -> None:
    """It says that it is ready a moment before it sleeps; one that ends does not get there."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            if "State:\tS" in Path(f"/proc/{pid}/status").read_text():
                return
        if not Path(f"/proc/{pid}").exists():
            return


@contextlib.contextmanager
def started(command: Sequence[str | Path]) -> Iterator["subprocess.Popen[bytes]"]:
    """A program that has said it is ready; it is killed afterwards."""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            _await_sleep(process.pid)
            yield process
        finally:
            process.kill()
