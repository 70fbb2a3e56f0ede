"""What is missing, wrong or on the move costs its own facts alone."""

import contextlib
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hangtui.backends.capture.collector import collect
from hangtui.backends.elf.images import Images
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.minicore import write_minicore
from hangtui.backends.ptrace.freezer.client import freeze
from hangtui.model import Capture, TargetError, Thread
from hangtui.provider import CaptureRequest, NativeMode
from tests.integration.native_programs import build, started
from tests.shares import rounds

needs_gdb = pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb is not installed")


def capture(pid: int, mode: NativeMode) -> Capture:
    *_, last = collect(CaptureRequest(pids=(pid,), native=mode))
    return last


def functions(thread: Thread) -> list[str | None]:
    return [frame.function for frame in thread.native_stack or ()]


def all_functions(pid: int, mode: NativeMode) -> list[list[str | None]]:
    return sorted(map(functions, capture(pid, mode).threads()), key=str)


@needs_gdb
@pytest.mark.parametrize("replaced", [False, True], ids=["deleted", "replaced"])
def test_a_program_whose_file_is_gone_or_another_one(tmp_path: Path, replaced: bool) -> None:
    program = build("frames.c", tmp_path / "program", "-O1", "-g", "-no-pie")
    with started([program]) as process:
        before = {
            mode: all_functions(process.pid, mode) for mode in (NativeMode.AUTO, NativeMode.GDB)
        }
        program.unlink()
        if replaced:
            build("frames.c", program, "-O0", "-g", "-no-pie", "-DKEEP=")
        after = {
            mode: all_functions(process.pid, mode) for mode in (NativeMode.AUTO, NativeMode.GDB)
        }
        core = write_minicore(process.pid)
    assert any("in_callback" in stack for stack in before[NativeMode.GDB])
    assert after == before
    core.files.close()
    assert not core.notices
    assert str(program) in core.names


def test_symbols_that_were_split_off(tmp_path: Path) -> None:
    program = build("frames.c", tmp_path / "program", "-O1", "-Wl,--build-id=none")
    debug = tmp_path / "program.debug"
    subprocess.run(["objcopy", "--only-keep-debug", program, debug], check=True)
    subprocess.run(["strip", program], check=True)
    subprocess.run(["objcopy", f"--add-gnu-debuglink={debug}", program], check=True)
    with started([program]) as process:
        named = all_functions(process.pid, NativeMode.AUTO)
        debug.write_bytes(debug.read_bytes() + b"changed")
        nameless = all_functions(process.pid, NativeMode.AUTO)
        found = capture(process.pid, NativeMode.AUTO)
        with ProcessMemory(process.pid) as memory:
            (image, *_) = Images(memory).matching(("program",))
            image.symbol_at(image.start)
            foreign = image.separate.foreign
    assert any("in_callback" in stack for stack in named)
    assert not any("in_callback" in stack for stack in nameless)
    assert foreign == [str(debug)]  # in the target's root; its names mean nothing in ours
    assert any("program.debug" in notice.message for notice in found.notices)


MOVING = """
import os, sys, threading, time
for _ in range(3):
    threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
if len(sys.argv) < 3:
    os.write(1, b"ready\\n")
time.sleep(0.01)
if sys.argv[1] == "exec":
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:4], "again"])
os._exit(0)
"""


@pytest.mark.parametrize("move", ["exec", "exit"])
def test_a_process_that_becomes_another_one_or_ends(move: str) -> None:
    for number in range(rounds(4)):
        with started([sys.executable, "-c", MOVING, move]) as process:
            time.sleep(number / 400)  # the moment is what varies
            for _ in range(3):
                with contextlib.suppress(TargetError):
                    with ProcessMemory(process.pid) as memory:
                        freeze(memory, pointed_pages=16)
                    write_minicore(process.pid).files.close()
                assert _is_free(process.pid)


def _is_free(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True
    return "TracerPid:\t0" in status and "State:\tT" not in status


@pytest.mark.parametrize("mode", [NativeMode.AUTO, NativeMode.STOP, NativeMode.GDB])
def test_a_recursion_of_100_000_frames(tmp_path: Path, mode: NativeMode) -> None:
    program = build("deep.c", tmp_path / "program", "-O1", "-g")
    with started([program, "100000"]) as process:
        (thread,) = capture(process.pid, mode).threads()
    assert len(thread.native_stack or ()) > 1000
    assert "dig" in functions(thread)
    assert not thread.native_complete
