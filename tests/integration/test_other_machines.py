"""An aarch64 CPython under qemu-user, and one on musl: what is proven of them, and what is said not
to be read.

Under qemu-user the guest's memory lies at its own addresses and its futexes are the host's, so that
the layouts of CPython's and glibc's locks on aarch64 are tested here within seconds; its stacks and
registers are the emulator's. A musl CPython is tested where there is one: `.pythons/musl`.
"""

import contextlib
import json
import shutil
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hangtui.backends.arch import AARCH64
from hangtui.backends.libc.futex import FutexDecoder, FutexWait
from hangtui.backends.libc.musl import MuslDecoder
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.process.thread_watch import Watch
from hangtui.backends.procfs.files import tids_inside
from hangtui.backends.unwind.native_stacks import NamedFrame
from hangtui.backends.unwind.unwinder import RawFrame
from hangtui.model import Certainty, GilState, NodeKind, Severity
from tests.integration.capturing import diagnose
from tests.waiting import until

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "tests" / "targets" / "other_machines.py"
ARM64 = ROOT / ".pythons" / "arm64"
MUSL = ROOT / ".pythons" / "musl" / "3.13" / "bin" / "python3.13"
CALLS = {
    "normal": "pthread_mutex_lock",
    "recursive": "pthread_mutex_lock",
    "checking": "pthread_mutex_lock",
    "rwlock": "pthread_rwlock_rdlock",
    "join": "pthread_join",
}


def arm64() -> tuple[str, ...]:
    emulator = shutil.which("qemu-aarch64")
    if emulator is None:
        pytest.skip("no qemu-aarch64 (script/packages foreign)")
    if not (ARM64 / "usr" / "bin" / "python3.11").exists():
        pytest.skip("no CPython for aarch64 (script/fetch-arm64)")
    return emulator, "-L", str(ARM64), str(ARM64 / "usr" / "bin" / "python3.11")


def musl() -> tuple[str, ...]:
    if not MUSL.exists():
        pytest.skip(f"no CPython on musl in {MUSL}")
    return (str(MUSL),)


KINDS = {"arm64": arm64, "musl": musl}


@dataclass
class Hung:
    """A target that hangs as it should."""

    pid: int
    facts: dict[str, int]
    """What it said of itself."""

    def tid(self, name: str) -> int:
        """Of the thread that runs *name*: Python gives its name to the kernel from 3.14 on."""
        (thread,) = (t for t in diagnose(self.pid).capture.threads() if t.name == name)
        return thread.tid


@contextlib.contextmanager
def hung(kind: str, scenario: str) -> Iterator[Hung]:
    command = [*KINDS[kind](), str(PROGRAM), scenario]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            word, _, facts = process.stdout.readline().partition(" ")
            assert word == "ready"
            yield Hung(process.pid, json.loads(facts))
        finally:
            process.send_signal(signal.SIGKILL)


def check(pid: int) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "hangtui", "check", str(pid), "--looks", "2"]
    return subprocess.run([*command, "--seconds", "0.3"], capture_output=True, text=True)


@pytest.mark.parametrize("kind", KINDS)
def test_a_ring_of_python_locks_is_proven(kind: str) -> None:
    with hung(kind, "ring") as target:
        until(lambda: any(f.id == "deadlock" for f in diagnose(target.pid).findings))
        found = diagnose(target.pid)
        deadlock = found.finding("deadlock")
        assert (deadlock.severity, deadlock.certainty) == (Severity.ERROR, Certainty.PROVEN)
        assert {thread.name for thread in deadlock.threads} >= {"forth", "back"}
        assert check(target.pid).returncode == 1


@pytest.mark.parametrize("kind", KINDS)
def test_who_holds_the_gil_and_who_waits_for_it(kind: str) -> None:
    def states() -> dict[str, GilState | None]:
        return {thread.name: thread.gil for thread in diagnose(target.pid).capture.threads()}

    with hung(kind, "gil") as target:
        until(lambda: states()["waits"] is GilState.WAITS)  # it is awake for a moment every 5 ms
        found = diagnose(target.pid)
        assert found.thread("holds").gil is GilState.HOLDS
        assert not {"working", "idle", "alive"} & {finding.id for finding in found.findings}


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("arm64", "it runs code for aarch64 in qemu-aarch64"), ("musl", "its C library is musl")],
)
def test_what_is_not_read_is_no_all_clear(kind: str, reason: str) -> None:
    with hung(kind, "healthy") as target:
        done = check(target.pid)
        assert done.returncode == 2
        assert reason in done.stderr


def decoded(target: Hung, name: str) -> FutexWait:
    """What the thread called *name* waits for, as it is read from memory."""
    tid, tids = target.tid(name), tids_inside(target.pid)
    with ProcessMemory(target.pid) as memory:
        where = Watch(target.pid).asleep()[tid]
        assert where.futex is not None
        if memory.arch is AARCH64:  # its frames are the emulator's
            frames = [NamedFrame(RawFrame(0, None, True), frozenset({CALLS[name]}))]
            wait = FutexDecoder(memory, tids).decode(where.futex, frames)
        else:
            wait = MuslDecoder(memory, tids).decode(where.futex, [])
        assert wait is not None
        return wait


def asleep(target: Hung) -> bool:
    """Whether all of its threads sleep in futex(2) where they should."""
    waiting = [where for where in Watch(target.pid).asleep().values() if where.futex]
    return len(waiting) >= len(CALLS) + 1


def test_locks_of_glibc_on_aarch64() -> None:
    with hung("arm64", "locks") as target:
        until(lambda: asleep(target))
        for name in ("normal", "recursive", "checking", "rwlock"):
            wait = decoded(target, name)
            assert (wait.owner_tid, wait.owner_is_thread) == (target.facts["main"], True), name
            assert wait.address == target.facts[name]
        join = decoded(target, "join")
        assert (join.joins, join.address) == (True, target.facts["endless"])


def test_locks_of_musl() -> None:
    with hung("musl", "locks") as target:
        until(lambda: asleep(target))
        for name in ("recursive", "checking"):
            wait = decoded(target, name)
            assert (wait.owner_tid, wait.address) == (target.facts["main"], target.facts[name])
        normal = decoded(target, "normal")
        assert (normal.kind, normal.owner_tid, normal.address) == (
            *(NodeKind.MUTEX, None),
            target.facts["normal"],
        )
        assert normal.note == "musl records no owner of a normal mutex"
        rwlock = decoded(target, "rwlock")
        assert (rwlock.certainty, rwlock.owner_tid) == (Certainty.UNKNOWN, None)
        join = decoded(target, "join")
        assert (join.joins, join.address) == (True, target.facts["endless"])


def test_the_machine_is_the_guests() -> None:
    with hung("arm64", "healthy") as target, ProcessMemory(target.pid) as memory:
        assert (memory.arch, memory.emulator) == (AARCH64, "qemu-aarch64")
        header = memory.read(memory.mappings[0].start, 20)
        assert struct.unpack_from("<H", header, 18) == (183,)
