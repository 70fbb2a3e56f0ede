"""Compares native stacks with those that gdb shows of the running process, frame by frame.

    python tests/endurance/native_frames.py [NAME ...]

For each kind of program three captures are taken: from memory (auto), with a brief stop (stop) and
from a copy (gdb); then gdb attaches. A frame agrees if function and module are the same. Prints
what differs. What gdb shows as inlined functions is compared for the copy only, since the other
two do not read debug information.
"""

import contextlib
import functools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from hangtui.analysis.frame_classifier import short_name
from hangtui.backends.arch import of_kernel
from hangtui.backends.capture.collector import collect
from hangtui.backends.elf.demangle import demangle
from hangtui.backends.elf.image import Image
from hangtui.backends.elf.images import Images
from hangtui.backends.gdb.commands import GdbCommand, console
from hangtui.backends.gdb.files import GdbFiles
from hangtui.backends.gdb.session import GdbSession
from hangtui.backends.gdb.start import Walls
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.minicore.pages import find_program
from hangtui.model import NativeFrame
from hangtui.provider import CaptureRequest, NativeMode
from tests.integration.native_programs import started
from tests.integration.targets import interpreters

NATIVE = Path(__file__).parents[1] / "targets" / "native"
MODES = (NativeMode.AUTO, NativeMode.STOP, NativeMode.GDB)

MANY = """
import select, socket, sys, threading, time
lock = threading.Lock()
lock.acquire()
def poll():
    select.epoll().poll()
def receive():
    socket.socketpair()[0].recv(1)
ways = [threading.Event().wait, lock.acquire, lambda: time.sleep(1e5), poll, receive]
for number in range(int(sys.argv[1]) - 1):
    threading.Thread(target=ways[number % len(ways)], daemon=True).start()
print("ready", flush=True)
time.sleep(1e5)
"""
TORCH = """
import threading, time, torch
def work():
    square = torch.randn(64, 64)
    for _ in range(20):
        square = square @ square.softmax(0)
    threading.Event().wait()
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
def hook(gradient):
    print("ready", flush=True)
    time.sleep(1e5)
leaf = torch.randn(8, 8, requires_grad=True)
leaf.register_hook(hook)
(leaf @ leaf).sum().backward()
"""


@dataclass(frozen=True, slots=True)
class Frame:
    """What is compared."""

    function: str | None
    """Without arguments: gdb has them from debug information, others from the mangled name."""
    module: str | None
    address: int


Stacks = Mapping[int, Sequence[Frame]]


def captured(pid: int, mode: NativeMode) -> Stacks:
    """The stacks of a capture."""
    *_, capture = collect(CaptureRequest(pids=(pid,), native=mode))
    return {
        thread.tid: [_frame(frame) for frame in thread.native_stack or ()]
        for thread in capture.threads()
    }


def _frame(frame: NativeFrame) -> Frame:
    function = short_name(frame) if frame.function else None
    return Frame(function, frame.module, frame.address)


def attached(pid: int) -> Stacks:
    """The stacks that gdb shows of the process itself, which it stops."""
    settings = (
        GdbCommand("set auto-load off"),
        GdbCommand("set debuginfod enabled off"),
        GdbCommand("set demangle-style none"),
        GdbCommand("set print frame-arguments none"),
        GdbCommand("set libthread-db-search-path /nonexistent"),
        GdbCommand("set backtrace past-main on"),
        GdbCommand("set exec-file-mismatch off"),
    )
    gdb = shutil.which("gdb")
    assert gdb is not None
    result: dict[int, list[Frame]] = {}
    with contextlib.ExitStack() as opened:
        memory = opened.enter_context(ProcessMemory(pid))
        images = Images(memory)
        # By itself gdb takes the dynamic linker for the program, where that was started to run it.
        program = find_program(images, Path(f"/proc/{pid}/auxv").read_bytes())
        assert program is not None
        files = opened.enter_context(GdbFiles(Walls.NONE, attaches=True))
        files.link("program", opened.enter_context(Path(program.mapped_path).open("rb")))
        session = opened.enter_context(GdbSession(gdb, settings, time.monotonic() + 300, files))
        session.ask(console("file program"))
        session.ask(GdbCommand("-target-attach", pid))
        threads = _entries(session.ask(GdbCommand("-thread-info")).payload, "threads")
        for entry in threads:
            tid = int(entry["target-id"].split("LWP ")[-1].split("process ")[-1].split(")")[0])
            asked = GdbCommand(
                "-stack-list-frames", "--thread", int(entry["id"]), "--no-frame-filters 0", 200_000
            )
            frames = session.ask(asked)
            result[tid] = [
                _gdb_frame(raw, images.at(int(raw["addr"], 16)))
                for raw in _entries(frames.payload, "stack")
            ]
        session.ask(GdbCommand("-target-detach"))
    return result


