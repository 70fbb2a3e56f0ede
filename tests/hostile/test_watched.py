"""What a watched process, or one that is stopped for a moment, does to keep us busy."""

import mmap
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hangtui.backends.doctor import examination
from hangtui.backends.gpu import nvml, nvml_query
from hangtui.backends.ipc.sharers import sharers
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.monitor import memory_watch
from hangtui.backends.monitor.memory_watch import MemoryWatch
from hangtui.backends.monitor.session import waiting_for_children
from hangtui.backends.monitor.tracer import Tracer
from hangtui.backends.procfs import files
from hangtui.backends.ptrace.freezer.client import freeze
from hangtui.model import TargetError
from tests.hostile.attacks import NOBODY, needs_root, needs_system_python
from tests.hostile.misbehaving import MAPS_A_FILE, attacker
from tests.integration.native_programs import started
from tests.waiting import until

_SIGNALS_ITSELF = """
import os, signal
signal.signal(signal.SIGUSR1, lambda *_: None)
print("ready", flush=True)
while True:
    os.kill(os.getpid(), signal.SIGUSR1)
"""
_SLEEPS = "import os; print('ready', flush=True); os.read(0, 1)"
_STACKS = """
#include <alloca.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
/* Each thread sleeps at the lower end of 200 MB of stack. */
static void *deep(void *unused) {
    volatile char *low = alloca(200 << 20);
    low[0] = 1;
    pause();
    return (void *)low;
}
int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 20);
    for (int i = 0; i < 60; i++) pthread_create(&thread, &attributes, deep, 0);
    puts("ready");
    fflush(stdout);
    pause();
}
"""


def test_one_that_signals_itself_without_end_does_not_starve_us() -> None:
    seen: list[int] = []
    with attacker(_SIGNALS_ITSELF) as target, waiting_for_children(signal.SIGUSR2):
        tracer = Tracer(lambda _: None, {signal.SIGUSR2: lambda told: seen.append(told.si_signo)})
        tracer.seize(target.pid)
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR2)
        tracer.run_once(0.5)
        until(lambda: _after(tracer) and seen)
        os.kill(target.pid, signal.SIGKILL)
        until(lambda: _after(tracer) and target.pid in tracer.ended)
    assert seen == [signal.SIGUSR2]


def _after(tracer: Tracer) -> bool:
    tracer.run_once(0.1)
    return True


def test_thousands_of_processes_are_looked_at_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    monkeypatch.setattr(memory_watch, "_resident", looked.append)
    watch = MemoryWatch()
    everybody = set(range(1, 1001))
    for _ in range(4):
        watch.look(everybody)
    assert sorted(looked) == sorted(everybody)
    watch.look(everybody)
    assert len(looked) == 1000 + 256


def test_what_has_ended_is_forgotten() -> None:
    watch = MemoryWatch()
    watch.look({os.getpid()})
    assert watch._watched
    watch.forget(os.getpid())
    assert not watch._watched


@needs_root
@needs_system_python
def test_a_stranger_that_calls_itself_our_helper_does_not_blind_us() -> None:
    # A parent sleeps like that (D) while its child of vfork has not started its program.
    program = f"""
import ctypes, os, time
libc = ctypes.CDLL(None)
libc.prctl(15, b"{nvml_query.NAME}")
print("ready", flush=True)
libc.vfork() or time.sleep(600)
"""
    with attacker(program, user=NOBODY) as target:
        stat = Path(f"/proc/{target.pid}/stat")
        until(lambda: f"({nvml_query.NAME}) D " in stat.read_text())
        assert nvml._stuck() is None
    with attacker(program) as target:
        stat = Path(f"/proc/{target.pid}/stat")
        until(lambda: f"({nvml_query.NAME}) D " in stat.read_text())
        assert nvml._stuck() == target.pid


def test_stacks_without_end_are_not_all_copied(tmp_path: Path) -> None:
    source, program = tmp_path / "stacks.c", tmp_path / "stacks"
    source.write_text(_STACKS)
    subprocess.run(["gcc", "-pthread", "-o", program, source], check=True)
    with started([program]) as target, ProcessMemory(target.pid) as memory:
        copied = freeze(memory, stack_bytes=100 << 20)  # of 60 threads: 6 GB
    assert len(copied.stopped) == 61
    assert 100 << 20 < sum(len(piece) for _, piece in copied.pieces) <= 260 << 20


def test_doctor_in_front_of_processes_that_end(monkeypatch: pytest.MonkeyPatch) -> None:
    pid = os.getpid()

    def gone(_: Path) -> dict[str, str]:
        raise ProcessLookupError(3, "No such process")

    monkeypatch.setattr(examination, "status_of", gone)
    checkup = examination.examine(pid)
    assert any("no Python process can be seen to try it on" in one.reason for one in checkup.checks)


def test_doctor_and_a_command_line_of_control_characters_and_secrets() -> None:
    words = [sys.executable, "-c", _SLEEPS, "--password=opensesame", "\x1b]52;c;x\x07"]
    with subprocess.Popen(
        [*words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as target:
        assert target.stdout is not None
        target.stdout.readline()
        title = examination.examine(target.pid).title or ""
        target.kill()
    assert "\x1b" not in title
    assert "opensesame" not in title


def test_a_file_whose_name_looks_like_other_memory_makes_nobody_a_sharer(tmp_path: Path) -> None:
    with mmap.mmap(-1, 4096) as shared:
        line = next(
            line
            for line in Path("/proc/self/maps").read_text().splitlines()
            if "/dev/zero (deleted)" in line
        )
        device, inode = line.split()[3:5]
        path = tmp_path / f"x {device} {inode} "
        path.write_bytes(b"x" * 4096)
        with attacker(MAPS_A_FILE, path) as target:
            assert f" {device} {inode} " in Path(f"/proc/{target.pid}/maps").read_text()
            found = sharers([f"{device}:{inode}:0x0"])
        assert shared[0] == 0
    (pids,) = found.values()
    assert os.getpid() in pids
    assert target.pid not in pids


def test_a_process_that_is_gone_cannot_be_stopped() -> None:
    with (
        subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as done,
        ProcessMemory(done.pid) as memory,
    ):
        done.communicate()
        with pytest.raises(TargetError, match="is gone"):
            freeze(memory)


def test_threads_that_are_started_as_fast_as_possible() -> None:
    program = """
import threading
print("ready", flush=True)
def more():
    try:
        threading.Thread(target=more, daemon=True).start()
    except RuntimeError:
        pass
for _ in range(50): more()
while True:
    more()
"""
    with attacker(program) as target, ProcessMemory(target.pid) as memory:
        copied = freeze(memory, everyone=False, wait_s=0.1)
        assert copied.stopped_ms < 5000
        # Whoever was stopped runs on.
        root = files.PROC / str(target.pid)
        until(lambda: files.status_of(root)["TracerPid"] == "0")
        before = files.status_of(root)
        until(lambda: files.status_of(root) != before)
