"""Core files of processes that hang: they tell what the live process told."""

import gzip
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.backends.capture.collector import collect
from hangtui.cli.files import load
from hangtui.model import Capture, InputError
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running

pytestmark = pytest.mark.skipif(shutil.which("gcore") is None, reason="no gcore")
_SOME = [one for one in interpreters(("3.6", "3.13")) if one.origin == "pyenv"]
"""Of those with glibc 2.42 and newer gdb cannot dump the stacks of threads."""


@contextmanager
def _both(program: str, python: Path, folder: Path) -> Iterator[tuple[Capture, Path]]:
    """A live capture of a target, and its core file."""
    with running(program, python) as target:
        *_, live = collect(CaptureRequest((target.pid,)))
        prefix = folder / "core"
        done = subprocess.run(
            ["gcore", "-o", str(prefix), str(target.pid)], capture_output=True, timeout=90
        )
        core = folder / f"core.{target.pid}"
        assert core.exists(), done.stderr
        yield live, core


def _edges(capture: Capture) -> list[tuple[str, ...]]:
    """All edges but those that only the kernel knows: what a descriptor leads to."""
    graph = build(capture)
    return sorted(
        (edge.source, edge.target, edge.relation, edge.evidence.certainty)
        for edge in graph.edges
        if not edge.target.startswith(("socket:", "pipe:"))
    )


def _cycles(capture: Capture) -> list[list[str]]:
    return sorted(sorted(cycle.nodes) for cycle in build(capture).cycles)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("program", ["abba", "rwlock_gil", "asyncio_ring"])
@pytest.mark.parametrize("python", _SOME, ids=lambda one: one.id)
def test_a_core_has_the_same_cycles_and_owners(
    program: str, python: Interpreter, tmp_path: Path
) -> None:
    with _both(program, python.path, tmp_path) as (live, core):
        dead = load(str(core))

    assert _cycles(dead) == _cycles(live) != []
    assert _edges(dead) == _edges(live)
    assert [one.id for one in findings.run(dead)] == [one.id for one in findings.run(live)]
    assert dead.crash is None
    names = [(thread.tid, thread.name) for thread in live.threads() if thread.is_python]
    assert names == [(t.tid, t.name) for t in dead.threads() if t.is_python]
    stacks = {thread.tid: thread.python_stack for thread in live.threads()}
    assert stacks == {thread.tid: thread.python_stack for thread in dead.threads()}
    assert dead.processes[0].cmdline == live.processes[0].cmdline


@pytest.fixture
def core(any_python: Path, tmp_path: Path) -> Path:
    """The core file of a deadlocked process."""
    with _both("abba", any_python, tmp_path) as (_, path):
        return path


def test_packed_cores(core: Path) -> None:
    packed = core.with_suffix(".gz")
    packed.write_bytes(gzip.compress(core.read_bytes(), 1))
    expected = _edges(load(str(core)))
    assert _edges(load(str(packed))) == expected
    for program, suffix in (("zstd", ".zst"), ("lz4", ".lz4")):
        if shutil.which(program):
            packed = Path(f"{core}{suffix}")
            subprocess.run([program, "-q", str(core), str(packed)], check=True)
            assert _edges(load(str(packed))) == expected


def test_a_packed_core_without_its_program(core: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = core.with_suffix(".zst")
    packed.write_bytes(b"\x28\xb5\x2f\xfd" + bytes(100))
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(InputError, match="the program zstd is not here"):
        load(str(packed))


def test_files_that_are_missing_or_differ_are_named(core: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    libc = next(
        line.split()[-1]
        for line in Path("/proc/self/maps").read_text().splitlines()
        if "/libc.so" in line or "/libc-" in line
    )
    other = root / libc.lstrip("/")
    other.parent.mkdir(parents=True)
    shutil.copy(shutil.which("true") or "/bin/true", other)
    capture = load(str(core), str(root))

    text = "\n".join(notice.message for notice in capture.notices)
    assert "build id" in text
    assert "is not in" in text
    assert any(notice.fix and "--sysroot" in notice.fix for notice in capture.notices)
    assert len(capture.threads()) >= 2
