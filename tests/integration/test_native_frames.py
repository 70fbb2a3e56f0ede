"""Native stacks equal those that gdb shows of the running process: the quick part of
``tests/endurance/native_frames.py``."""

import shutil
from pathlib import Path

import pytest

from hangtui.provider import NativeMode
from tests.endurance.native_frames import MODES, attached, captured, compare, many, stripped
from tests.integration.native_programs import build, started
from tests.integration.targets import interpreters

pytestmark = pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb is not installed")


def check(command: list[str]) -> None:
    with started(command) as process:
        ours = {mode: captured(process.pid, mode) for mode in MODES}
        theirs = attached(process.pid)
        for mode, stacks in ours.items():
            count, notes = compare(process.pid, stacks, theirs, inlined=mode is NativeMode.GDB)
            assert not notes, (mode, notes)
            assert count["equal"] > count["another name of the same function"]


@pytest.mark.parametrize(
    ("source", "compiler", "options"),
    [
        ("frames.c", "gcc", ("-O2", "-g")),
        ("frames.c", "gcc", ("-O2", "-static")),
        ("frames.cpp", "g++", ("-O2", "-g")),
        ("tail_calls.c", "gcc", ("-O2", "-fno-omit-frame-pointer")),
    ],
)
def test_programs(source: str, compiler: str, options: tuple[str, ...], tmp_path: Path) -> None:
    check([str(build(source, tmp_path / "program", *options, compiler=compiler))])


def test_a_stripped_program(tmp_path: Path) -> None:
    check(stripped([str(build("frames.cpp", tmp_path / "program", "-O2", compiler="g++"))]))


def test_python() -> None:
    (interpreter, *_) = interpreters(("3.12", "3.11"))
    check(many(interpreter.path, 8))
