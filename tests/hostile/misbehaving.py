"""Processes that misbehave in one way, and what a look at them tells."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.backends.capture.collector import collect
from hangtui.findings import run
from hangtui.model import Capture, Finding
from hangtui.provider import CaptureRequest, NativeMode
from tests.hostile.attacks import ROOT, SYSTEM_PYTHON

_PROGRAMS = ROOT / "tests" / "targets"
INNOCENT = """
import os
r, w = os.pipe()
child = os.fork()
if not child:
    os.close(w)
    os.read(r, 1)
print("ready", child, flush=True)
os.waitpid(child, 0)
"""
"""Waits for its child, which reads from a pipe."""
MAPS_A_FILE = """
import mmap, os, sys
f = open(sys.argv[1], "rb")
m = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
print("ready", flush=True)
os.read(0, 1)
"""
"""Has the file that it is given in its memory."""


@dataclass(frozen=True, slots=True)
class Attacker:
    """A process that misbehaves."""

    pid: int
    words: tuple[str, ...]
    """What it said besides that it is ready."""


@contextlib.contextmanager
def attacker(
    source: str,
    *arguments: object,
    user: int | None = None,
    before_end: Callable[[], object] = lambda: None,
) -> Iterator[Attacker]:
    """Run *source* until it prints a line that begins with ``ready``; it ends with its family.

    *before_end*: what lets it end.
    """
    # Somebody else may not enter the folder that the tests' own interpreter is in.
    python = sys.executable if user is None else SYSTEM_PYTHON
    words = [str(python), "-c", source, *map(str, arguments)]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/",
        start_new_session=True, user=user, group=user, extra_groups=None if user is None else (),
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            line = process.stdout.readline().split()
            assert line[:1] == ["ready"], line
            yield Attacker(process.pid, tuple(line[1:]))
        finally:
            before_end()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@contextlib.contextmanager
def silent_files(folder: Path, *what: str) -> Iterator[tuple[Path, Callable[[], object]]]:
    """The file of a FUSE file system that never answers *what*, which are requests about it.

    Who waits for an answer cannot even be killed before the other thing that is given is called.
    """
    if os.geteuid() != 0 or not Path("/dev/fuse").exists():
        pytest.skip("only root can mount a FUSE file system here, and there must be one")
    program = [sys.executable, str(_PROGRAMS / "silent_files.py"), str(folder), *what]
    with subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        said = server.stdout.readline().strip()
        try:
            if said != "ready":
                pytest.skip(f"no FUSE file system here: {said}")
            yield folder / "file", server.stdin.close
        finally:
            server.stdin.close()


@dataclass(frozen=True, slots=True)
class Look:
    """A capture with what follows from it."""

    capture: Capture
    findings: tuple[Finding, ...]
    took_s: float

    def notices(self, pid: int) -> str:
        """What it says of one process."""
        return "\n".join(one.message for one in self.capture.notices if one.pid == pid)


def look(*pids: int, native: NativeMode = NativeMode.NONE) -> Look:
    """What a dump of these processes knows."""
    begun = time.monotonic()
    *_, capture = collect(CaptureRequest(pids, native=native))
    return Look(capture, run(capture, build(capture)), time.monotonic() - begun)
