"""The same hangs on this machine, in an aarch64 CPython under qemu-user, and on musl: what is
proven of each, and what is said not to be read.

Under qemu-user the guest's memory lies at its own addresses and its futexes are the host's, so that
the layouts of CPython's and glibc's locks on aarch64 are tested here within seconds; its stacks and
registers are the emulator's. On an aarch64 machine, or in a virtual one, what runs as "here" tests
those too. musl CPythons are tested where there are any: script/build-musl makes them.
"""

import contextlib
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hangtui import capture_file
from hangtui.backends.arch import AARCH64, of_kernel
from hangtui.backends.libc.futex import FutexDecoder, FutexWait
from hangtui.backends.libc.musl import MuslDecoder
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.process.thread_watch import Watch
from hangtui.backends.procfs.files import tids_inside
from hangtui.backends.unwind.native_stacks import NamedFrame
from hangtui.backends.unwind.unwinder import RawFrame
from hangtui.model import Certainty, GilState, NodeKind, Severity
from hangtui.provider import NativeMode
from tests.integration import platforms
from tests.integration.capturing import Diagnosis, diagnose, dumped
from tests.integration.watching import captures, watching
from tests.terminal import opened
from tests.waiting import until

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "tests" / "targets" / "other_machines.py"
ARM64 = ROOT / ".pythons" / "arm64"
MUSL = ROOT / ".pythons" / "musl"
CALLS = {
    "normal": "pthread_mutex_lock",
    "recursive": "pthread_mutex_lock",
    "checking": "pthread_mutex_lock",
    "rwlock": "pthread_rwlock_rdlock",
    "join": "pthread_join",
}
PLATFORMS = {
    "here": f"{of_kernel().name}, glibc",
    "arm64": "aarch64 under qemu-user, glibc",
    "musl": f"{of_kernel().name}, musl",
    "arm64-musl": "aarch64 under qemu-user, musl",
}
KINDS = [*PLATFORMS]
PARKED = "arm64-musl"
"""From 3.13 on, who waits for a lock of Python is parked in an entry on its own stack, which under
qemu-user is not known from outside."""


def command(kind: str) -> tuple[str, ...]:
    """What starts a Python of that kind."""
    if kind == "here":
        return (sys.executable,)
    if kind == "musl":
        return (built(MUSL / "3.13" / "bin" / "python3.13", "build-musl"),)
    emulator = shutil.which("qemu-aarch64")
    if emulator is None:
        pytest.skip("no qemu-aarch64 (script/packages foreign)")
    if kind == "arm64":
        root, python = ARM64, built(ARM64 / "usr" / "bin" / "python3.11", "fetch-arm64")
    else:
        python = built(MUSL / "3.13-aarch64" / "bin" / "python3.13", "build-musl aarch64")
        root = MUSL / "aarch64"
    return emulator, "-L", str(root), python


def built(python: Path, script: str) -> str:
    """That interpreter, if it is there."""
    if not python.exists():
        pytest.skip(f"no {python.relative_to(ROOT)} (script/{script})")
    return str(python)


@dataclass
class Hung:
    """A target that hangs as it should."""

    kind: str
    pid: int
    facts: dict[str, int]
    """What it said of itself."""

    def look(self, native: NativeMode = NativeMode.AUTO) -> Diagnosis:
        """What is wrong with it."""
        return diagnose(self.pid, native)

    def tid(self, name: str) -> int:
        """Of the thread that runs *name*."""
        return self.look().thread(name).tid

    def record(self, fact: str, known: Certainty | str) -> None:
        """Tell how a fact was known of it."""
        platforms.record(PLATFORMS[self.kind], self.look().capture, fact, known)


@contextlib.contextmanager
def hung(kind: str, *scenario: str) -> Iterator[Hung]:
    words = [*command(kind), str(PROGRAM), *scenario]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            word, _, facts = process.stdout.readline().partition(" ")
            assert word == "ready"
            yield Hung(kind, process.pid, json.loads(facts))
        finally:
            process.send_signal(signal.SIGKILL)


def check(pid: int) -> "subprocess.CompletedProcess[str]":
    words = [sys.executable, "-m", "hangtui", "check", str(pid), "--looks", "2"]
    return subprocess.run([*words, "--seconds", "0.3"], capture_output=True, text=True)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != PARKED])
def test_a_ring_of_python_locks_is_proven(kind: str) -> None:
    with hung(kind, "ring") as target:
        until(lambda: any(f.id == "deadlock" for f in target.look().findings))
        deadlock = target.look().finding("deadlock")
        assert (deadlock.severity, deadlock.certainty) == (Severity.ERROR, Certainty.PROVEN)
        assert {thread.name for thread in deadlock.threads} >= {"forth", "back"}
        assert check(target.pid).returncode == 1
        target.record("Python stacks", Certainty.CERTAIN)
        target.record("who holds a lock of Python", Certainty.PROVEN)


