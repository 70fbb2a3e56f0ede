"""Processes whose memory makes whoever reads it wait for an answer that never comes."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.presence import trapped
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.procfs import files
from hangtui.backends.supervision import flat
from hangtui.backends.supervision.supervisor import Reader
from hangtui.model import Capture
from hangtui.provider import CaptureRequest
from tests.integration.targets import Target, running

PYTHON = Path(sys.executable)
_SYSTEM = Path("/usr/bin/python3")
NOBODY = 65534
NOT_READ = "memory that a userfaultfd or a FUSE file system would have to deliver is not read"
QUICK_S = 8.0
"""Far below the 10 s that py-spy waits for an answer; an ordinary capture takes less than 1 s."""

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
needs_fuse = pytest.mark.skipif(
    os.geteuid() != 0 or not Path("/dev/fuse").exists(), reason="needs root and /dev/fuse"
)


@contextlib.contextmanager
def hostile(program: str, where: str, user: int | None = None, more: str = "") -> Iterator[Target]:
    arguments = (where, more) if more else (where,)
    python = PYTHON if user is None else _SYSTEM
    if not python.exists():
        pytest.skip(f"needs {python}, which others may run")
    with running(program, python, asleep=False, user=user, arguments=arguments) as target:
        yield target


def dump(pid: int) -> tuple[str, float]:
    """What `hangtui dump` says, and how long it took."""
    started = time.monotonic()
    command = [sys.executable, "-P", "-m", "hangtui", "dump", str(pid)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split()), time.monotonic() - started


@needs_root
@pytest.mark.parametrize(
    ("where", "user", "more"),
    [
        ("threads", None, ""),
        ("lock", None, ""),
        ("threads", NOBODY, "--own-faults"),
    ],
)
def test_a_page_of_a_userfaultfd_is_not_touched(where: str, user: int | None, more: str) -> None:
    """It costs what is on it, and says so."""
    with hostile("trapped", where, user, more) as target:
        report, took_s = dump(target.pid)
    assert NOT_READ in report
    assert "libc.so" in report, "the native stack does not need that page"
    assert took_s < QUICK_S


@needs_root
def test_a_command_line_that_is_not_there_is_not_waited_for() -> None:
    """The name of the program stands for it."""
    with hostile("trapped", "command") as target:
        assert files.raw_cmdline(files.PROC / str(target.pid)) == []
        report, took_s = dump(target.pid)
    assert "its command line is in memory that is not there" in report
    assert "move_command_line" not in report
    assert "MainThread" in report
    assert took_s < QUICK_S


@needs_fuse
def test_a_file_system_that_never_answers_is_not_asked() -> None:
    """Neither by a read of a page of a mapped file, nor by opening it as a library."""
    with hostile("mute_files", "threads") as target:
        report, took_s = dump(target.pid)
        assert NOT_READ in report
        assert took_s < QUICK_S
        with ProcessMemory(target.pid) as memory:
            (mapping,) = [m for m in memory.mappings if m.path.endswith("libmute.so")]
            with pytest.raises(MemoryReadError):
                memory.fresh(mapping.start, 4096)
            with pytest.raises(OSError, match="may not answer"):
                memory.open_mapped(mapping)


@needs_fuse
def test_a_mapped_library_that_never_answers_costs_its_names_alone() -> None:
    """Its file is not opened; stacks and Python frames are there."""
    with hostile("mute_files", "library") as target:
        report, took_s = dump(target.pid)
    assert "mute_files.py" in report
    assert "main" in report
    assert took_s < QUICK_S


def test_memory_of_an_ordinary_process_is_read_as_before() -> None:
    """Also pages that were never touched, of which there is nothing but zeros."""
    with running("abba", PYTHON) as target, ProcessMemory(target.pid) as memory:
        for mapping in memory.mappings:
            if mapping.permissions.startswith("r") and mapping.path != "[vvar]":
                with contextlib.suppress(MemoryReadError):
                    memory.fresh(mapping.start, min(mapping.end - mapping.start, 1 << 20))
        assert not memory.held_back


def test_flags_of_mappings_are_found_in_smaps() -> None:
    """By the letters of the kernel; other mappings are left alone."""
    smaps = (
        b"1000-2000 rw-p 00000000 00:00 0 \nRss: 0 kB\nVmFlags: rd wr mr um \n"
        b"3000-4000 rw-p 00000000 00:00 0 [heap]\nRss: 0 kB\nVmFlags: rd wr mr sd\n"
    )
    assert trapped(smaps) == [0x1000]


# -- the watch over whoever reads --------------------------------------------------------------


def take(reader: Reader, *pids: int) -> Capture:
    (last,) = reader.take(CaptureRequest(pids))
    return flat.decode(last)


def blocking(monkeypatch: pytest.MonkeyPatch, victim: int, how: str) -> None:
    """Make the reading of one process never come back, as a race with its pages would."""
    original = ProcessMemory.fresh

    def fresh(self: ProcessMemory, address: int, size: int) -> bytes:
        if self.pid == victim:
            if how == "waits":
                ctypes.CDLL(None).pause()  # like the kernel, it heeds no handler of Python's
                while True:
                    time.sleep(60)
            if how == "computes":
                while True:
                    pass
            if how == "dies":
                os.kill(os.getpid(), signal.SIGSEGV)
            if how == "grows":
                bytearray(6 << 30)
        return original(self, address, size)

    monkeypatch.setattr(ProcessMemory, "fresh", fresh)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("waits", "it could not be read within 2 s"),
        ("computes", "takes more than"),
        ("dies", "the process that reads it ended (by SIGSEGV)"),
        ("grows", "it takes more than 4 GiB"),
    ],
)
def test_who_holds_up_the_reading_costs_itself_alone(
    how: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one is read as usual; the notice says which bound was reached."""
    with running("abba", PYTHON) as good, running("self_deadlock", PYTHON) as bad:
        blocking(monkeypatch, bad.pid, how)
        with Reader() as reader:
            capture = take(reader, good.pid, bad.pid)
    (notice,) = [n for n in capture.notices if n.pid == bad.pid]
    assert said in notice.message
    assert {p.pid for p in capture.processes} == {good.pid, bad.pid}
    threads = {thread.pid for thread in capture.threads() if thread.python_stack}
    assert threads == {good.pid}
    assert any(wait.waiter.startswith(f"thread:{good.pid}:") for wait in capture.waits)
    assert not any(wait.waiter.startswith(f"thread:{bad.pid}:") for wait in capture.waits)


def test_nothing_is_left_behind_when_who_watches_is_killed() -> None:
    """The reader ends with it, also in the middle of a read that never comes back."""
    program = (
        "import os, sys, time\n"
        "from hangtui.backends.memory.process_memory import ProcessMemory\n"
        "from hangtui.backends.supervision.supervisor import Reader\n"
        "from hangtui.provider import CaptureRequest\n"
        "def fresh(*_):\n"
        "    os.write(1, b'%d\\n' % os.getpid())\n"
        "    while True: time.sleep(60)\n"
        "ProcessMemory.fresh = fresh\n"
        "import hangtui.backends.supervision.reader as reader\n"
        "reader._let_go_of_all_but = lambda *_: None\n"
        "list(Reader().take(CaptureRequest((int(sys.argv[1]),))))\n"
    )
    with (
        running("abba", PYTHON) as target,
        subprocess.Popen(
            [sys.executable, "-P", "-c", program, str(target.pid)], stdout=subprocess.PIPE
        ) as watcher,
    ):
        assert watcher.stdout is not None
        reader = int(watcher.stdout.readline())
        assert reader != watcher.pid
        watcher.kill()
        watcher.wait()
        assert not watcher.stdout.read(), "its end of the pipe is closed: it has ended"
