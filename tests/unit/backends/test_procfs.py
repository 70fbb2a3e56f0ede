import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from hangtui.backends.process import processes
from hangtui.backends.process.processes import ThreadCounter
from hangtui.backends.procfs import files
from hangtui.backends.tools import programs, sweep
from hangtui.model import Syscall, TargetError, Thread
from tests.waiting import until

READ_STDIN = "import os; os.write(1, b'ready\\n'); os.read(0, 1)"
TWO_THREADS = """
import os, threading
started = threading.Event()
def wait():
    started.set()
    os.read(reader, 1)
reader, writer = os.pipe()
threading.Thread(target=wait, daemon=True).start()
started.wait()
os.write(1, b"ready\\n")
os.read(0, 1)
"""

Spawn = Callable[..., "subprocess.Popen[str]"]


def main_thread(pid: int) -> Thread:
    return processes.read_process(pid).threads[0]


def test_a_process_and_its_threads(spawn: Spawn) -> None:
    process = spawn(TWO_THREADS, "--api-key", "s3cret")
    until(lambda: all(t.wchan for t in processes.read_process(process.pid).threads))

    read = processes.read_process(process.pid)

    assert (read.pid, read.ppid, read.state) == (process.pid, os.getpid(), "S")
    assert read.cmdline[-2:] == ("--api-key", "***")
    assert read.exe == str(Path(sys.executable).resolve())
    assert read.rss_bytes is not None
    assert read.rss_bytes > 1_000_000
    assert read.tracer_pid is None
    assert read.threads[0].tid == process.pid
    assert len(read.threads) == 2
    for thread in read.threads:
        assert thread.syscall is not None
        assert thread.syscall.name == "read"
        assert "pipe:[" in str(thread.syscall.detail)


def test_a_tid_stands_for_its_process(spawn: Spawn) -> None:
    process = spawn(TWO_THREADS)
    tids = [thread.tid for thread in processes.read_process(process.pid).threads]

    assert processes.read_process(tids[1]).pid == process.pid
    assert processes.children(tids[1]) == []


@pytest.mark.parametrize("pid", [0, -1, 99_999_999])
def test_no_such_process(pid: int) -> None:
    for ask in (processes.read_process, processes.children):
        with pytest.raises(TargetError, match=rf"^no process {pid}$") as caught:
            ask(pid)
        assert caught.value.fix is not None
    assert processes.counters(pid) == {}
    assert not processes.is_python(pid)


def test_a_zombie_has_neither_threads_nor_words(spawn: Spawn) -> None:
    process = spawn(READ_STDIN)
    os.kill(process.pid, signal.SIGKILL)
    until(lambda: processes.read_process(process.pid).state == "Z")

    read = processes.read_process(process.pid)

    assert read.threads == ()
    assert read.cmdline == ()
    assert process.pid not in processes.python_pids()


def test_a_stopped_process(spawn: Spawn) -> None:
    process = spawn(READ_STDIN)
    os.kill(process.pid, signal.SIGSTOP)

    until(lambda: main_thread(process.pid).state == "T")


def test_names_from_the_target_are_cleaned(spawn: Spawn) -> None:
    process = spawn(
        "import os; open('/proc/self/comm', 'wb').write(b'a\\x1b[31m\\n\\xff'); " + READ_STDIN,
        "\x1b]0;title\x07",
    )

    read = processes.read_process(process.pid)

    assert read.cmdline[-1] == "\ufffd]0;title\ufffd"
    assert read.threads[0].name == "a\ufffd[31m \ufffd"


def test_waiting_for_a_child(spawn: Spawn) -> None:
    process = spawn(
        "import os, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import os; os.read(0, 1)'])\n"
        "os.write(1, b'ready\\n')\n"
        "child.wait()\n"
    )
    (child,) = processes.children(process.pid)

    until(
        lambda: (
            main_thread(process.pid).syscall == Syscall("wait4", f"child {child}")
            and processes.read_process(child).state == "S"
        )
    )
    os.kill(child, signal.SIGKILL)


def test_counters_stand_still_while_a_thread_waits(spawn: Spawn) -> None:
    process = spawn(READ_STDIN)
    until(lambda: main_thread(process.pid).wchan is not None)

    first, second = (processes.counters(process.pid) for _ in range(2))

    assert first == second
    assert list(first) == [process.pid]
    assert first[process.pid].state == "S"
    assert str(first[process.pid].syscall).startswith("0 0x0 ")


def test_counters_change_when_a_thread_runs(spawn: Spawn) -> None:
    process = spawn(
        "import os\nos.write(1, b'ready\\n')\nwhile os.read(0, 1): os.write(1, b'on\\n')"
    )
    assert process.stdin is not None
    assert process.stdout is not None
    until(lambda: main_thread(process.pid).wchan is not None)
    before = processes.counters(process.pid)[process.pid]

    process.stdin.write("x")
    process.stdin.flush()
    process.stdout.readline()

    def ran(after: ThreadCounter) -> bool:
        assert before.schedule.runs is not None
        assert after.schedule.runs is not None
        return after.schedule.runs > before.schedule.runs

    assert ran(processes.counters(process.pid)[process.pid])


