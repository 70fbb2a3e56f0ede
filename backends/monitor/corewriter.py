"""Writes the core file of a process that stands still, as the kernel would.

What a file can give again (code, constants) is left out but for each file's first page, which tells
its build id.
"""

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from hangtui import private_file
from hangtui.backends.arch import of_kernel
from hangtui.backends.coredump import elf_format
from hangtui.backends.linux import PAGE
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.mappings import Mapping
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.monitor import requests
from hangtui.backends.monitor.tracer import Fatal
from hangtui.backends.procfs.files import PROC, stat_of
from hangtui.backends.ptrace.stopped_threads import FrozenThread
from hangtui.model import UsageError, clean

_CHUNK = 1 << 20
_SKIPPED = ("[vvar", "[vsyscall]", "/dev/")


def write_core(path: Path, fatal: Fatal) -> None:
    """Write the core of *fatal*, readable by its owner only; all of it or nothing.

    Raises:
        UsageError: it cannot be written there.
        TargetError: the process is gone.
    """
    try:
        with ProcessMemory(fatal.pid) as memory, private_file.writing(path) as file:
            _write(file, memory, fatal)
    except OSError as error:
        raise UsageError(f"cannot write {clean(str(path))}: {error.strerror or error}") from error


def _write(file: BinaryIO, memory: ProcessMemory, fatal: Fatal) -> None:
    mappings = [m for m in memory.mappings if not m.path.startswith(_SKIPPED)]
    following = [*mappings[1:], mappings[-1]]
    segments = [
        elf_format.Segment(one.start, one.end - one.start, _dumped(one, behind), _flags(one))
        for one, behind in zip(mappings, following, strict=True)
    ]
    file.write(elf_format.head(of_kernel(), b"".join(_notes(fatal, mappings)), segments))
    for segment in segments:
        _copy(file, memory, segment.start, segment.in_file)
    file.truncate(file.tell())


def _copy(file: BinaryIO, memory: ProcessMemory, start: int, size: int) -> None:
    """Copy memory; what cannot be read, or is zero, becomes a hole."""
    for offset in range(0, size, _CHUNK):
        length = min(_CHUNK, size - offset)
        for data in _readable(memory, start + offset, length):
            if data.count(0) == len(data):
                file.seek(len(data), os.SEEK_CUR)
            else:
                file.write(data)


def _readable(memory: ProcessMemory, start: int, size: int) -> Iterator[bytes]:
    try:
        yield memory.fresh(start, size)
        return
    except MemoryReadError:
        pass
    for address in range(start, start + size, PAGE):
        try:
            yield memory.fresh(address, PAGE)
        except MemoryReadError:
            yield bytes(PAGE)


def _dumped(mapping: Mapping, following: Mapping) -> int:
    """How many bytes of a mapping are written."""
    if "r" not in mapping.permissions:
        return 0
    if "w" in mapping.permissions or not mapping.path.startswith("/"):
        return mapping.end - mapping.start
    if (
        following.path == mapping.path
        and "w" in following.permissions
        and "x" not in (mapping.permissions)
    ):
        return mapping.end - mapping.start  # ld.so wrote into it before it became read-only
    return PAGE if mapping.offset == 0 else 0


def _flags(mapping: Mapping) -> int:
    return sum(
        bit for letter, bit in (("r", 4), ("w", 2), ("x", 1)) if letter in mapping.permissions
    )


def _notes(fatal: Fatal, mappings: list[Mapping]) -> Iterator[bytes]:
    note, shown = elf_format.note, [(m, m.path) for m in mappings if m.path.startswith("/")]
    crashed = next(thread for thread in fatal.threads if thread.tid == fatal.tid)
    yield note(elf_format.NT_PRSTATUS, _status(fatal, crashed))
    yield note(elf_format.NT_PRPSINFO, _info(fatal.pid))
    yield note(elf_format.NT_SIGINFO, requests.raw_signal_info(fatal.tid))
    yield note(elf_format.NT_AUXV, Path(f"/proc/{fatal.pid}/auxv").read_bytes())
    yield note(elf_format.NT_FILE, elf_format.files(shown))
    for thread in fatal.threads:
        if thread is not crashed:
            yield note(elf_format.NT_PRSTATUS, _status(fatal, thread))


def _status(fatal: Fatal, thread: FrozenThread) -> bytes:
    arch = thread.arch
    registers = struct.pack(arch.registers.layout, *thread.registers.values())
    return elf_format.thread_status(arch, thread.tid, registers, fatal.info.number, fatal.info.code)


def _info(pid: int) -> bytes:
    root = PROC / str(pid)
    parent = stat_of(root).parent
    words = (root / "cmdline").read_bytes().replace(b"\0", b" ")
    return elf_format.process_info(pid, parent, (root / "comm").read_bytes().strip(), words)
