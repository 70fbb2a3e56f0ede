"""No name of a target's is a command for gdb, nor for the shell that gdb could start."""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hangtui.backends.capture.collector import collect
from hangtui.backends.debugger.factories import LiveDebuggers
from hangtui.debugger import FrameRef
from hangtui.provider import CaptureRequest, NativeMode
from tests.hostile.attacks import need_namespaces, needs_root, nobodys
from tests.integration.native_programs import await_sleep, build
from tests.shares import ALL, in_share

pytestmark = [
    pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb"),
    pytest.mark.skipif(shutil.which("gcc") is None, reason="no compiler"),
    needs_root,
]
NAMES = (
    'x" "shell touch MARK" "',
    'x\' \\" -interpreter-exec console "shell touch MARK',
    'x\n-interpreter-exec console "shell touch MARK"\n',
    'x"\n1-interpreter-exec console "shell touch MARK"',
    "x$(touch MARK)`touch MARK`;touch MARK|touch MARK&touch MARK",
    "| touch MARK",
    "x\\\nshell touch MARK\n\\",
    '\t"\x7f\x01\x1b]0;x\\"shell touch MARK"',
)


@pytest.fixture
def place(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where everybody may write, which is also where we stand."""
    monkeypatch.chdir(shared)
    return shared


def planted(place: Path, name: str) -> tuple[Path, Path]:
    """A program in a folder of that name, and the file that a command in the name would make.

    What the name breaks off to is there as well, lest a command fails for want of it.
    """
    mark = place / "marked"
    program = Path(f"{place}/{name.replace('MARK', str(mark))}/program")
    program.parent.mkdir(parents=True)
    build("leading_elsewhere.c", program, "-g")
    with contextlib.suppress(OSError):
        shutil.copy(program, place / name.partition('"')[0])
    return program, mark


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", NAMES)
async def test_a_name_is_no_command(place: Path, name: str) -> None:
    program, mark = planted(place, name)
    with nobodys(program, "-") as process:
        await_sleep(process.pid)
        request = CaptureRequest(pids=(process.pid,), native=NativeMode.GDB)
        *_, capture = collect(request)
        (thread,) = capture.threads()
        debugger = await LiveDebuggers().open(process.pid, {})
        try:
            at = FrameRef(thread.tid, 0, None)
            said = await debugger.console(at, "info sharedlibrary")
            stack = await debugger.stack(thread.tid)
        finally:
            await debugger.close()

    assert not mark.exists()
    assert "inner" in [frame.function for frame in thread.native_stack or ()]
    assert any(frame.file for frame in thread.native_stack or ())
    assert "inner" in [frame.function for frame in stack.frames]
    assert said.ok
    assert "/program" in said.text


async def test_nor_is_it_of_a_process_that_is_stopped(place: Path) -> None:
    names = [name for number, name in enumerate(NAMES) if ALL or not in_share(number, 2)]
    for number, name in enumerate(names):  # where not all, those that are left out above
        program, mark = planted(place / str(number), name)
        with nobodys(program, "-") as process:
            debugger = await LiveDebuggers().open(process.pid, {})
            try:
                await debugger.stop()
                stack = await debugger.stack(process.pid)
                variables = await debugger.native_variables(FrameRef(process.pid, 1, None))
                await debugger.go()
            finally:
                await debugger.close()
        assert not mark.exists()
        assert "inner" in [frame.function for frame in stack.frames]
        assert variables.variables[0].name == "depth"


def test_nor_is_it_out_of_a_container(place: Path) -> None:
    need_namespaces()
    program, mark = planted(place, NAMES[0])
    inner = 'mount -t tmpfs x /mnt && mkdir -p "$0" && cp program "$0" && exec "$0/program" -'
    hidden = f"/mnt/{NAMES[0].replace('MARK', str(mark))}"
    words = ("unshare", "-Urm", "bash", "-c", inner, hidden)
    with nobodys(*words, cwd=program.parent) as process:
        await_sleep(process.pid)
        *_, capture = collect(CaptureRequest(pids=(process.pid,), native=NativeMode.GDB))

    (thread,) = capture.threads()
    assert not Path("/mnt/x").exists()
    assert not mark.exists()
    assert "inner" in [frame.function for frame in thread.native_stack or ()]
    assert any(frame.file for frame in thread.native_stack or ())


def test_a_folder_of_others_gives_no_code(place: Path) -> None:
    program, mark = planted(place, "plain")
    (place / "hangtui").mkdir()
    for name in ("hangtui/__init__", "msgspec", "sitecustomize", "subprocess", "gdb"):
        (place / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\n")
    for name in ("gdb", "py-spy", "zstd", ".gdbinit", ".gdbearlyinit", "program-gdb.gdb"):
        (place / name).write_text(f"#!/bin/sh\ntouch {mark}\n")
        (place / name).chmod(0o755)
    path = f":.:{place}:{os.environ['PATH']}:"
    environment = {**os.environ, "PATH": path, "PYTHONSTARTUP": str(place / "gdb.py")}
    with nobodys(program, "-") as process:
        for command in (["dump", "--native", "gdb"], ["doctor"]):
            done = subprocess.run(
                [sys.executable, "-P", "-m", "hangtui", *command, str(process.pid)],
                capture_output=True,
                text=True,
                cwd=place,
                env=environment,
            )
            assert not mark.exists(), command
            assert "Traceback" not in done.stderr
        assert "inner" in done.stdout or command == ["doctor"]
