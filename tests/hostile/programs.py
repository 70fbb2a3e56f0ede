"""Programs of an attacker's, started and ended, and hangtui run on them within limits."""

import contextlib
import json
import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

START = """
import ctypes, signal
signal.alarm(150)
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
"""
"""They live no longer than a test, nor than whoever started it (PR_SET_PDEATHSIG)."""


@contextlib.contextmanager
def running(
    program: str, *words: str, python: str = sys.executable, env: Mapping[str, str] | None = None
) -> Iterator[int]:
    """The PID of a program that has printed a line."""
    command = [python, "-u", "-c", START + program, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline(), "the target did not start"
            yield process.pid
        finally:
            process.kill()


def dumped(pid: int, *, within_s: float, memory_bytes: int) -> dict[str, Any]:
    """What ``dump --json`` says, which may take so long and have so much address space."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))

    done = subprocess.run(
        [sys.executable, "-m", "hangtui", "dump", "--json", str(pid)],
        stdout=subprocess.PIPE,
        timeout=within_s,
        check=True,
        preexec_fn=limit,
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def built(source: str, target: Path) -> Path:
    """A library made of C code."""
    place = target.with_suffix(".c")
    place.write_text(source)
    command = ["gcc", "-O0", "-fPIC", "-shared", "-o", str(target), str(place)]
    subprocess.run(command, check=True)
    return target
