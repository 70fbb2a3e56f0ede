"""gdb opens nothing that a target names: what it is given leads nowhere else."""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from hangtui.backends.capture.collector import collect
from hangtui.backends.debugger.client import RemoteDebugger
from hangtui.backends.debugger.factories import CoreDebuggers, LiveDebuggers
from hangtui.debugger import FrameRef
from hangtui.model import TargetError
from hangtui.provider import CaptureRequest, NativeMode
from tests.hostile.attacks import needs_root, nobodys, opens
from tests.integration.native_programs import await_sleep, build
from tests.shares import ALL

pytestmark = [
    pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb"),
    pytest.mark.skipif(shutil.which("gcc") is None, reason="no compiler"),
    needs_root,
]
_SOON_S = 30
"""gdb itself would wait for a pipe for ever."""


def objcopy(*words: str | Path) -> None:
    subprocess.run(["objcopy", *words], check=True)


def plain(place: Path) -> tuple[list[str | Path], list[Path]]:
    return [build("leading_elsewhere.c", place / "program", "-g"), "-"], []


def linked(place: Path) -> tuple[list[str | Path], list[Path]]:
    """A separate debug file beside the program."""
    program, trap = place / "program", place / "program.debug"
    build("leading_elsewhere.c", program, "-g")
    objcopy("--only-keep-debug", program, trap)
    objcopy("--strip-debug", f"--add-gnu-debuglink={trap}", program)
    return [program, "-"], [trap]


def alternative(place: Path) -> tuple[list[str | Path], list[Path]]:
    """A file that many debug files share, as dwz makes it."""
    program, trap, section = place / "program", place / "trap", place / "section"
    build("leading_elsewhere.c", program, "-g")
    trap.write_bytes(program.read_bytes())
    section.write_bytes(os.fsencode(trap) + b"\0" + bytes(range(20)))
    objcopy("--add-section", f".gnu_debugaltlink={section}", program)
    return [program, "-"], [trap]


def split(place: Path) -> tuple[list[str | Path], list[Path]]:
    """Debug information in files apart."""
    return apart(place, "-gdwarf-5")


def split_older(place: Path) -> tuple[list[str | Path], list[Path]]:
    return apart(place, "-gdwarf-4")


def apart(place: Path, version: str) -> tuple[list[str | Path], list[Path]]:
    program, folder = place / "program", f"{place}/"
    build("leading_elsewhere.c", program, "-g", version, "-gsplit-dwarf", "-dumpdir", folder)
    return [program, "-"], list(place.glob("*.dwo"))


def split_and_compressed(place: Path) -> tuple[list[str | Path], list[Path]]:
    (program, *words), traps = apart(place, "-gdwarf-5")
    objcopy("--compress-debug-sections=zlib", program)
    return [program, *words], traps


def split_and_compressed_as_once(place: Path) -> tuple[list[str | Path], list[Path]]:
    """In sections named ``.zdebug_info`` and so on."""
    (program, *words), traps = apart(place, "-gdwarf-4")
    objcopy("--compress-debug-sections=zlib-gnu", program)
    return [program, *words], traps


def compiled_in_memory(place: Path) -> tuple[list[str | Path], list[Path]]:
    """An ELF file in memory that names another one."""
    (place / "other").mkdir()
    (other, _), traps = linked(place / "other")
    return [build("leading_elsewhere.c", place / "program", "-g"), "-", other], traps


def renamed(place: Path) -> tuple[list[str | Path], list[Path]]:
    """The dynamic linker's list names the same file for all libraries."""
    trap = place / "trap"
    trap.write_bytes(b"\x7fELF")
    return [build("leading_elsewhere.c", place / "program", "-g"), trap], [trap]


def renamed_upwards(place: Path) -> tuple[list[str | Path], list[Path]]:
    (program, trap), traps = renamed(place)
    return [program, "/.." * 20 + str(trap)], traps


Attack = Callable[[Path], tuple[list[str | Path], list[Path]]]
ATTACKS: Mapping[str, Attack] = {
    attack.__name__: attack
    for attack in (
        *(plain, linked, alternative, split, split_older, compiled_in_memory),
        *(split_and_compressed, split_and_compressed_as_once),
        *(renamed, renamed_upwards),
    )
}


KINDS = ("file", "pipe")


def crossed(shift: int) -> list[tuple[str, str]]:
    """Each attack with one kind of file, or with both where everything is wanted.

    The kinds take turns from attack to attack, and the other way round with another *shift*: a
    pipe would stop gdb, and that a file is opened is seen as well.
    """
    return [
        (attack, kind)
        for number, attack in enumerate(ATTACKS)
        for place, kind in enumerate(KINDS)
        if ALL or (number + place + shift) % 2 == 0
    ]


