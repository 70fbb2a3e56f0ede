"""The program in a real terminal: tmux, whose screen is read back, key by key."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.procfs import has_ended
from tests.waiting import LIMIT_S, until

ROOT = Path(__file__).parents[2]
CAPTURE = ROOT / "snapshots" / "story_a_rwlock_gil.hang"
pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Tmux:
    """A terminal of its own, with a shell in it."""

    def __init__(self, folder: Path) -> None:
        self._socket = str(folder / "tmux")

    def run(self, *words: str) -> str:
        """One command of tmux."""
        done = subprocess.run(
            ["tmux", "-S", self._socket, "-f", "/dev/null", *words],
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=True,
        )
        return done.stdout

    def type(self, *keys: str) -> None:
        """Press keys, by tmux's names."""
        self.run("send-keys", "-t", "0", *keys)

    def command(self, line: str) -> None:
        """Have the shell run *line*."""
        self.run("send-keys", "-t", "0", "-l", line)
        self.type("Enter")

    def screen(self) -> str:
        """What is on the screen."""
        return self.run("capture-pane", "-p", "-t", "0")

    def value(self, name: str) -> str:
        """What tmux knows of the terminal: ``alternate_on``, ``mouse_any_flag``, ..."""
        return self.run("display-message", "-p", "-t", "0", f"#{{{name}}}").strip()

    def until(self, condition: Callable[[str], object]) -> str:
        """The screen, once *condition* holds for it."""
        return until(lambda: text if condition(text := self.screen()) else "", self.screen)

    def until_known(self, name: str, value: str) -> None:
        """Wait until tmux knows something of the terminal."""
        self.until(lambda _text: self.value(name) == value)


@contextmanager
def tmux(folder: Path, size: str = "120x40") -> Iterator[Tmux]:
    """A terminal whose shell has a prompt."""
    terminal = Tmux(folder)
    width, height = size.split("x")
    shell = "env -i PATH=/usr/bin:/bin PS1='ready> ' TERM=screen-256color sh"
    terminal.run("new-session", "-d", "-x", width, "-y", height, shell)
    try:
        terminal.until(lambda text: "ready>" in text)
        yield terminal
    finally:
        terminal.run("kill-server")


def hangtui(*words: str, before: str = "") -> str:
    """The command line; its environment is that of a bare container."""
    return f"{before} {sys.executable} -m hangtui {' '.join(words)}".strip()


def open_capture(terminal: Tmux, before: str = "") -> str:
    """Start over a recorded capture, and wait for its deadlock."""
    environment = f"PYTHONPATH={ROOT} XDG_CACHE_HOME=/nowhere LANG=C.UTF-8 {before}".strip()
    terminal.command(hangtui("open", str(CAPTURE), before=environment))
    return terminal.until(lambda text: "X certain" in text and "→ GIL → MainThread" in text)


def restored(terminal: Tmux) -> None:
    """The shell is back: no alternate screen, no mouse, a cursor, and what is typed is seen."""
    terminal.until_known("alternate_on", "0")
    terminal.until_known("mouse_any_flag", "0")
    terminal.until_known("cursor_flag", "1")
    terminal.until(lambda text: text.rstrip().endswith("ready>"))
    terminal.command("echo all-$((40 + 2))-well")
    terminal.until(lambda text: "all-42-well" in text)


@pytest.mark.parametrize("size", ["120x40", "80x24"])
def test_start_navigation_and_end(tmp_path: Path, size: str) -> None:
    with tmux(tmp_path, size) as terminal:
        text = open_capture(terminal)
        assert "→ rwlock context_lock → launcher rwlock_gil.py:18" in text
        assert terminal.value("alternate_on") == "1"
        terminal.type("3")
        terminal.until(lambda text: "RING 1" in text)
        terminal.type("4")
        terminal.until(lambda text: "WHY WE SAY SO" in text)
        terminal.type("?")
        terminal.until(lambda text: "Keys" in text and "Esc closes" in text)
        terminal.type("Escape")
        terminal.until(lambda text: "WHY WE SAY SO" in text and "Esc closes" not in text)
        terminal.run("send-keys", "-t", "0", "-l", "1/launchq")  # all keys at once
        terminal.until(lambda text: "filter: launchq" in text)
        terminal.type("BSpace")
        terminal.until(lambda text: "filter: launch " in text)
        terminal.type("Escape")
        terminal.until(lambda text: "filter: launch" not in text)
        terminal.type("q")
        restored(terminal)


