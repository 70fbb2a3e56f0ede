"""Takes a mini-core: finds what is needed, has the guard copy it, writes the file."""

import bisect
import contextlib
import os
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import Enum
from pathlib import Path

from hangtui.backends.elf.images import Images
from hangtui.backends.gdb.commands import Ending, GdbCommand, console
from hangtui.backends.gdb.files import GdbFiles
from hangtui.backends.linux import PAGE
from hangtui.backends.memory.copied import CopiedMemory
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.minicore import libraries, pages, sysroot
from hangtui.backends.minicore.corefile import Content, write
from hangtui.backends.minicore.untouched import registers_of
from hangtui.backends.permission import access
from hangtui.backends.process.processes import counters
from hangtui.backends.procfs.thread_syscall import parse
from hangtui.backends.ptrace.freezer.client import Copied, freeze
from hangtui.backends.unwind.unwinder import RawStack, Unwinder
from hangtui.dataclass import dataclass
from hangtui.model import Notice, Source, TargetError, clean

_POINTED_PAGES = 1024
"""Of all threads together: 4 MiB take about a millisecond."""
_OTHER_STACK = 1 << 20
"""Bytes of a stack that a thread left for another one that are copied at most."""
_LOCK_REACH = 64
"""Bytes around the word that a futex call names: no lock of glibc is larger."""


class Stop(Enum):
    """Which threads stand still for a copy."""

    EVERYONE = "all whose system call goes on by itself afterwards, for all of their registers"
    FEW = "those that run, and those whose stack cannot be followed otherwise"


@dataclass(frozen=True, slots=True)
class MiniCore:
    """A mini-core, in memory: nothing of a process gets a name anywhere."""

    stopped_ms: float
    """For how long threads stood still, in milliseconds."""
    threads: tuple[int, ...]
    """TIDs, all that are in the file: gdb numbers them from 1 in this order."""
    skipped: Mapping[int, str]
    """By TID: why a thread was not stopped; only its stack pointer, its program counter and the
    arguments of its system call are known. One that is not among ``threads`` is not in the file at
    all."""
    files: GdbFiles
    """What a debugger is to be started with, the core among it. The caller closes it."""
    notices: tuple[Notice, ...]
    modules: tuple[str, ...] = ()
    """Mapped paths of the files whose code is on the threads' stacks."""
    names: Mapping[str, str] = field(default_factory=dict)
    """By mapped path: the name that a debugger knows a file by."""
    same: Mapping[int, int] = field(default_factory=dict)
    """By TID: a thread whose stack consists of the same addresses, so that one answer about its
    frames' functions and lines serves both; the first of them for all."""
    size: int = 0
    """Of the core file, in bytes."""

    def gdb_symbols(self, modules: Iterable[str]) -> tuple[GdbCommand, ...]:
        """What loads the symbols of mapped files, given by their paths as the target sees them."""
        known = [self.names[path] for path in modules if path in self.names]
        allowed = [name for name in known if name not in self.files.unread]
        return tuple(console("sharedlibrary", Ending(name)) for name in allowed)


GDB_SETTINGS = (
    GdbCommand("set confirm off"),
    GdbCommand("set pagination off"),
    GdbCommand("set auto-load off"),  # nothing that a target's folder holds is run
    GdbCommand("set auto-load safe-path /nonexistent"),
    GdbCommand("set libthread-db-search-path /nonexistent"),  # it walks through foreign memory
    GdbCommand("set debuginfod enabled off"),  # no network
    GdbCommand("set demangle-style none"),  # costs seconds with big libraries; done afterwards
    GdbCommand("set auto-solib-add off"),  # symbols come with `sharedlibrary`, as they are needed
    GdbCommand("set sysroot root"),
    GdbCommand("set debug-file-directory debug:/usr/lib/debug"),
)
"""What gdb must be told before it reads a mini-core."""
GDB_OPENING = (console("core-file core"),)
"""What opens it."""


