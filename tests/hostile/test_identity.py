"""PIDs that mean another process, or another program, than a moment before."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hangtui.analysis.progress import of_the_same, with_progress
from hangtui.backends.capture.collector import collect
from hangtui.backends.gdb import safety
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.process import processes as procfs
from hangtui.findings import run
from hangtui.model import Capture, Surroundings, TargetError
from hangtui.provider import CaptureRequest
from tests.hostile.attacks import NOBODY, SYSTEM_PYTHON, needs_root, needs_system_python
from tests.integration.targets import running
from tests.notices import CROWDED
from tests.procfs import state_of
from tests.unit.factories import capture, thread

PYTHON = Path(sys.executable)
_LAST_PID = Path("/proc/sys/kernel/ns_last_pid")
EXECS = (
    "import os, signal, threading\n"
    "signal.signal(signal.SIGUSR1, lambda *_: os.execv('/bin/sleep', ['sleep', '60']))\n"
    "print('ready', flush=True)\n"
    "lock = threading.Lock()\n"
    "with lock:\n"
    "    lock.acquire()\n"
)


def with_the_pid(pid: int) -> int:
    """A new process that has a PID whose owner has ended; it stops itself, and is our child."""
    for _ in range(200):
        try:
            _LAST_PID.write_text(str(pid - 1))
        except OSError as error:
            pytest.skip(f"needs to choose PIDs: {error.strerror}")
        child = os.fork()
        if not child:
            os.kill(os.getpid(), signal.SIGSTOP)
            time.sleep(60)
            os._exit(0)
        if child == pid:
            os.waitpid(child, os.WUNTRACED)
            return child
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    raise AssertionError(f"PID {pid} was never given")


@contextlib.contextmanager
def ended(*arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of ours that is killed at the end, whatever it is by then."""
    process = subprocess.Popen(
        arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_process_that_becomes_another_program_is_not_mixed_with_it() -> None:
    """Between the reading of its memory and the last look at its threads."""
    with ended(sys.executable, "-c", EXECS) as process:
        assert process.stdout is not None
        process.stdout.readline()
        captures = collect(CaptureRequest((process.pid,)))
        first = next(captures)
        assert first.process(process.pid) is not None
        read = next(captures)
        assert any(wait.waiter.startswith(f"thread:{process.pid}:") for wait in read.waits)
        process.send_signal(signal.SIGUSR1)
        while procfs.read_process(process.pid).exe != os.path.realpath("/bin/sleep"):
            time.sleep(0.001)
        *_, last = captures
    (found,) = last.processes
    assert found.threads == ()
    assert found.python is None
    assert not last.waits
    assert not last.holds
    assert not run(last)
    (notice,) = last.notices
    assert notice.message == f"process {process.pid} became another program while it was read"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to choose PIDs")
def test_a_pid_that_is_given_again_is_another_process() -> None:
    """What was read of the one is not said of the other, nor is the other one touched."""
    with ended(sys.executable, "-c", EXECS) as process:
        assert process.stdout is not None
        process.stdout.readline()
        captures = collect(CaptureRequest((process.pid,)))
        next(captures)
        next(captures)
        process.kill()
        process.wait()
        other = with_the_pid(process.pid)
        try:
            *_, last = captures
        finally:
            os.kill(other, signal.SIGKILL)
            os.waitpid(other, 0)
    assert last.processes[0].threads == ()
    assert not last.waits
    assert not run(last)
    (notice,) = (one.message for one in last.notices if not one.message.startswith(CROWDED))
    assert notice == f"process {process.pid} ended while it was read"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to choose PIDs")
def test_who_has_the_pid_later_gets_no_signal() -> None:
    """The guard of gdb continues the process that gdb held, and no other."""
    with ended("sleep", "60") as process:
        its = os.pidfd_open(process.pid)
        process.kill()
        process.wait()
    other = with_the_pid(process.pid)
    try:
        safety.let_run(process.pid, 0.2, its)
        assert state_of(other) == "T", "it stopped itself, and nobody else may continue it"
        safety.let_run(other, 0.2)
        assert state_of(other) != "T", "of itself it is continued: the test can tell"
    finally:
        os.close(its)
        os.kill(other, signal.SIGKILL)
        os.waitpid(other, 0)


def test_memory_knows_that_its_program_is_gone() -> None:
    """After an exec as after the end; not before."""
    with ended(sys.executable, "-c", EXECS) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with ProcessMemory(process.pid) as memory:
            before = memory.is_gone
            process.send_signal(signal.SIGUSR1)
            while procfs.read_process(process.pid).exe != os.path.realpath("/bin/sleep"):
                time.sleep(0.001)
            assert (before, memory.is_gone) == (False, True)
    with running("abba", PYTHON) as target, ProcessMemory(target.pid) as memory:
        assert not memory.is_gone


def look(second: int, age_s: float) -> Capture:
    one = capture(thread("MainThread", 100, 100))
    around = Surroundings(age_s=age_s)
    processes = tuple(replace(process, around=around) for process in one.processes)
    return replace(one, taken_at=f"2026-01-01T00:10:{second:02}+00:00", processes=processes)


def test_looks_at_another_process_are_not_compared() -> None:
    """It has the PID and the thread, but was started since the first look."""
    same = [look(0, 300.0), look(30, 330.1)]
    assert [one.processes for one in of_the_same(same)] == [one.processes for one in same]
    assert with_progress(same).progress
    other = [look(0, 300.0), look(30, 1.0)]
    assert not with_progress(other).progress


_TO_ROOTS = (
    "import os, signal, sys\n"
    "signal.signal(signal.SIGUSR1, lambda *_: os.execv(sys.argv[1], ['sleep', '60']))\n"
    "print('ready', flush=True)\n"
    "while True: signal.pause()\n"
)


def _seen_by_nobody(program: Path) -> str:
    """What a user who owns nothing can read of a process that becomes root's meanwhile."""
    with ended(str(SYSTEM_PYTHON), "-c", _TO_ROOTS, str(program)) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with ProcessMemory(process.pid) as memory:
            first = next(m for m in memory.mappings if m.path and "r" in m.permissions)
            memory.fresh(first.start, 64)
            process.send_signal(signal.SIGUSR1)
            effective = ""
            while effective != "0":
                status = Path(f"/proc/{process.pid}/status").read_text()
                effective = status.partition("Uid:")[2].split()[1]
            try:
                memory.fresh(first.start, 64)
            except MemoryReadError:
                seen = f"gone: {memory.is_gone}"
            else:
                return "the memory of root's process"
        try:
            ProcessMemory(process.pid)
        except TargetError as error:
            return f"{seen}; {error.message.replace(str(process.pid), 'N')}"
        return "a second opening"


@needs_root
@needs_system_python
def test_a_process_that_becomes_roots_meanwhile_is_read_no_further(shared: Path) -> None:
    program = shared / "sleep"
    program.write_bytes(Path("/bin/sleep").read_bytes())
    program.chmod(0o4755)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            os.write(writing, _seen_by_nobody(program).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading) as seen:  # noqa: PTH123
        assert seen.read() == "gone: True; the memory of process N may not be read"
    os.waitpid(child, 0)
