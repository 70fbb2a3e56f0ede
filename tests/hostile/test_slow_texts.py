"""Arguments and logs made to keep an expression busy: they cost little more than others."""

import gzip
import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hangtui.backends.crashlog.lines import MAX_FRAMES, MAX_THREADS
from hangtui.backends.procfs.secrets.lines import WORDS
from tests.hostile.attacks import hangtui
from tests.hostile.programs import running

_ENOUGH_S = 6
"""Of a processor; they take 0.4 to 2.5 s, and took 7 s to minutes before there were bounds."""
_SIZE = 4 << 20
_START = "Fatal Python error: Segmentation fault\n\nCurrent thread 0x1 (most recent call first):\n"
_FRAME = '  File "a.py", line 1 in f\n'
_DUMP = "Process 1: python\nPython v3.11.7 (/usr/bin/python3)\n\n"

LOGS: dict[str, Callable[[], str]] = {  # megabytes each: made for its test alone
    "frames that never end": lambda: _START + _FRAME + ('  File "' * 499 + "\n") * (_SIZE // 3993),
    "names that never end": lambda: (
        _START + _FRAME + ("Thread 0x1 [" * 330 + "\n") * (_SIZE // 3961)
    ),
    "parentheses": lambda: (
        f'{_DUMP}Thread 1 (idle): "m"\n    f (a.py:1)\n'
        + ("    f" + " (" * 1990 + "\n") * (_SIZE // 3985)
    ),
    "spaces": lambda: "#0  f () at a.c:1\n" + ("#0" + " " * 3990 + "\n") * (_SIZE // 3993),
    "frames of Python in one of gdb": lambda: (
        "#0  f () at a.c:1\n"
        + ("#1 f (" + "Frame 0x1, for file " * 195 + "\n") * (2 * _SIZE // 3907)
    ),
    "threads": lambda: (
        _DUMP + "".join(f'Thread {n} (idle): "m"\n    f (a.py:1)\n' for n in range(90_000))
    ),
    "threads of faulthandler": lambda: (
        _START
        + _FRAME
        + "".join(f"Thread 0x{n:x} (most recent call first):\n{_FRAME}" for n in range(2, 60_000))
    ),
    "frames": lambda: f'{_DUMP}Thread 1 (idle): "m"\n' + "    f (a.py:1)\n" * (_SIZE // 15),
    "frames of gdb": lambda: "".join(f"#{n % 90000} f () at a.c:1\n" for n in range(_SIZE // 20)),
}


def _spent_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.one_in(2)
@pytest.mark.parametrize("log", LOGS)
def test_a_log_of_a_few_bytes_costs_little(log: str, tmp_path: Path) -> None:
    path = tmp_path / "crash.log.gz"
    path.write_bytes(gzip.compress(LOGS[log]().encode()))
    before = _spent_s()
    done = hangtui("dump", "--json", path)
    assert _spent_s() - before < _ENOUGH_S
    assert done.returncode in (0, 1), done.stderr[-2000:]
    threads = [t for process in json.loads(done.stdout)["processes"] for t in process["threads"]]
    frames = sum(len(t["python_stack"] or ()) + len(t["native_stack"] or ()) for t in threads)
    assert 0 < len(threads) <= MAX_THREADS
    assert 0 < frames <= MAX_FRAMES
    cut = len(threads) == MAX_THREADS or frames == MAX_FRAMES
    assert ("the first ones are shown" in done.stdout) is cut


WORDS_OF_ATTACKERS = {
    "one word": ["A" * 60_000],
    "many words": ["a"] * 30_000,
}


@pytest.mark.parametrize("attack", WORDS_OF_ATTACKERS)
def test_a_long_command_line_costs_little(attack: str) -> None:
    program = "import time\nprint('ready')\ntime.sleep(100)"
    with running(program, *WORDS_OF_ATTACKERS[attack], python=sys.executable) as pid:
        before = _spent_s()
        done = hangtui("dump", "--json", str(pid))
        assert _spent_s() - before < _ENOUGH_S
    (process,) = json.loads(done.stdout)["processes"]
    words = process["cmdline"]
    assert 4 < len(words) <= WORDS + 1
    assert max(map(len, words)) <= 2000
    assert words[1] == "-u"


def test_no_secret_of_a_long_command_line_is_shown() -> None:
    program = "import time\nprint('ready')\ntime.sleep(100)"
    words = ["x" * 4070 + " --password=hunter2x", "postgres://ann:" + "hunter2x" * 2000 + "@db/x"]
    with running(program, *words) as pid:
        assert "hunter" not in hangtui("dump", "--json", str(pid)).stdout
