"""A capture out of a core file, by the same readers as of a live process."""

import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from hangtui.backends.capture.stopped_reader import Stopped, read_stopped
from hangtui.backends.coredump.elfcore import Core, parse
from hangtui.backends.coredump.memory import CoreMemory
from hangtui.backends.coredump.opened import open_core
from hangtui.backends.crash.reading import FatalSignal
from hangtui.backends.crash.signals import FATAL
from hangtui.backends.elf.images import Images
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.procfs import secrets, syscalls
from hangtui.backends.ptrace.stopped_threads import FrozenThread, SignalInfo
from hangtui.model import Capture, Notice, Process, Source, Thread, clean

_MAX_ARGUMENTS = 4096


def read_core(path: str, root: str | None = None) -> Capture:
    """The capture that the core file *path* holds; *root*: where its machine's files lie.

    Raises:
        InputError: it is damaged, of another machine, or compressed and cannot be unpacked.
        OSError: it cannot be read.
    """
    started = time.monotonic()
    place = Path(path)
    file, size = open_core(place)
    try:
        core = parse(file, size)
    except BaseException:
        file.close()
        raise
    with CoreMemory(core, file, root) as memory:
        capture = _capture(core, memory, place)
    return replace(capture, took_ms=(time.monotonic() - started) * 1000)


def _capture(core: Core, memory: CoreMemory, path: Path) -> Capture:
    frozen = [
        FrozenThread.of(one.tid, one.registers, core.arch, memory) for one in core.notes.threads
    ]
    images = Images(memory)
    notices = list[Notice]()
    if core.truncated:
        fix = "look for 'ulimit -c' and the limits of systemd-coredump where it was written"
        notices.append(Notice(Source.CORE, "the core file is cut off: facts are missing", fix))
    base = Capture(
        taken_at=datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(),
        host="",
        origin=clean(str(path)),
        notices=(*notices, *_empty_stacks(memory, frozen)),
    )
    process = _process(core, memory, images, frozen)
    stopped = Stopped(process, memory, images, frozen, _fatal(core, memory), live=False)
    capture = read_stopped(stopped, base)
    crash, pid = capture.crash, process.pid
    return replace(
        capture,
        processes=tuple(replace(one, stopped_for_ms=None) for one in capture.processes),
        crash=replace(crash, file=clean(str(path))) if crash else None,
        notices=(
            *capture.notices,
            *memory.files.notices(),
            *memory.root.budget.notices(pid),
        ),
    )


def _empty_stacks(memory: CoreMemory, frozen: list[FrozenThread]) -> list[Notice]:
    """That the stacks of some threads were not written.

    gdb up to 16 gives up a mapping at its first unreadable page, and glibc 2.42 and newer have such
    guard pages within the mapping of each thread's stack.
    """
    tops = [memory.words_upward(one.stack_pointer, 2048) for one in frozen]
    empty = sum(bool(words) and not any(words) for words in tops)
    if not empty:
        return []
    message = f"the core file has no stack of {empty} of {len(frozen)} threads: what they do and"
    message += " wait for is not known"
    fix = "hangtui record PID instead of gcore; cores that the kernel writes are whole"
    return [Notice(Source.CORE, message, fix)]


def _process(core: Core, memory: CoreMemory, images: Images, frozen: list[FrozenThread]) -> Process:
    notes = core.notes
    name = clean(notes.name)
    threads = tuple(
        Thread(
            pid=notes.pid,
            tid=thread.tid,
            name=name,
            comm=name,
            state="S" if thread.call >= 0 else "R",
            syscall=syscalls.describe(thread.syscall_line, lambda _: None, core.arch),
        )
        for thread in sorted(frozen, key=lambda one: one.tid)
    )
    program = memory.mapping_at(core.entry)
    return Process(
        pid=notes.pid,
        ppid=notes.ppid,
        cmdline=tuple(map(clean, secrets.mask(_arguments(core, memory, images)))),
        state="S",
        exe=clean(program.path) if program and program.path else None,
        threads=threads,
    )


def _arguments(core: Core, memory: Memory, images: Images) -> list[str]:
    """The command line from the stack, where ld.so knows it; else its beginning from the notes."""
    try:
        for image in images.matching(("ld-linux", "ld-2", "ld.so")):
            variable = image.exported("_dl_argv")
            if variable is None:
                continue
            vector = memory.u64(variable)
            count = min(memory.u64(vector - 8), _MAX_ARGUMENTS)
            words = [memory.c_string(word, 4096) for word in memory.words(vector, count)]
            if words:
                return words
    except DamagedDataError:
        pass
    return core.notes.arguments.split()


def _fatal(core: Core, memory: Memory) -> FatalSignal | None:
    """The thread that the signal came to: the kernel writes it first."""
    first = core.notes.threads[0]
    number = first.info.number if first.info else first.signal
    if number not in FATAL:
        return None
    info = first.info or SignalInfo(number, 0, None, None)
    return FatalSignal(FrozenThread.of(first.tid, first.registers, core.arch, memory), info)