def test_a_storm_of_sizes(tmp_path: Path) -> None:
    with tmux(tmp_path) as terminal:
        open_capture(terminal)
        terminal.run("set", "-g", "window-size", "manual")
        for number in range(60):
            width, height = 20 + number * 37 % 200, 5 + number * 13 % 70
            terminal.run("resize-window", "-t", "0", "-x", str(width), "-y", str(height))
        terminal.run("resize-window", "-t", "0", "-x", "40", "-y", "10")
        terminal.until(lambda text: "hangtui needs 60x16" in text)
        terminal.run("resize-window", "-t", "0", "-x", "80", "-y", "24")
        text = terminal.until(lambda text: "X certain" in text and "q quit" in text)
        assert max(map(len, text.splitlines())) <= 80
        terminal.type("q")
        restored(terminal)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_give_the_terminal_back(tmp_path: Path, number: signal.Signals) -> None:
    with tmux(tmp_path) as terminal:
        open_capture(terminal)
        os.kill(child_of(int(terminal.value("pane_pid"))), number)
        restored(terminal)


def test_suspended_and_continued(tmp_path: Path) -> None:
    with tmux(tmp_path) as terminal:
        terminal.command("set -m")
        open_capture(terminal)
        terminal.type("C-z")
        terminal.until_known("alternate_on", "0")
        terminal.until(lambda text: "ready>" in text)
        terminal.command("fg")
        terminal.until(lambda text: "X certain" in text and "q quit" in text)
        terminal.type("q")
        restored(terminal)


def test_a_terminal_that_knows_ascii_only(tmp_path: Path) -> None:
    with tmux(tmp_path) as terminal:
        environment = f"PYTHONPATH={ROOT} LANG=C LC_ALL=C TERM=xterm"
        terminal.command(hangtui("open", "--ascii", str(CAPTURE), before=environment))
        text = terminal.until(lambda text: "X certain" in text and "q quit" in text)
        assert text.isascii()
        terminal.type("q")
        restored(terminal)


def test_a_reader_that_is_slow(tmp_path: Path) -> None:
    """Over a slow line a terminal takes bytes late; keys pressed meanwhile are not lost.

    The terminal in between is 0x0 large, as that of `docker exec -it` is at first.
    """
    with tmux(tmp_path, "80x24") as terminal:
        reader = tmp_path / "slow.py"
        reader.write_text(SLOW)
        environment = f"PYTHONPATH={ROOT} LANG=C.UTF-8 {sys.executable} {reader}"
        terminal.command(hangtui("open", str(CAPTURE), before=environment))
        terminal.until(lambda text: "X certain" in text)
        terminal.type("2", "3", "4", "3", "j", "j", "k")
        terminal.until(lambda text: "RING 1" in text and "[3 Waits]" in text)
        terminal.type("q")
        restored(terminal)


def test_a_line_that_drops(tmp_path: Path) -> None:
    """The window is closed, as by an ssh that dies: the program ends by itself."""
    with tmux(tmp_path) as terminal:
        open_capture(terminal)
        pid = child_of(int(terminal.value("pane_pid")))
        terminal.run("new-window", "-d", "sh")
        terminal.run("kill-pane", "-t", "0")
        until(lambda: has_ended(pid))


def child_of(pid: int) -> int:
    """The program that the shell runs."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(children[-1])


SLOW = """
import os, pty, sys, time
def read(fd):
    time.sleep(0.05)
    return os.read(fd, 512)
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], read)))
"""