@pytest.mark.parametrize("kind", KINDS)
def test_who_holds_the_gil_and_who_waits_for_it(kind: str) -> None:
    with hung(kind, "gil") as target:
        # It is awake for a moment every 5 ms.
        until(lambda: target.look().thread("waits").gil is GilState.WAITS)
        found = target.look()
        assert found.thread("holds").gil is GilState.HOLDS
        assert not {"working", "idle", "alive"} & {finding.id for finding in found.findings}
        target.record("who holds the GIL", Certainty.CERTAIN)
        target.record("who waits for the GIL", Certainty.CERTAIN)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("arm64", "it runs code for aarch64 in qemu-aarch64"),
        ("arm64-musl", "it runs code for aarch64 in qemu-aarch64"),
        ("musl", "its C library is musl"),
    ],
)
def test_what_is_not_read_is_no_all_clear(kind: str, reason: str) -> None:
    with hung(kind, "healthy") as target:
        done = check(target.pid)
        assert done.returncode == 2
        assert reason in done.stderr


# -- locks of C code ------------------------------------------------------------------------------


def asleep(target: Hung) -> bool:
    """Whether all of its threads sleep in futex(2) where they should."""
    waiting = [where for where in Watch(target.pid).asleep().values() if where.futex]
    return len(waiting) >= len(CALLS) + 1


def decoded(target: Hung, name: str) -> FutexWait:
    """What the thread called *name* waits for, as it is read from memory alone."""
    tid, tids = target.tid(name), tids_inside(target.pid)
    with ProcessMemory(target.pid) as memory:
        where = Watch(target.pid).asleep()[tid]
        assert where.futex is not None
        if "musl" in target.kind:
            wait = MuslDecoder(memory, tids).decode(where.futex, [])
        else:  # what emulated code called is not in the emulator's frames
            frames = [NamedFrame(RawFrame(0, None, True), frozenset({CALLS[name]}))]
            wait = FutexDecoder(memory, tids).decode(where.futex, frames)
        assert wait is not None
        return wait


@pytest.mark.parametrize("kind", ["here", "arm64"])
def test_how_glibc_lays_out_its_locks(kind: str) -> None:
    with hung(kind, "locks") as target:
        until(lambda: asleep(target))
        for name in ("normal", "recursive", "checking", "rwlock"):
            wait = decoded(target, name)
            assert (wait.owner_tid, wait.owner_is_thread) == (target.facts["main"], True), name
            assert wait.address == target.facts[name]
        join = decoded(target, "join")
        assert (join.joins, join.address) == (True, target.facts["endless"])


READER = """\
#include <pthread.h>
int take_to_read(pthread_rwlock_t *lock) { return pthread_rwlock_rdlock(lock) + 1; }
"""


