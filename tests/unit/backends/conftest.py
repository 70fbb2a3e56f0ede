"""Short-lived real processes, and waiting for what the kernel says of them."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest

from tests.unit.backends.heap import VERSIONS, Heap


class Spawn(Protocol):
    """Starts a program that prints a line once it is where it should be."""

    def __call__(
        self,
        code: str,
        *arguments: str,
        python: str = sys.executable,
        env: dict[str, str] | None = None,
    ) -> subprocess.Popen[str]: ...


@pytest.fixture
def spawn() -> Iterator[Spawn]:
    """Python programs whose first line of output says that they are ready; ended afterwards."""
    with contextlib.ExitStack() as stack:

        def start(
            code: str,
            *arguments: str,
            python: str = sys.executable,
            env: dict[str, str] | None = None,
        ) -> subprocess.Popen[str]:
            process = subprocess.Popen(
                [python, "-c", code, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=None if env is None else {**os.environ, **env},
            )
            stack.callback(_end, process)
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            return process

        yield start


def _end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGCONT)
    process.kill()
    process.communicate()


@pytest.fixture
def make_program(tmp_path: Path) -> Callable[[str, str], Path]:
    """Writes an executable shell script that stands in for a helper program."""

    def make(name: str, body: str) -> Path:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path

    return make


@pytest.fixture(params=VERSIONS, ids=lambda version: f"{version[0]}.{version[1]}")
def heap(request: pytest.FixtureRequest) -> Heap:
    """Objects as literal bytes, as an old and as a new CPython keeps them."""
    return Heap(request.param)