def _entries(payload: Mapping[str, object], key: str) -> list[dict[str, str]]:
    value = payload[key]
    assert isinstance(value, list)
    return value


def _gdb_frame(raw: Mapping[str, str], image: Image | None) -> Frame:
    name = raw.get("func", "??")
    function = None if name == "??" else demangle(name.removeprefix("__GI_"))
    module, address = image.path if image else None, int(raw["addr"], 16)
    return _frame(NativeFrame(function, module, address))


def on_the_stack(stack: Sequence[Frame], found: Sequence[Frame]) -> list[Frame]:
    """The frames of gdb that really are on the stack, if *found* are those.

    gdb adds frames that it knows from debug information alone: inlined functions, which share the
    address of their caller, and functions that ended in a jump to another one (tail calls).
    """
    result: list[Frame] = []
    left = list(stack)
    for address, run in groupby(found, lambda frame: frame.address):
        count = len(list(run))
        while left and left[0].address != address:
            left.pop(0)
        same = [frame.address for frame in left]
        length = next((i for i, other in enumerate(same) if other != address), len(same))
        result += left[max(0, length - count) : length]
        left = left[length:]
    return result if not left else list(stack)


class Symbols:
    """Whether two names are names of one function."""

    def __init__(self, pid: int) -> None:
        self._memory = ProcessMemory(pid)
        self._images = Images(self._memory)

    def same(self, one: Frame, other: Frame) -> bool:
        """Whether both names stand for the code at the address of *one*."""
        image = self._images.at(one.address)
        if image is None or one.function is None or other.function is None:
            return False
        starts = {image.address_of(frame.function or "") for frame in (one, other)}
        spelled = "operator" in one.function and "operator" in other.function
        return spelled or (len(starts) == 1 and None not in starts)


def compare(
    pid: int, ours: Stacks, theirs: Stacks, *, inlined: bool
) -> tuple[Counter[str], list[str]]:
    """How many frames agree, and what those look like that do not."""
    count: Counter[str] = Counter()
    notes: list[str] = []
    symbols = Symbols(pid)
    for tid, expected in theirs.items():
        found = _as_stopped(list(ours.get(tid, ())), expected)
        wanted = list(expected) if inlined else on_the_stack(expected, found)
        if [f.address for f in found] != [f.address for f in wanted]:
            count["stacks with other addresses"] += 1
            notes.append(_difference(tid, found, wanted))
            continue
        count["known from debug information only"] += len(expected) - len(wanted)
        for mine, its in zip(found, wanted, strict=True):
            if mine.module == its.module and mine.function == its.function:
                count["equal"] += 1
            elif mine.module == its.module and symbols.same(mine, its):
                count["another name of the same function"] += 1
            elif its.function is None and mine.module == its.module:
                count["named, which gdb cannot"] += 1  # by the call that leads there
            else:
                count["different"] += 1
                notes.append(f"{mine.function} in {mine.module}, gdb: {its.function}")
    return count, notes


def _as_stopped(found: list[Frame], stopped: Sequence[Frame]) -> list[Frame]:
    """A stop sets some processors back onto the instruction of the call that is to go on."""
    arch = of_kernel()
    behind = len(arch.makes_call)
    if not found or not stopped or arch.registers.keeps_call:
        return found
    if found[0].address == stopped[0].address + behind:
        found[0] = replace(found[0], address=stopped[0].address)
    return found