def write_minicore(
    pid: int,
    *,
    stop: Stop = Stop.EVERYONE,
    ranges: Sequence[tuple[int, int]] = (),
    stack_bytes: int = 8 << 20,
) -> MiniCore:
    """Take a mini-core of a live process, and make a folder for a debugger to be started in.

    Args:
        pid: the process.
        stop: which threads to stop.
        ranges: more memory to copy in the moment of the stop, as addresses and sizes.
        stack_bytes: how much of each thread's stack to copy at most.

    Raises:
        TargetError: the process is gone, or may not be traced; or there is no place for the folder.
        OSError: there is no room in it, or no memory.
    """
    try:
        with foreign_data():
            return _write(pid, stop, ranges, stack_bytes)
    except DamagedDataError as error:
        raise TargetError(f"process {pid} became another one while it was copied") from error


def _write(pid: int, stop: Stop, ranges: Sequence[tuple[int, int]], stack_bytes: int) -> MiniCore:
    with ProcessMemory(pid) as memory:
        images = Images(memory)
        auxv = _auxv(pid)
        wanted = pages.needed(memory)
        older = _read(memory, [*wanted.constant, *wanted.fuzzy])
        preview = _Preview(memory, images)
        copied = freeze(
            memory,
            everyone=stop is Stop.EVERYONE,
            also=preview.broken if stop is Stop.FEW else (),
            ranges=[*wanted.variable, *_locks(pid), *preview.elsewhere, *ranges],
            stack_bytes=stack_bytes,
            pointed_pages=_POINTED_PAGES,
        )
        stacks = _Stacks(memory, images, copied)
        registers = _registers(memory, copied, stacks)
        if not registers:
            raise _nothing(pid, copied)
        files = GdbFiles(sysroot.walls_for(pid))
        try:
            root = sysroot.build(files, memory, images, stacks.modules)
            vdso, kernel = pages.vdso(memory)
            place, listed = libraries.listed(root.libraries, memory.mappings)
            older += [(vdso, memoryview(kernel)), (place, memoryview(listed))]
            words = libraries.auxiliary(auxv, place, vdso)
            pieces = copied.pieces
            content = Content(memory.arch, pid, registers, words, root.mapped, older, pieces, vdso)
            core = os.fdopen(os.memfd_create("hangtui-core"), "w+b")
            files.link("core", core)
            size = write(core, content)
        except BaseException:
            files.close()
            raise
    return MiniCore(
        stopped_ms=copied.stopped_ms,
        threads=tuple(sorted(registers, key=lambda tid: (tid != pid, tid))),
        skipped=copied.skipped,
        files=files,
        notices=tuple(_notices(pid, copied, wanted, root)),
        modules=stacks.modules,
        names=root.names,
        same=stacks.same,
        size=size,
    )


