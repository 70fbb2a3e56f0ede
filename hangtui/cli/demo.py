"""``hangtui demo``: starts a program that really hangs or crashes, and opens hangtui on it."""

import argparse
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

from hangtui.backends.process.processes import counters
from hangtui.backends.process.thread_watch import unmoved
from hangtui.backends.tools import scratch
from hangtui.cli import output
from hangtui.cli.arguments import SAMPLES
from hangtui.cli.screens import require_terminal, teach
from hangtui.model import TargetError, UsageError, clean
from hangtui.provider import CaptureRequest

_START_S = 60
"""How long a sample may take to hang, on a machine that has other things to do."""
_REST_S, _STEP_S = 1.0, 0.02
"""For how long it is looked whether all its threads stand still, and how often, in seconds."""
_CRASH = "crash"
_HOW = """\
  hangtui demo locks          opens the first on a terminal
  hangtui demo locks check    says what is wrong with it
"""
_COMMANDS = ("check", "dump", "doctor", "record")
"""What may be run on a sample instead of the screens."""


def run(args: argparse.Namespace) -> int:
    """Start the sample, show it, end it; without a sample, say which there are."""
    sample = args.sample or _chosen()
    if sample is None:
        return 0
    command = args.command
    if command and command[0] not in _COMMANDS:
        raise UsageError(
            f"{clean(command[0])!r} cannot be run on a sample",
            f"hangtui demo {sample} {'|'.join(_COMMANDS)}",
        )
    if not command:
        require_terminal(f"hangtui demo {sample} check")
    with scratch.folder() as place:
        _copy(place.path)
        if sample == _CRASH:
            return _crash(place.path, command, args)
        program = place.path / f"{sample}.py"
        with _hanging(program, place.ends) as pid:
            output.say(f"hangtui: started {program}, process {pid}")
            return _command(command, str(pid)) if command else _screens(pid, args)


def _chosen() -> str | None:
    """The sample that the user wants, who sees which there are; None: there is nobody to ask."""
    listed = "".join(
        f"  {number}  {name:<12} {text}\n" for number, (name, text) in enumerate(SAMPLES.items(), 1)
    )
    output.write(f"Programs that really hang or crash; each is ended when you leave.\n\n{listed}\n")
    asked = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    if not asked:
        output.write(_HOW)
        return None
    output.write(f"Which one? 1 to {len(SAMPLES)} or its name, Enter for 1: ")
    word = sys.stdin.readline().strip()
    names = list(SAMPLES)
    if word.isdecimal() and 1 <= int(word) <= len(names):
        return names[int(word) - 1]
    if word in names or not word:
        return word or names[0]
    raise UsageError("there is no such sample", f"hangtui demo {'|'.join(names)}")


def _copy(folder: Path) -> None:
    """The programs, to a place that is no library's: their frames are an application's."""
    with resources.as_file(resources.files("hangtui") / "samples") as samples:
        for program in samples.glob("*.py"):
            shutil.copyfile(program, folder / program.name)


@contextmanager
def _hanging(program: Path, ends: Callable[[int], None]) -> Iterator[int]:
    """The PID of a sample that hangs; it is ended at the end, and by *ends* if we are killed."""
    process = subprocess.Popen(
        [sys.executable, program],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    ends(process.pid)
    try:
        _await_ready(process)
        _await_rest(process.pid)
        yield process.pid
    finally:
        process.kill()
        process.communicate()


def _await_ready(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdout is not None
    assert process.stderr is not None
    ready, _, _ = select.select([process.stdout], [], [], _START_S)
    if not ready:
        raise TargetError(f"the sample did not start within {_START_S} s", "hangtui demo locks")
    if os.read(process.stdout.fileno(), 5) != b"ready":
        process.kill()
        lines = process.communicate()[1].decode(errors="replace").splitlines()
        raise TargetError(f"the sample could not start: {lines[-1] if lines else 'it ended'}")


def _await_rest(pid: int) -> None:
    """Until none of its threads moves: who says that it hangs may be about to, on a busy machine.
    A second at most: one that waits for the GIL wakes up again and again."""
    end, before = time.monotonic() + _REST_S, counters(pid)
    while time.monotonic() < end:
        time.sleep(_STEP_S)
        now = counters(pid)
        if all(unmoved(before.get(tid), one) for tid, one in now.items()):
            return
        before = now


def _command(words: list[str], target: str) -> int:
    from hangtui.cli.main import main

    return main([*words, target])


def _screens(pid: int, args: argparse.Namespace) -> int:
    from hangtui.backends.debugger.factories import LiveDebuggers
    from hangtui.backends.provider import LiveProvider
    from hangtui.tui.lesson import TOUR

    request = CaptureRequest((pid,), follow=True)
    return teach(LiveProvider(), request, TOUR, LiveDebuggers(), args)


def _crash(folder: Path, words: list[str], args: argparse.Namespace) -> int:
    """Run the one that crashes under our eyes, and show what was caught."""
    caught = folder / "crash.hang"
    run = ["run", "--no-open", "-o", str(caught), "--", sys.executable]
    code = _command(run, str(folder / "crash.py"))
    if not caught.exists():
        raise TargetError(f"the crash was not caught (exit status {code})", "hangtui doctor")
    if words:
        return _command(words, str(caught))
    from hangtui.backends.debugger.factories import CoreDebuggers
    from hangtui.cli.file_provider import FileProvider
    from hangtui.cli.files import load
    from hangtui.tui.lesson import CRASH_TOUR

    provider = FileProvider((load(str(caught), None),))
    return teach(provider, CaptureRequest(), CRASH_TOUR, CoreDebuggers({}, ""), args)
