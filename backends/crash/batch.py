"""Runs gdb once over a file, without a process: a batch of commands, and what it printed."""

import os
import subprocess
from collections.abc import Sequence
from typing import BinaryIO

from hangtui.backends.gdb import start
from hangtui.backends.gdb.commands import GdbCommand
from hangtui.backends.gdb.files import GdbFiles
from hangtui.backends.gdb.start import Walls
from hangtui.backends.tools import programs
from hangtui.model import TargetError

_SETTINGS = (
    GdbCommand("set debuginfod enabled off"),  # no network
    GdbCommand("set auto-load off"),  # it executes nothing of the target's
    GdbCommand("set source open off"),
    GdbCommand("set sysroot root"),
    GdbCommand("set debug-file-directory debug:/usr/lib/debug"),
)
_MAX_OUTPUT = 4 << 20


def available() -> bool:
    """Whether there is a gdb."""
    return programs.find("gdb") is not None


def ask(file: BinaryIO, commands: Sequence[GdbCommand], limit_s: float) -> str:
    """What gdb says of an open file; nothing without gdb, or if it takes longer than *limit_s*.

    The file is closed.
    """
    program = programs.find("gdb")
    if program is None:
        file.close()
        return ""
    try:
        with GdbFiles(Walls.FILES) as files:
            if not files.give("program", file):
                return ""
            return _printed(program, commands, files, limit_s)
    except (OSError, TargetError):
        return ""


def _printed(program: str, commands: Sequence[GdbCommand], files: GdbFiles, limit_s: float) -> str:
    before = [word for setting in _SETTINGS for word in ("-iex", setting.line)]
    words = [word for command in commands for word in ("-ex", command.line)]
    line = [program, "-nx", "-q", "-batch", *before, *words, "program"]
    with open(os.devnull, "rb") as nothing, _output() as output:  # noqa: PTH123
        process = start.start(
            line, files.folder, files.walls, files.descriptors,
            stdin=nothing.fileno(), output=output.fileno(),
        )  # fmt: skip
        files.given_to(process.pid)
        try:
            process.wait(limit_s)
        except subprocess.TimeoutExpired:
            return ""
        finally:
            process.kill()
            process.wait()
        return os.pread(output.fileno(), _MAX_OUTPUT, 0).decode(errors="replace")


def _output() -> BinaryIO:
    return os.fdopen(os.memfd_create("gdb-output"), "w+b")
