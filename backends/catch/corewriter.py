"""Writes the core file of a process that stands still, as the kernel would.

Layouts are the kernel's for x86-64 (linux/elfcore.h); what a file can give again (code, constants)
is left out but for each file's first page, which tells its build id.
"""

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from hangtui.backends.catch import ptrace
from hangtui.backends.catch.tracer import Fatal
from hangtui.backends.frozen import REGISTER_NAMES, FrozenThread
from hangtui.backends.memory import PAGE, Mapping, MemoryReadError, ProcessMemory
from hangtui.model import UsageError, clean

_ET_CORE, _EM_X86_64, _PT_LOAD, _PT_NOTE = 4, 62, 1, 4
_NT_PRSTATUS, _NT_PRPSINFO, _NT_AUXV = 1, 3, 6
_NT_SIGINFO, _NT_FILE = 0x53494749, 0x46494C45
_CHUNK = 1 << 20
_MAX_SEGMENTS = 0xFFFE
"""More would need a section header; vm.max_map_count is 65,530 by default."""
_SKIPPED = ("[vvar", "[vsyscall]", "/dev/")


def write_core(path: Path, fatal: Fatal) -> None:
    """Write the core of *fatal*, readable by its owner only.

    Raises:
        UsageError: it cannot be written there.
        TargetError: the process is gone.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as file, ProcessMemory(fatal.pid) as memory:
            _write(file, memory, fatal)
    except OSError as error:
        raise UsageError(f"cannot write {clean(str(path))}: {error.strerror}") from error


def _write(file: BinaryIO, memory: ProcessMemory, fatal: Fatal) -> None:
    mappings = [m for m in memory.mappings if not m.path.startswith(_SKIPPED)][:_MAX_SEGMENTS]
    sizes = [_dumped(*pair) for pair in zip(mappings, [*mappings[1:], mappings[-1]], strict=True)]
    notes = b"".join(_notes(fatal, mappings))
    count = 1 + len(mappings)
    start = 64 + 56 * count
    at = _rounded(start + len(notes))
    headers = [struct.pack("<IIQQQQQQ", _PT_NOTE, 0, start, 0, 0, len(notes), len(notes), 4)]
    for mapping, size in zip(mappings, sizes, strict=True):
        length = mapping.end - mapping.start
        headers.append(
            struct.pack(
                "<IIQQQQQQ", _PT_LOAD, _flags(mapping), at, mapping.start, 0, size, length, PAGE
            )
        )
        at += size
    identity = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    file.write(
        identity
        + struct.pack(
            "<HHIQQQIHHHHHH", _ET_CORE, _EM_X86_64, 1, 0, 64, 0, 0, 64, 56, count, 0, 0, 0
        )
    )
    file.write(b"".join(headers) + notes)
    file.seek(_rounded(start + len(notes)))
    for mapping, size in zip(mappings, sizes, strict=True):
        _copy(file, memory, mapping.start, size)
    file.truncate(at)


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
    crashed = next(thread for thread in fatal.threads if thread.tid == fatal.tid)
    yield _note(_NT_PRSTATUS, _status(fatal, crashed))
    yield _note(_NT_PRPSINFO, _info(fatal.pid))
    yield _note(_NT_SIGINFO, ptrace.raw_signal_info(fatal.tid))
    yield _note(_NT_AUXV, Path(f"/proc/{fatal.pid}/auxv").read_bytes())
    yield _note(_NT_FILE, _files(mappings))
    for thread in fatal.threads:
        if thread is not crashed:
            yield _note(_NT_PRSTATUS, _status(fatal, thread))


def _note(kind: int, body: bytes) -> bytes:
    header = struct.pack("<III", 5, len(body), kind) + b"CORE\0\0\0\0"
    return header + body.ljust(len(body) + 3 & ~3, b"\0")


def _status(fatal: Fatal, thread: FrozenThread) -> bytes:
    """``struct elf_prstatus``: the signal, the TID and the registers."""
    number, registers = fatal.info.number, thread.registers
    words = struct.pack("<27Q", *(registers[name] for name in REGISTER_NAMES))
    head = struct.pack("<iiih2xQQi", number, fatal.info.code, 0, number, 0, 0, thread.tid)
    return (head.ljust(112, b"\0") + words).ljust(336, b"\0")


def _info(pid: int) -> bytes:
    """``struct elf_prpsinfo``: the PIDs, the name and the beginning of the command line."""
    root = Path(f"/proc/{pid}")
    fields = (root / "stat").read_text().rpartition(")")[2].split()
    words = (root / "cmdline").read_bytes().replace(b"\0", b" ")[:79]
    ids = struct.pack("<ii", pid, int(fields[1]))
    name = (root / "comm").read_bytes().strip()[:15]
    return bytes(24) + ids + bytes(8) + name.ljust(16, b"\0") + words.ljust(80, b"\0")


def _files(mappings: list[Mapping]) -> bytes:
    shown = [mapping for mapping in mappings if mapping.path.startswith("/")]
    places = b"".join(struct.pack("<QQQ", m.start, m.end, m.offset // PAGE) for m in shown)
    names = b"".join(m.path.encode("utf-8", "surrogateescape") + b"\0" for m in shown)
    return struct.pack("<QQ", len(shown), PAGE) + places + names


def _rounded(size: int) -> int:
    return (size + PAGE - 1) & -PAGE
