"""The plugin of pytest: says why a test hangs, while it does.

Inert until a time is given (``--hang-after 30s``, ``hang_after`` in the configuration, or the
marker ``hang_after``). Then a process beside the tests, which sees a GIL that is kept as well, runs
``hangtui`` on them. It works in interpreters that are older than hangtui's own, too: it needs
pytest and the standard library alone, and the command ``hangtui`` somewhere.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from hangtui.testing.board import Board

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_YAMA = Path("/proc/sys/kernel/yama/ptrace_scope")
_PR_SET_PTRACER = 0x59616D61
"""Linux: include/uapi/linux/prctl.h."""
_TOLD = 2
"""Lines of what was found that the failure itself has; the rest has a section of its own."""
_SIGNAL = signal.SIGRTMIN + 7
"""What interrupts a test: pytest-timeout has SIGALRM."""


def seconds(text: str) -> float:
    """How many seconds ``90``, ``30s``, ``500ms``, ``5m`` or ``1h`` are.

    Raises:
        ValueError: it is no time.
    """
    number = text.strip().rstrip("msh")
    value = float(number) * _UNITS[text.strip()[len(number) :] or "s"]
    if value <= 0:
        raise ValueError(text)
    return value


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, and their like in the configuration file."""
    group = parser.getgroup("hangtui", "why a test hangs")
    group.addoption(
        "--hang-after",
        metavar="TIME",
        help="look at the tests' process from outside when a test takes longer: 30s, 5m",
    )
    group.addoption(
        "--hang-abort",
        action="store_true",
        help="then fail the test and go on; where it cannot be interrupted, end the run",
    )
    group.addoption(
        "--hang-dir", metavar="DIR", help="write a .hang, a text and a picture of each there"
    )
    parser.addini("hang_after", "like --hang-after")
    parser.addini("hang_abort", "like --hang-abort", type="bool", default=False)
    parser.addini("hang_dir", "like --hang-dir")
    parser.addini("hang_command", "the command that looks (default: hangtui)")


def pytest_configure(config: pytest.Config) -> None:
    """Begin to watch, if that is asked for."""
    config.addinivalue_line(
        "markers", "hang_after(time): look at the process when this test takes longer: 30s, 5m"
    )
    given = config.getoption("--hang-after") or config.getini("hang_after") or None
    try:
        after = None if given is None else seconds(str(given))
    except (ValueError, KeyError):
        raise pytest.UsageError(
            f"--hang-after is a time such as 30s or 5m, not {given!r}"
        ) from None
    config.pluginmanager.register(Watch(config, after), "hangtui-watch")


class Watch:
    """Tells the process beside the tests what they are at."""

    def __init__(self, config: pytest.Config, after: float | None) -> None:
        self._config = config
        self._after = after
        self._abort = bool(config.getoption("--hang-abort") or config.getini("hang_abort"))
        self._board: Board | None = None
        self._pid = 0
        self._number = 0
        self._answers: str | None = None
        self._runs = False

    # -- the process beside the tests -----------------------------------------------------------

    def _command(self) -> list[str]:
        named = self._config.getini("hang_command")
        if named:
            return str(named).split()
        beside = Path(sys.executable).with_name("hangtui")
        if beside.exists():
            return [str(beside)]
        return [shutil.which("hangtui") or "hangtui"]

    def _start(self) -> None:
        directory = self._config.getoption("--hang-dir") or self._config.getini("hang_dir") or None
        self._pid = os.getpid()
        self._answers = tempfile.mkdtemp(prefix="hangtui-")
        settings = {
            "pid": self._pid,
            "command": self._command(),
            "directory": str(Path(directory).absolute()) if directory else None,
            "answers": self._answers,
            "abort": self._abort,
            "signal": int(_SIGNAL),
        }
        self._board = Board(str(Path(self._answers, "board")))
        script = str(Path(__file__).with_name("watcher.py"))
        capturing = self._config.pluginmanager.getplugin("capturemanager")
        words = [sys.executable, "-I", "-S", script, json.dumps(settings)]
        if capturing is None:
            _launch(words)
        else:
            with capturing.global_and_fixture_disabled():  # what it says is to be seen at once
                _launch(words)
        if self._abort:
            signal.signal(_SIGNAL, self._interrupted)

    def _begin(self, test: str, after: float | None, *, runs: bool = False) -> None:
        if after is not None and self._answers is None:
            self._start()
        self._post(test, after, runs=runs)

    def _end(self) -> None:
        self._post("", None)

    def _post(self, test: str, after: float | None, *, runs: bool = False) -> None:
        self._runs = runs
        self._number += 1
        if self._board is not None and os.getpid() == self._pid:
            self._board.post(self._number, time.monotonic(), after or 0.0, runs, test)

    def _phase(self, index: int) -> None:
        if self._board is not None and os.getpid() == self._pid:
            self._board.phase(index)

    def _found(self) -> str | None:
        """What was found of the test that runs."""
        if self._answers is None or self._board is None:
            return None
        if self._board.answered() != self._number:
            return None
        try:
            return Path(self._answers, f"{self._number}.txt").read_text()
        except OSError:
            return None

    def _interrupted(self, _number: int, _frame: FrameType | None) -> None:
        if self._runs and os.getpid() == self._pid:
            self._runs = False
            __tracebackhide__ = True
            told = (self._found() or "hangtui: it took too long").splitlines()
            pytest.fail("\n".join(told[:_TOLD]))

    # -- what the tests are at ------------------------------------------------------------------

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection(self) -> Generator[None, None, None]:
        """Imports of the tests may hang, too."""
        self._begin("the collection of tests", self._after)
        yield
        self._end()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, None, None]:
        """One test with its fixtures."""
        marker = item.get_closest_marker("hang_after")
        after = seconds(str(marker.args[0])) if marker and marker.args else self._after
        self._begin(item.nodeid, after, runs=True)
        yield
        self._end()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        """Its fixtures are made."""
        self._phase(1)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self) -> None:
        """It runs."""
        self._phase(0)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self) -> None:
        """Its fixtures are taken down."""
        self._phase(2)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, Any, None]:
        """Add what was found to the test's report."""
        outcome = yield
        text = self._found()
        if text is not None:
            outcome.get_result().sections.append(("hangtui", text))

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """The exit of the interpreter may hang, too: threads that do not end."""
        if self._answers is not None and os.getpid() == self._pid:
            self._begin("the exit after the tests", self._after)


def _launch(words: list[str]) -> None:
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as begun:
        said = begun.stdout.readline() if begun.stdout else b""
    if said.strip().isdigit():
        _permit(int(said))


def _permit(pid: int) -> None:
    """Let this process and what it starts read us, where Yama forbids that to all but parents."""
    try:
        restricted = _YAMA.read_text().strip() == "1"
    except OSError:
        return
    if restricted:
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PTRACER, ctypes.c_ulong(pid), 0, 0, 0)
