"""Connections between machines: two network namespaces of this one, with a cable between them."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hangtui.capture_file import load
from hangtui.cli.several import combine
from hangtui.diagnosis import Diagnosis, diagnose
from hangtui.model import Severity, host_of
from tests.integration.targets import FOLDER
from tests.shares import captures
from tests.waiting import until

ROOT = Path(__file__).parents[2]
_NEEDED = ("ip", "unshare", "nsenter")
pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or not all(map(shutil.which, _NEEDED)),
    reason="needs root, ip, unshare and nsenter",
)
_ADDRESSES = ("10.77.0.1", "10.77.0.2")
_MACHINE = """\
hostname "$1"
ip link set lo up
echo $$ > "$2"
read -r _
ip addr add "$3/24" dev "$1"
ip link set "$1" up
shift 3
exec "$@"
"""


@dataclass(frozen=True, slots=True)
class Machines:
    """Two of them, each with one program."""

    folder: Path
    programs: tuple["subprocess.Popen[bytes]", ...]

    def look(self) -> Diagnosis:
        """What follows from a capture of each, taken on it."""
        begun = time.monotonic()
        looks = [self._record(index) for index in range(len(self.programs))]
        assert [look.wait(60) for look in looks] == [0] * len(looks)
        within_s = time.monotonic() - begun
        return diagnose(combine([load(self._path(index)) for index in (0, 1)], within_s))

    def look_from_outside(self) -> Diagnosis:
        """What follows from one capture of both."""
        path = self._path(2)
        command = [sys.executable, "-m", "hangtui", "record", *self._pids(), *_QUICK, str(path)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=60)
        return diagnose(load(path))

    def _pids(self) -> list[str]:
        return [str(program.pid) for program in self.programs]

    def _record(self, index: int) -> "subprocess.Popen[bytes]":
        pid = self._pids()[index]
        there = ["nsenter", "--target", pid, "--net", "--uts"]
        command = [sys.executable, "-m", "hangtui", "record", pid, *_QUICK, str(self._path(index))]
        quiet = subprocess.DEVNULL
        return subprocess.Popen([*there, *command], cwd=ROOT, stdout=quiet, stderr=quiet)

    def _path(self, index: int) -> Path:
        return self.folder / f"{index}.hang"


_QUICK = ("--native", "none", "-o")


@pytest.fixture
def machines(
    request: pytest.FixtureRequest, tmp_path: Path, some_python: Path
) -> Iterator[Machines]:
    """Two machines, joined by a cable, on which programs run as the test's parameter says."""
    names = [f"ht{os.getpid()}{end}" for end in "ab"]
    started: list[subprocess.Popen[bytes]] = []
    try:
        for index, name in enumerate(names):
            started.append(_machine(request.param, index, name, tmp_path, some_python))
        inside = [_word(tmp_path / name) for name in names]
        ends = [word for name, pid in zip(names, inside, strict=True) for word in (name, pid)]
        cable = ["ip", "link", "add", ends[0], "netns", ends[1], "type", "veth"]
        subprocess.run([*cable, "peer", "name", ends[2], "netns", ends[3]], check=True)
        for name, program in zip(names, started, strict=True):
            assert program.stdin is not None
            program.stdin.write(b"\n")
            program.stdin.flush()
            _word(tmp_path / f"{name}.ready")
        yield Machines(tmp_path, tuple(started))
    finally:
        for program in started:
            program.kill()
            program.communicate()


def _machine(
    how: str, index: int, name: str, folder: Path, python: Path
) -> "subprocess.Popen[bytes]":
    program = [str(python), str(FOLDER / "two_hosts.py"), how, _ADDRESSES[0], "7000"]
    if index == 0:
        program.append("first")
    words = [name, str(folder / name), _ADDRESSES[index], *program]
    return subprocess.Popen(
        ["unshare", "--net", "--uts", "sh", "-c", _MACHINE, "machine", *words],
        stdin=subprocess.PIPE,
        env={**os.environ, "HANGTUI_READY": str(folder / f"{name}.ready")},
    )


def _word(path: Path) -> str:
    """What is written there, as soon as it is."""
    return until(lambda: path.read_text().strip() if path.exists() else None)


@pytest.mark.parametrize("machines", ["ring"], indirect=True)
def test_a_ring_over_two_machines(machines: Machines) -> None:
    # It is proven once nothing has gone over the cable for longer than both looks take.
    found = until(lambda: _of(machines.look(), Severity.ERROR))

    first = found.findings[0]
    assert first.id == "deadlock"
    assert len({host_of(one.pid) for one in first.threads}) == 2
    assert len(first.victims) == 2
    outside = machines.look_from_outside().findings[0]
    assert (outside.id, outside.severity) == ("deadlock", Severity.ERROR)


def _of(found: Diagnosis, severity: Severity) -> Diagnosis | None:
    return found if found.findings[0].severity is severity else None


@pytest.mark.parametrize("machines", ["locked"], indirect=True)
def test_what_keeps_the_other_machine_is_the_cause(machines: Machines) -> None:
    first, *others = machines.look().findings

    assert first.id == "self-deadlock"
    (own,), (victim,) = first.threads, first.victims
    assert host_of(own.pid) != host_of(victim.pid)
    assert all(one.id != "waiting-for-peer" for one in others)


@pytest.mark.parametrize("machines", ["busy"], indirect=True)
def test_two_machines_that_talk_are_no_ring(machines: Machines) -> None:
    for _ in range(captures(10)):
        for found in (machines.look(), machines.look_from_outside()):
            assert not found.cycles
            assert all(one.severity is Severity.NOTE for one in found.findings)