def _auxv(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/auxv").read_bytes()
    except OSError as error:
        raise TargetError(f"process {pid} is gone") from error


def _locks(pid: int) -> list[tuple[int, int]]:
    """Around the words that threads sleep on: the locks that somebody will want to see."""
    found = [parse(counter.syscall) for counter in counters(pid).values()]
    calls = [where.futex for where in found if where is not None]
    words = [call.address for call in calls if call is not None]
    return [
        (start, ((word + _LOCK_REACH) & -PAGE) + PAGE - start)
        for word in words
        if (start := (word - _LOCK_REACH) & -PAGE) > 0
    ]


def _read(memory: ProcessMemory, ranges: Sequence[tuple[int, int]]) -> list[tuple[int, memoryview]]:
    """What of the ranges can be read, without a stop."""
    result = []
    for address, size in ranges:
        with contextlib.suppress(MemoryReadError):
            result.append((address, memoryview(memory.fresh(address, size))))
    return result


class _Preview:
    """The stacks of sleeping threads, followed before anything is stopped."""

    def __init__(self, memory: ProcessMemory, images: Images) -> None:
        self._memory = memory
        unwinder = Unwinder(memory, images)
        self.broken: list[int] = []
        """Threads whose stack cannot be followed without all of their registers."""
        self.elsewhere: list[tuple[int, int]] = []
        """Stacks that threads left for another one (signal stacks, coroutines)."""
        for tid, counter in counters(memory.pid).items():
            where = parse(counter.syscall)
            if where is None:
                continue
            stack = unwinder.unwind(where.stack_pointer, where.address)
            if not stack.complete:
                self.broken.append(tid)
            self.elsewhere += self._elsewhere(where.stack_pointer, stack)
        memory.forget()

    def _elsewhere(self, pointer: int, stack: RawStack) -> Iterator[tuple[int, int]]:
        here = self._memory.mapping_at(pointer)
        for frame in stack.frames:
            if frame.cfa is None or (here and here.start <= frame.cfa <= here.end):
                continue
            here = self._memory.mapping_at(frame.cfa)
            if here:
                begin = max(here.start, (frame.cfa & -PAGE) - PAGE)
                yield begin, min(here.end, begin + _OTHER_STACK) - begin


class _Stacks:
    """The stacks as the own unwinder sees them."""

    def __init__(self, memory: ProcessMemory, images: Images, copied: Copied) -> None:
        unwinder = Unwinder(CopiedMemory(memory, copied.pieces), images)
        count: Counter[str] = Counter()
        self.found: dict[int, dict[int, int]] = {}
        self.same: dict[int, int] = {}
        first: dict[tuple[int, ...], int] = {}
        stopped = {tid: thread.blocked() for tid, thread in copied.stopped.items()}
        for tid, where in {**stopped, **copied.untouched}.items():
            stack = unwinder.unwind(where.stack_pointer, where.address, where.registers)
            self.found[tid] = unwinder.found
            count.update(_module(images, frame.address) for frame in stack.frames)
            addresses = tuple(frame.address for frame in stack.frames)
            self.same[tid] = first.setdefault(addresses, tid) if stack.complete else tid
        self.modules = tuple(path for path, _ in count.most_common() if path.startswith("/"))


def _registers(memory: ProcessMemory, copied: Copied, stacks: _Stacks) -> dict[int, bytes]:
    """``user_regs_struct`` of every thread whose stack was copied."""
    registers = {
        tid: struct.pack(thread.arch.registers.layout, *thread.registers.values())
        for tid, thread in copied.stopped.items()
    }
    code = [range(m.start, m.end) for m in memory.mappings if "x" in m.permissions]
    starts = [address for address, _ in copied.pieces]
    for tid, where in copied.untouched.items():
        index = bisect.bisect_right(starts, where.stack_pointer) - 1
        if index >= 0:
            base, stack = copied.pieces[index]
            if where.stack_pointer < base + len(stack):
                registers[tid] = registers_of(
                    memory.arch, where, stacks.found[tid], (base, stack), code
                )
    return registers


def _module(images: Images, address: int) -> str:
    image = images.at(address)
    return image.mapped_path if image else ""


def _nothing(pid: int, copied: Copied) -> TargetError:
    reason = next(iter(copied.skipped.values()), "it has no threads")
    return TargetError(f"no thread of process {pid} could be stopped: {reason}", access.fix(pid))


def _notices(
    pid: int, copied: Copied, wanted: pages.Needed, root: sysroot.Sysroot
) -> Iterator[Notice]:
    """What is missing in the core, and why."""
    if copied.interrupted:
        count = len(copied.interrupted)
        message = f"{count} thread(s) entered a call as they were stopped, and got EINTR"
        yield Notice(Source.GUARD, message, None, pid)
    for path in wanted.omitted:
        yield Notice(
            Source.GUARD, f"variables of {clean(path)} are too large to be copied", None, pid
        )
    if root.missing:
        names = clean(", ".join(path.rpartition("/")[2] for path in root.missing), 200)
        message = f"files of {len(root.missing)} module(s) are gone or were replaced: {names}"
        yield Notice(Source.GUARD, message, "restart the process, or restore the files", pid)