def _difference(tid: int, found: Sequence[Frame], wanted: Sequence[Frame]) -> str:
    at = next(
        (i for i, (a, b) in enumerate(zip(found, wanted, strict=False)) if a.address != b.address),
        min(len(found), len(wanted)),
    )
    ours = [frame.function for frame in found[at : at + 3]]
    its = [frame.function for frame in wanted[at : at + 3]]
    return f"thread {tid}, from frame {at} of {len(found)} and {len(wanted)}: {ours}, gdb: {its}"


# -- the programs ---------------------------------------------------------------------------------


def built(folder: Path, source: str, *words: str) -> list[str]:
    """Compile a program; the command that starts it."""
    program = folder / "_".join([source, *words]).replace("/", "_").replace(".", "_")
    compiler, *options = words
    command = [compiler, *options, "-pthread", "-o", str(program), str(NATIVE / source)]
    subprocess.run(command, check=True, capture_output=True)
    return [str(program)]


def stripped(command: Sequence[str]) -> list[str]:
    """The same program without its symbols."""
    subprocess.run(["strip", command[0]], check=True)
    return list(command)


def many(interpreter: Path, threads: int) -> list[str]:
    """A Python with threads that sleep in several ways."""
    return [str(interpreter), "-c", MANY, str(threads)]


def torch() -> list[str] | None:
    """A process with torch, if there is an interpreter that has it."""
    for version in ("3.11", "3.12", "3.13"):
        path = Path(__file__).parents[2] / ".pythons" / "fleet" / version / "bin" / "python"
        if path.exists():
            return [str(path), "-c", TORCH]
    return None


def programs(folder: Path) -> dict[str, Callable[[], list[str] | None]]:
    """How to get each kind of program."""
    found: dict[str, Callable[[], list[str] | None]] = {
        f"{interpreter.id}-{threads}": functools.partial(many, interpreter.path, threads)
        for interpreter in interpreters()
        for threads in (10, 200)
    }
    found |= {
        "torch": torch,
        "c++": lambda: built(folder, "frames.cpp", "g++", "-O2", "-g"),
        "c++-O0": lambda: built(folder, "frames.cpp", "g++", "-O0", "-g"),
        "c++-stripped": lambda: stripped(built(folder, "frames.cpp", "g++", "-O2")),
        "c": lambda: built(folder, "frames.c", "gcc", "-O2", "-g"),
        "c-clock": lambda: [*built(folder, "frames.c", "gcc", "-O2", "-g"), "clock"],
        "c-frame-pointer": lambda: built(
            folder, "frames.c", "gcc", "-O0", "-g", "-fno-omit-frame-pointer"
        ),
        "static": lambda: built(folder, "frames.c", "gcc", "-O2", "-g", "-static"),
        "static-pie": lambda: built(folder, "frames.c", "gcc", "-O2", "-g", "-static-pie"),
        "musl": lambda: built(folder, "frames.c", "musl-gcc", "-O2", "-g"),
        "musl-static": lambda: built(folder, "frames.c", "musl-gcc", "-O2", "-g", "-static"),
    }
    return found


def main() -> int:
    """Compare everything that can be had here, or what is named."""
    wanted = sys.argv[1:]
    different = 0
    with tempfile.TemporaryDirectory() as name:
        kinds = programs(Path(name))
        if unknown := set(wanted) - kinds.keys():
            sys.exit(f"no such program: {', '.join(sorted(unknown))}; there are {', '.join(kinds)}")
        for kind, command_of in kinds.items():
            if wanted and kind not in wanted:
                continue
            try:
                command = command_of()
            except (OSError, subprocess.CalledProcessError) as error:
                print(f"{kind}: not to be had here: {error}")
                continue
            if command is None:
                print(f"{kind}: not to be had here")
                continue
            with started(command) as process:
                pid = process.pid
                ours = {mode: captured(pid, mode) for mode in MODES}
                theirs = attached(pid)
                for mode, stacks in ours.items():
                    count, notes = compare(pid, stacks, theirs, inlined=mode is NativeMode.GDB)
                    print(f"{kind}, {mode}: {dict(count)}", flush=True)
                    for note, times in Counter(notes).most_common(8):
                        print(f"    {times} x {note}")
                    different += count["different"] + count["stacks with other addresses"]
    return 1 if different else 0


if __name__ == "__main__":
    os.environ.pop("HANGTUI_READY", None)
    sys.exit(main())