def in_c(folder: Path) -> str:
    """A library that calls what ctypes would call through a pointer: where return addresses are in
    a register, who called a function without a frame is told by the calls to it."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc (script/packages tools)")
    (folder / "reader.c").write_text(READER)
    built = folder / "reader.so"
    words = ["gcc", "-O2", "-shared", "-fPIC", "-o", str(built), str(folder / "reader.c")]
    subprocess.run([*words, "-lpthread"], check=True)
    return str(built)


def test_who_holds_locks_of_c_code_is_told(tmp_path: Path) -> None:
    """By what is read without help: the functions that wait are found on the stacks."""
    with hung("here", "locks", in_c(tmp_path)) as target:
        until(lambda: asleep(target))
        found = target.look()
        main = f"thread:{target.pid}:{target.facts['main']}"
        for name, kind in (("normal", "mutex"), ("checking", "mutex"), ("rwlock", "rwlock")):
            (wait,) = (w for w in found.capture.waits if w.waiter == found.thread(name).id)
            holders = [hold.holder for hold in found.capture.holds if hold.resource == wait.target]
            assert (holders, kind in wait.target) == ([main], True), name
        (join,) = (w for w in found.capture.waits if w.waiter == found.thread("join").id)
        assert join.target.startswith(f"thread:{target.pid}:")
        target.record("who holds a mutex or rwlock of C code", Certainty.CERTAIN)
        target.record("which thread is joined", Certainty.CERTAIN)


@pytest.mark.parametrize("kind", ["musl", "arm64-musl"])
def test_locks_of_musl(kind: str) -> None:
    with hung(kind, "locks") as target:
        until(lambda: asleep(target))
        for name in ("recursive", "checking"):
            wait = decoded(target, name)
            assert (wait.owner_tid, wait.address) == (target.facts["main"], target.facts[name])
        normal = decoded(target, "normal")
        assert (normal.kind, normal.owner_tid) == (NodeKind.MUTEX, None)
        assert normal.address == target.facts["normal"]
        assert normal.note == "musl records no owner of a normal mutex"
        rwlock = decoded(target, "rwlock")
        assert (rwlock.certainty, rwlock.owner_tid) == (Certainty.UNKNOWN, None)
        join = decoded(target, "join")
        assert (join.joins, join.address) == (True, target.facts["endless"])
        target.record("which thread is joined", Certainty.CERTAIN)
        target.record("who holds a mutex or rwlock of C code", "certain if it is recorded")


# -- stacks ---------------------------------------------------------------------------------------


def functions(found: Diagnosis, name: str) -> list[str | None]:
    return [frame.function for frame in found.thread(name).native_stack or ()]


def test_native_stacks_of_sleeping_threads_reach_their_beginning(tmp_path: Path) -> None:
    with hung("here", "locks", in_c(tmp_path)) as target:
        until(lambda: asleep(target))
        found = target.look()
        for name, call in (("normal", "pthread_mutex_lock"), ("rwlock", "rwlock_rdlock")):
            assert any(call in (one or "") for one in functions(found, name)), name
            assert found.thread(name).native_complete, name
        target.record("native stacks of sleeping threads", Certainty.PROVEN)


@pytest.mark.parametrize("mode", [NativeMode.AUTO, NativeMode.STOP])
def test_native_stacks_of_threads_that_run(mode: NativeMode) -> None:
    with hung("here", "spin") as target:
        found = target.look(mode)
        thread = found.thread("spins")
        missing = [notice.message for notice in found.capture.notices if notice.source == "perf"]
        if missing and mode is NativeMode.AUTO:
            pytest.skip(missing[0])
        assert thread.native_stack, found.capture.notices
        assert thread.native_complete
        target.record(f"native stacks of running threads ({mode.value})", Certainty.PROVEN)


def test_native_stacks_by_gdb_from_a_copy() -> None:
    if shutil.which("gdb") is None:
        pytest.skip("no gdb (script/packages tools)")
    with hung("here", "locks") as target:
        until(lambda: asleep(target))
        found = target.look(NativeMode.GDB)
        assert any("pthread_mutex_lock" in (one or "") for one in functions(found, "normal"))
        state = Path(f"/proc/{target.pid}/status").read_text()
        assert "TracerPid:\t0" in state
        target.record("native stacks by gdb, from a copy", Certainty.PROVEN)


def test_the_machine_is_the_guests() -> None:
    with hung("arm64", "healthy") as target, ProcessMemory(target.pid) as memory:
        assert (memory.arch, memory.emulator) == (AARCH64, "qemu-aarch64")
        for fact in (
            "native stacks of sleeping threads",
            "native stacks of running threads (stop)",
            "who holds a mutex or rwlock of C code",
        ):
            target.record(fact, "not read")


# -- crashes and cores ----------------------------------------------------------------------------


def test_a_core_file_is_read_as_the_process_was(tmp_path: Path) -> None:
    if shutil.which("gcore") is None:
        pytest.skip("no gcore (script/packages tools)")
    with hung("here", "ring") as target:
        until(lambda: any(f.id == "deadlock" for f in target.look().findings))
        made = ["gcore", "-o", str(tmp_path / "core"), str(target.pid)]
        subprocess.run(made, check=True, capture_output=True)
        words = [sys.executable, "-m", "hangtui", "dump", "--json"]
        done = subprocess.run(
            [*words, str(tmp_path / f"core.{target.pid}")], capture_output=True, text=True
        )
        told = json.loads(done.stdout)
        assert "deadlock" in {finding["id"] for finding in told["findings"]}, done.stderr
        target.record("all of these in a core file", Certainty.PROVEN)


def test_a_crash_is_told_with_its_address(tmp_path: Path) -> None:
    capture = tmp_path / "crash.hang"
    words = [sys.executable, "-m", "hangtui", "run", "-o", str(capture), "--"]
    subprocess.run([*words, *command("here"), str(PROGRAM), "crash"], capture_output=True)
    made = [sys.executable, "-m", "hangtui", "dump", "--json", str(capture)]
    told = json.loads(subprocess.run(made, capture_output=True, text=True).stdout)
    crash = told["crash"]
    assert (crash["signal_name"], crash["address"]) == ("SIGSEGV", 0x18)
    names = {register["name"] for register in crash["registers"]}
    assert of_kernel().registers.program_counter in names
    assert crash["instruction"], "the instruction was not decoded"
    platforms.record(
        PLATFORMS["here"], capture_file.load(capture), "`hangtui run` and crashes", "works"
    )


# -- what is typed --------------------------------------------------------------------------------


def test_the_screens_show_a_deadlock() -> None:
    with hung("here", "ring") as target:
        until(lambda: any(f.id == "deadlock" for f in target.look().findings))
        words = [sys.executable, "-m", "hangtui", str(target.pid)]
        with opened(*words, size=(24, 80)) as screen:
            screen.until("Deadlock", "forth", "back")
            screen.type("q")
            assert screen.end() == 0
        target.record("the screens", "works")


def test_watch_records_a_deadlock(tmp_path: Path) -> None:
    with hung("here", "ring") as target:
        with watching(target.pid, tmp_path, "--hang-after", "1s"):
            (path,) = captures(tmp_path, "hang")
        assert dumped(path)["findings"][0]["id"] == "deadlock"
        target.record("`hangtui watch`", "works")