@contextlib.contextmanager
def attacked(attack: str, place: Path, kind: str) -> Iterator[tuple[int, list[Path]]]:
    """The PID of a process of nobody's, and what of its traps was opened."""
    words, traps = ATTACKS[attack](place)
    if attack == "compiled_in_memory":
        words[2].chmod(0o644)  # type: ignore[union-attr]
    assert traps or attack == "plain"
    for trap in traps if kind == "pipe" else ():
        trap.unlink()
        os.mkfifo(trap, 0o666)
    began = time.monotonic()
    with nobodys(*words) as process, opens(traps) as opened:
        await_sleep(process.pid)
        yield process.pid, opened
    assert time.monotonic() - began < _SOON_S


@pytest.mark.parametrize(("attack", "kind"), crossed(0))
def test_native_stacks(attack: str, kind: str, shared: Path) -> None:
    with attacked(attack, shared, kind) as (pid, opened):
        *_, capture = collect(CaptureRequest(pids=(pid,), native=NativeMode.GDB))

    (thread,) = capture.threads()
    functions = [frame.function for frame in thread.native_stack or ()]
    assert "outer" in functions
    if attack not in ("linked", "alternative") and not attack.startswith("split"):
        assert any(frame.line for frame in thread.native_stack or ())
    assert opened == []


async def ask(debugger: RemoteDebugger, tid: int) -> None:
    """What makes gdb read all that it can find."""
    stack = await debugger.stack(tid)
    assert "outer" in [frame.function for frame in stack.frames]
    at = FrameRef(tid, 1, None)
    for line in ("info sharedlibrary", "sharedlibrary", "info types entry", "bt full"):
        await debugger.console(at, line)
    await debugger.native_variables(at)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("attack", "kind"), crossed(1))
async def test_the_debugger_on_a_copy(attack: str, kind: str, shared: Path) -> None:
    with attacked(attack, shared, kind) as (pid, opened):
        debugger = await LiveDebuggers().open(pid, {})
        try:
            await ask(debugger, pid)
        finally:
            await debugger.close()

    assert opened == []


def runs(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    return "TracerPid:\t0" in status and "State:\tS" in status


@pytest.mark.one_in(3)
@pytest.mark.parametrize("attack", ATTACKS)
async def test_the_debugger_on_the_stopped_process(attack: str, shared: Path) -> None:
    with attacked(attack, shared, "pipe") as (pid, opened):
        debugger = await LiveDebuggers().open(pid, {})
        try:
            if attack == "renamed_upwards":
                with pytest.raises(TargetError, match="it would open a file elsewhere"):
                    await debugger.stop()
            else:
                await debugger.stop()
                await ask(debugger, pid)
                await debugger.go()
        finally:
            await debugger.close()
        assert runs(pid)

    assert opened == []


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("attack", "kind"), crossed(0))
async def test_a_core_of_a_stranger(attack: str, kind: str, shared: Path) -> None:
    with attacked(attack, shared, kind) as (pid, opened):
        core = shared / "core"
        debugger = await LiveDebuggers().open(pid, {})
        try:
            if attack == "renamed_upwards":
                pytest.skip("gdb does not write a core of it")
            await debugger.stop()
            await debugger.write_core(str(core))
            await debugger.go()
        finally:
            await debugger.close()
        debugger = await CoreDebuggers({pid: str(core)}).open(pid, {})
        try:
            await ask(debugger, pid)
        finally:
            await debugger.close()

    assert opened == []


def test_a_pipe_in_the_place_of_the_program(shared: Path) -> None:
    program = build("leading_elsewhere.c", shared / "program", "-g")
    with nobodys(program, "-") as process:
        await_sleep(process.pid)
        program.unlink()
        os.mkfifo(program)
        *_, capture = collect(CaptureRequest(pids=(process.pid,), native=NativeMode.GDB))

    (thread,) = capture.threads()
    assert any(frame.line for frame in thread.native_stack or ())


@pytest.mark.parametrize("mode", [NativeMode.AUTO, NativeMode.STOP, NativeMode.GDB])
def test_a_program_with_its_own_kernel_library(shared: Path, mode: NativeMode) -> None:
    program = build("leading_elsewhere.c", shared / "program", "-g")
    with nobodys(program, "-", env={"DAMAGED_VDSO": "1"}) as process:
        await_sleep(process.pid)
        *_, capture = collect(CaptureRequest(pids=(process.pid,), native=mode))

    (thread,) = capture.threads()
    assert "outer" in [frame.function for frame in thread.native_stack or ()]
