"""Commands that ``hangtui watch`` runs for each hang and each crash that it catches."""

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from tests.integration.targets import running
from tests.integration.watching import captures, watching
from tests.waiting import until

_TELL = """\
mkdir "{0}/told.$$"
env > "{0}/told.$$/env"
cat > "{0}/told.$$/part"
mv "{0}/told.$$/part" "{0}/told.$$/json"
"""
_RINGS = """
import signal, threading, time

def cross(mine, other, meet):
    with mine:
        meet.wait()
        with other:
            pass

def one_more(*_):
    a, b, meet = threading.Lock(), threading.Lock(), threading.Barrier(2)
    for pair in ((a, b), (b, a)):
        threading.Thread(target=cross, args=(*pair, meet), daemon=True).start()

signal.signal(signal.SIGUSR1, one_more)
one_more()
print("ready", flush=True)
while True:
    sum(range(100_000))
    time.sleep(0.02)
"""


def _told(folder: Path, count: int = 1) -> list[Path]:
    """The folders of the commands that were run, in the order in which they came."""

    def all_of_them() -> list[Path]:
        found = sorted(folder.glob("told.*/json"), key=lambda path: path.stat().st_mtime_ns)
        return [path.parent for path in found] if len(found) >= count else []

    return until(all_of_them, lambda: os.listdir(folder))


def _json(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "json").read_text())
    return found


def test_a_command_is_told_of_a_hang(any_python: Path, tmp_path: Path) -> None:
    words = ("--hang-after", "1s", "--on-hang", _TELL.format(tmp_path))
    with running("abba", any_python) as target, watching(target.pid, tmp_path, *words):
        (path,) = captures(tmp_path, "hang")
        (folder,) = _told(tmp_path)
    told = _json(folder)
    assert (told["occasion"], told["pid"]) == ("hang", target.pid)
    assert (told["capture"], told["finding"]["id"]) == (str(path), "deadlock")
    assert {
        f"HANGTUI_PID={target.pid}",
        f"HANGTUI_CAPTURE={path}",
        "HANGTUI_OCCASION=hang",
        "HANGTUI_FINDING=deadlock",
        "HANGTUI_CERTAINTY=proven",
    } <= set((folder / "env").read_text().splitlines())


@contextmanager
def _rings(python: Path) -> Iterator["subprocess.Popen[str]"]:
    """A program that goes on while some of its threads are deadlocked; SIGUSR1: two more."""
    program = subprocess.Popen([python, "-c", _RINGS], stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout is not None
        program.stdout.readline()
        yield program
    finally:
        program.kill()
        program.communicate()


def test_each_hang_is_told_once(any_python: Path, tmp_path: Path) -> None:
    """A process that goes on is looked at again and again: only what is new is told."""
    words = ("--hang-after", "1s", "--on-hang", _TELL.format(tmp_path))
    with _rings(any_python) as program, watching(program.pid, tmp_path, *words):
        _told(tmp_path)
        program.send_signal(signal.SIGUSR1)
        first, second = map(_json, _told(tmp_path, 2))
    assert first["finding"]["id"] == second["finding"]["id"] == "deadlock"
    assert not set(first["finding"]["resources"]) & set(second["finding"]["resources"])
    assert len(captures(tmp_path, "hang")) == 2


def test_a_command_that_does_not_end_is_ended(any_python: Path, tmp_path: Path) -> None:
    slow = f'echo $$ > "{tmp_path}/part"; mv "{tmp_path}/part" "{tmp_path}/pid"; sleep 600 & wait'
    words = ("--hang-after", "1s", "--on-hang", slow, "--on-limit", "1s")
    with running("abba", any_python) as target, watching(target.pid, tmp_path, *words) as watcher:
        until((tmp_path / "pid").exists)
        pid = int((tmp_path / "pid").read_text())
        until(lambda: not _of_session(pid), lambda: _of_session(pid))
        assert watcher.stderr is not None
        lines = iter(watcher.stderr.readline, "")
        assert any("the command of --on-hang was ended after 1 s" in line for line in lines)


def _of_session(leader: int) -> list[int]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
            if os.getsid(process.pid) == leader and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
    return found


def test_a_command_is_told_of_a_crash(any_python: Path, tmp_path: Path) -> None:
    words = ("--on-crash", _TELL.format(tmp_path), "--on-hang", "exit 1")
    healthy = running("healthy_queue", any_python, asleep=False)
    with healthy as target, watching(target.pid, tmp_path, *words) as watcher:
        os.kill(target.pid, signal.SIGSEGV)
        (folder,) = _told(tmp_path)
        watcher.wait()
    assert _json(folder)["occasion"] == "crash"


def test_a_command_that_fails_is_complained_of(any_python: Path, tmp_path: Path) -> None:
    words = ("--hang-after", "1s", "--on-hang", "exit 3")
    with running("abba", any_python) as target, watching(target.pid, tmp_path, *words) as watcher:
        assert watcher.stderr is not None
        lines = iter(watcher.stderr.readline, "")
        assert any("the command of --on-hang ended with exit status 3" in line for line in lines)