def test_python_processes_are_found_and_ours_is_not(spawn: Spawn, tmp_path: Path) -> None:
    renamed = tmp_path / "notasnake"
    shutil.copy(Path(sys.executable).resolve(), renamed)
    process = spawn(READ_STDIN)
    base = str(Path(sys.base_prefix))
    disguised = spawn(READ_STDIN, python=str(renamed), env={"PYTHONHOME": base})

    found = processes.python_pids()

    assert process.pid in found
    assert os.getpid() not in found
    assert processes.is_python(process.pid)
    assert processes.is_python(disguised.pid)
    assert not processes.is_python(_sleeper(spawn))


def _sleeper(spawn: Spawn) -> int:
    """A program that is no Python, started by one that can be ended."""
    process = spawn("import os; os.write(1, b'ready\\n'); os.execvp('cat', ['cat'])")
    while Path(f"/proc/{process.pid}/comm").read_text() != "cat\n":
        assert process.poll() is None
    return process.pid


def test_a_worker_and_gdb_are_not_offered(spawn: Spawn, tmp_path: Path) -> None:
    worker = spawn(READ_STDIN, "-m", "hangtui.backends.worker")
    glances = subprocess.Popen(
        programs.python("hangtui.backends.machine.worker"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd="/",
    )
    embedding = tmp_path / "gdb"
    shutil.copy(Path(sys.executable).resolve(), embedding)
    gdb = spawn(READ_STDIN, python=str(embedding), env={"PYTHONHOME": sys.base_prefix})

    with glances:
        assert glances.stdout is not None
        assert glances.stdout.read(1)  # it looks already
        assert {worker.pid, gdb.pid, glances.pid}.isdisjoint(processes.python_pids())
        assert glances.stdin is not None
        glances.stdin.close()
        glances.stdout.read()
    assert glances.returncode == 0


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        (["/opt/env/bin/hangtui", "gather", "ray"], True),
        (["-m", "hangtui", "gather", "ray"], True),
        (["/site/hangtui/backends/gather/on_cluster.py", "ray", "auto"], True),
        (["ray::hangtui gather"], True),
        (programs.small_python(sweep.STARTER)[-2:], True),
        (["ray::hangtui"], False),
        (["gather.py", "hangtui"], False),
    ],
)
def test_who_gathers_is_no_part_of_the_job(spawn: Spawn, words: list[str], *, ours: bool) -> None:
    process = spawn(READ_STDIN, *words)

    assert (process.pid not in processes.python_pids()) == ours
    assert Path(f"/proc/{process.pid}").exists()


def test_without_permission_only_the_secret_facts_are_missing(
    spawn: Spawn, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = spawn(READ_STDIN)
    until(lambda: main_thread(process.pid).wchan is not None)
    real_open, real_readlink = Path.open, os.readlink
    hidden = ("/syscall", "/maps", "/wchan")

    def guarded_open(path: Path, *args: object, **kwargs: object) -> object:
        if str(path).endswith(hidden):
            raise PermissionError(13, "Permission denied", str(path))
        return real_open(path, *args, **kwargs)  # type: ignore[call-overload]

    def guarded_readlink(path: Path) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", guarded_open)
    monkeypatch.setattr(os, "readlink", guarded_readlink)
    read = processes.read_process(process.pid)
    monkeypatch.setattr(os, "readlink", real_readlink)

    assert read.exe is None
    assert read.state == "S"
    assert [(t.tid, t.syscall, t.wchan) for t in read.threads] == [(process.pid, None, None)]


def test_an_unreadable_python_is_known_by_its_name(
    spawn: Spawn, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = spawn(READ_STDIN)
    monkeypatch.setattr("hangtui.backends.process.discovery.link", lambda _: None)

    assert process.pid in processes.python_pids()


def test_threads_that_end_meanwhile_are_left_out(
    spawn: Spawn, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = spawn(READ_STDIN)
    gone = threading.Thread(target=lambda: None)
    gone.start()
    gone.join()
    real = files.numbers
    monkeypatch.setattr(
        "hangtui.backends.process.processes.numbers", lambda folder: [*real(folder), gone.native_id]
    )

    assert [t.tid for t in processes.read_process(process.pid).threads] == [process.pid]
    assert list(processes.counters(process.pid)) == [process.pid]


def test_a_python_that_the_loader_was_asked_to_run(spawn: Spawn, tmp_path: Path) -> None:
    loader, python = Path("/lib64/ld-linux-x86-64.so.2"), shutil.which("python3", path="/usr/bin")
    if not loader.exists() or python is None:
        pytest.skip("no glibc or no Python of the system here")
    wrapper = tmp_path / "python"
    wrapper.write_text(f'#!/bin/sh\nexec {loader} {python} "$@"\n')
    wrapper.chmod(0o755)

    process = spawn("print('ready', flush=True); input()", python=str(wrapper))

    assert Path(f"/proc/{process.pid}/exe").readlink().name.startswith("ld-")
    assert process.pid in processes.python_pids()


def test_ids_inside_a_namespace() -> None:
    assert processes._innermost("4711\t12\t1") == 1
    assert processes._innermost(None) is None


def test_threads_are_found_by_the_numbers_that_the_process_uses() -> None:
    assert processes.has_thread(os.getpid(), os.getpid())
    assert not processes.has_thread(os.getpid(), 1 << 22)


def test_hangtui_itself_is_no_child(spawn: Spawn, monkeypatch: pytest.MonkeyPatch) -> None:
    process = spawn(
        "import os, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import os; os.read(0, 1)'])\n"
        "os.write(1, b'ready\\n')\n"
        "child.wait()\n"
    )
    (child,) = processes.children(process.pid)

    monkeypatch.setattr(processes, "own_pids", lambda: {child})

    assert processes.children(process.pid) == []
