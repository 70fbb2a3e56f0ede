"""``hangtui demo``: each sample hangs or crashes as it says, is shown, and is gone afterwards."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hangtui.cli.arguments import SAMPLES
from tests.terminal import opened
from tests.waiting import until

FOUND = {
    "locks": ("deadlock", "locks.py", "transfer"),
    "gil": ("deadlock", "gil.py", "copy_to_device"),
    "tasks": ("deadlock", "tasks.py", "reserve"),
    "executor": ("executor-starvation", "executor.py", "render_page"),
    "connections": ("deadlock", "connections.py", "ConnectionPool.connection"),
    "crash": ("crash-null-pointer", "crash.py", "load_header"),
}
"""By sample: the finding, and its place."""
DEMO = (sys.executable, "-m", "hangtui", "demo")


def demo(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*DEMO, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("sample", SAMPLES)
def test_each_sample_is_what_it_says(sample: str) -> None:
    done = demo(sample, "dump", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)

    finding, where = told["findings"][0], told["findings"][0]["where"]
    assert (finding["id"], Path(where["filename"]).name) == FOUND[sample][:2]
    assert FOUND[sample][2] in finding["sentence"]
    (process,) = told["processes"]
    assert not Path(f"/proc/{process['pid']}").exists()
    assert not Path(where["filename"]).exists()


def test_check_tells_by_its_exit_code() -> None:
    assert demo("locks", "check").returncode == 1


def test_without_a_terminal_it_lists_what_there_is() -> None:
    done = demo()

    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r"^  \d  (\w+)", done.stdout, re.MULTILINE) == list(SAMPLES)
    assert "hangtui demo locks check" in done.stdout


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        (["locks"], "fix: hangtui demo locks check"),
        (["locks", "open"], "fix: hangtui demo locks check|dump"),
        (["nosuch"], "fix: hangtui demo --help"),
    ],
)
def test_an_error_says_what_to_type(words: list[str], fix: str) -> None:
    done = demo(*words)

    assert (done.returncode, done.stdout) == (2, "")
    assert fix in done.stderr


def test_it_teaches_the_keys_on_the_way() -> None:
    with opened(*DEMO, size=(40, 120)) as screen:
        screen.until("Which one?")
        screen.type("1\n")
        started = screen.until("teller-1", "Enter: the stacks of the chosen thread")
        found = re.search(r"started (\S+/locks.py), process (\d+)", started)
        assert found is not None
        for key, next_line in (
            ("\r", "Esc: back"),
            ("\x1b", "3: who waits for whom"),
            ("3", "4: all that was found"),
            ("4", "That was the way through a hang"),
        ):
            screen.forget()
            screen.type(key)
            screen.until(next_line)
        screen.type("q")
        assert screen.end() == 0
    assert not Path(found[1]).parent.exists()
    assert not Path(f"/proc/{found[2]}").exists()


def test_a_crash_is_taught_too() -> None:
    with opened(*DEMO, "crash", size=(40, 120)) as screen:
        screen.until("SIGSEGV", "2: the thread that crashed")
        screen.forget()
        screen.type("2")
        screen.until("5: the crash")
        screen.type("q")
        assert screen.end() == 0


def test_a_sample_does_not_outlive_a_demo_that_was_killed() -> None:
    with opened(*DEMO, "locks", size=(40, 120), env={**os.environ}) as screen:
        started = screen.until("teller-1")
        found = re.search(r"process (\d+)", started)
    assert found is not None
    until(lambda: not Path(f"/proc/{found[1]}").exists())
