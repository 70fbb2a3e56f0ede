"""Processes that have as much of something as they can: frames, symbols, unwinding to do."""

import io
import lzma
import os
import shutil
import struct
import sys
import tracemalloc
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from hangtui import findings
from hangtui.backends import precedence
from hangtui.backends.capture import collector
from hangtui.backends.elf import symbols
from hangtui.backends.elf.debug_files import SeparateSymbols
from hangtui.backends.elf.sections import sections
from hangtui.backends.limits import ASKED, BudgetSpentError, Spending
from hangtui.backends.memory.mappings import Mapping, read_mappings
from hangtui.provider import CaptureRequest
from tests.hostile.attacks import hangtui
from tests.hostile.programs import built, dumped, running
from tests.unit.backends.fakes import LiteralMemory

GIB = 1 << 30
needs_gcc = pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc to build a library with")

SELF_DEADLOCK = """
import threading
lock = threading.Lock()
lock.acquire()
print("ready")
lock.acquire()
"""

DEEP = """
import sys, threading
sys.setrecursionlimit(10**6)
lock = threading.Lock()
lock.acquire()
gate = threading.Semaphore(0)
def deep(left):
    if left:
        deep(left - 1)
    else:
        gate.release()
        lock.acquire()
threads, depth = int(sys.argv[1]), int(sys.argv[2])
for _ in range(threads):
    threading.Thread(target=deep, args=(depth,), daemon=True).start()
for _ in range(threads):
    gate.acquire()
print("ready")
threading.Event().wait()
"""

IN_LIBRARY = """
import ctypes, os, sys, threading, time
threads = []
for path in sys.argv[2:]:
    hold = ctypes.CDLL(path).hold
    thread = threading.Thread(target=hold, args=(int(sys.argv[1]),), daemon=True)
    thread.start()
    threads.append(thread)
for thread in threads:
    place = f"/proc/self/task/{thread.native_id}/syscall"
    while not open(place).read().startswith("34 "):  # pause
        time.sleep(0.01)
print("ready")
threading.Event().wait()
"""

HOLD = "#include <unistd.h>\nvoid hold(int n) { pause(); }\n"


@pytest.mark.parametrize("row_size", [65_535, 65_472])
def test_section_headers_of_four_gigabytes(row_size: int, tmp_path: Path) -> None:
    """The rows were read at once, and 65,472 is a multiple of what a row has."""
    program = tmp_path / "python3"
    data = bytearray(Path(sys.executable).resolve().read_bytes())
    struct.pack_into("<Q", data, 40, len(data))
    struct.pack_into("<HHH", data, 58, row_size, 65_535, 0)
    program.write_bytes(data)
    os.truncate(program, len(data) + 5 * GIB)
    program.chmod(0o755)
    library = {"LD_LIBRARY_PATH": f"{sys.base_prefix}/lib", "PYTHONHOME": sys.base_prefix}

    with running(SELF_DEADLOCK, python=str(program), env={**os.environ, **library}) as pid:
        told = dumped(pid, within_s=40, memory_bytes=GIB)

    assert "self-deadlock" in {finding["id"] for finding in told["findings"]}


@pytest.mark.parametrize(
    ("threads", "depth"), [(20, 5_000), pytest.param(100, 25_000, marks=pytest.mark.thorough)]
)
def test_threads_with_thousands_of_frames_each(threads: int, depth: int) -> None:
    with running(DEEP, str(threads), str(depth)) as pid:
        told = dumped(pid, within_s=60, memory_bytes=GIB)
    (process,) = told["processes"]
    depths = [len(thread["python_stack"]) for thread in process["threads"]]

    assert process["incomplete"] == ["Python frames"]
    assert any("of all threads" in notice["message"] for notice in told["notices"])
    assert len(depths) == threads + 1
    assert sum(depths) <= ASKED.frames + len(depths) * ASKED.frames_each
    assert sorted(depths)[1] >= 300  # each has its share, but for the main thread
    innermost = [thread["python_stack"][0]["function"] for thread in process["threads"]]
    assert innermost.count("deep") == threads


def test_what_was_read_in_part_is_not_called_well() -> None:
    with running(DEEP, "1", "25000") as pid:
        done = hangtui("check", "--looks", "1", str(pid))

    assert done.returncode == 2, done.stdout
    assert "nothing wrong" not in done.stdout
    assert f"process {pid} was not looked at well enough" in done.stderr


@pytest.mark.parametrize(("depth", "incomplete"), [(19_000, []), (25_000, ["Python frames"])])
def test_one_thread_may_recurse_for_long(depth: int, incomplete: list[str]) -> None:
    with running(DEEP, "1", str(depth)) as pid:
        told = dumped(pid, within_s=60, memory_bytes=GIB)
    (process,) = told["processes"]
    stack = max((thread["python_stack"] for thread in process["threads"]), key=len)

    assert process["incomplete"] == incomplete
    assert sum(frame["function"] == "deep" for frame in stack) == min(depth + 1, 20_000)


TABLES = """
import threading
def number(value):
    digits = [value & 63]
    while value > 63:
        value >>= 6
        digits.append(value & 63 | 64)
    return bytes(reversed(digits))
def chained(count):
    rows = (number(n) + number(1) + number(n + 1) + number(0) for n in range(count))
    return b"".join(rows)[: 1 << 20]
lock = threading.Lock()
lock.acquire()
def hold(left):
    if left:
        hold(left - 1)
    else:
        print("ready")
        lock.acquire()
code = hold.__code__
endless = bytes([128 | 13 << 3]) + b"\\x7f" * ((1 << 20) - 8)
table, kept = chained(150_000), []
def again(left):
    # What has been read of one code object is known of all frames that run it.
    made = code.replace(co_exceptiontable=table, co_linetable=endless, co_firstlineno=left + 1)
    kept.append(type(hold)(made, {**globals(), "hold": again} if left else globals()))
    kept[-1](left)
again(200)
"""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the tables are those of CPython 3.11")
def test_tables_of_code_that_lead_from_one_entry_to_the_next() -> None:
    with running(TABLES) as pid:
        told = dumped(pid, within_s=40, memory_bytes=GIB)
    (process,) = told["processes"]
    (stack,) = [thread["python_stack"] for thread in process["threads"]]

    assert process["incomplete"] == ["texts and tables"]
    assert sum(frame["function"] == "hold" for frame in stack) >= 50


@needs_gcc
def test_unwinding_programs_that_remember_and_recall_without_end(tmp_path: Path) -> None:
    """520 KB of DW_CFA_remember_state and restore_state at each of 400 return addresses."""
    calls = "\n".join(f"case {n}: hold({n - 1}); break;" for n in range(1, 401))
    loop = r'asm volatile(".rept 260000\n.cfi_escape 0x0a,0x0b\n.endr");'
    source = f"#include <unistd.h>\nvoid hold(int n) {{ {loop}\n"
    source += f"switch (n) {{ case 0: pause(); break;\n{calls}\n}} }}\n"
    library = built(source, tmp_path / "loop.so")

    with running(IN_LIBRARY, "400", str(library)) as pid:
        told = dumped(pid, within_s=60, memory_bytes=GIB)
    (process,) = told["processes"]

    assert process["incomplete"] == ["native frames"]
    assert any("steps were made to unwind" in notice["message"] for notice in told["notices"])
    held = [
        [frame["function"] for frame in thread["native_stack"] if frame["function"] == "hold"]
        for thread in process["threads"]
    ]
    assert max(map(len, held)) >= 1


@needs_gcc
def test_an_index_of_unwinding_that_lies_about_its_size(tmp_path: Path) -> None:
    library = built(HOLD, tmp_path / "lies.so")
    data = bytearray(library.read_bytes())
    (table,) = struct.unpack_from("<Q", data, 32)
    (count,) = struct.unpack_from("<H", data, 56)
    for at in range(table, table + 56 * count, 56):
        kind, _, offset = struct.unpack_from("<IIQ", data, at)
        if kind == 0x6474E550:  # PT_GNU_EH_FRAME
            struct.pack_into("<I", data, offset + 8, 0x7FFF_FFFF)
    library.write_bytes(data)

    with running(IN_LIBRARY, "0", str(library)) as pid:
        told = dumped(pid, within_s=40, memory_bytes=GIB)
    (process,) = told["processes"]

    assert all(len(thread["python_stack"]) > 0 for thread in process["threads"])


def with_symbols(library: Path, count: int) -> bytes:
    """The library with a ``.symtab`` of so many functions."""
    data = bytearray(library.read_bytes())
    data += bytes(-len(data) % 64)
    table = len(data)
    data += b"".join(
        struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 0x100000 + 16 * n, 8) for n in range(count)
    )
    strings = len(data)
    data += b"\0evil\0".ljust(64, b"\0")
    headers = len(data)
    data += bytes(64)
    data += struct.pack("<IIQQQQIIQQ", 1, 2, 0, 0, table, 24 * count, 2, 0, 8, 24)
    data += struct.pack("<IIQQQQIIQQ", 1, 3, 0, 0, strings, 6, 0, 0, 1, 0)
    struct.pack_into("<Q", data, 40, headers)
    struct.pack_into("<HHH", data, 58, 64, 3, 2)
    return bytes(data)


@needs_gcc
def test_symbols_are_bounded_over_all_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = built(HOLD, tmp_path / "hold.so")
    content = with_symbols(library, 50_000)
    paths = [tmp_path / f"l{number}.so" for number in range(6)]
    for path in paths:
        path.write_bytes(content)
    own = replace(ASKED, symbol_bytes=5 << 20)
    monkeypatch.setattr(collector, "limits_for", lambda **_: own)
    monkeypatch.setattr(symbols, "_KEPT", {})

    with running(IN_LIBRARY, "0", *map(str, paths)) as pid:
        *_, capture = collector.collect(CaptureRequest((pid,)))
    (process,) = capture.processes

    assert process.incomplete == ("symbols",)
    assert any("5 MiB of all modules" in notice.message for notice in capture.notices)
    assert sum(bool(thread.native_stack) for thread in process.threads) == 7
    assert all("orphaned" not in finding.id for finding in findings.run(capture))


# -- compressed symbols ---------------------------------------------------------------------------


class FileMemory(LiteralMemory):
    """A process that has mapped one file."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self._content = content

    def open_mapped(self, first: Mapping) -> io.BytesIO:  # noqa: ARG002
        return io.BytesIO(self._content)


def with_debugdata(packed: bytes) -> bytes:
    """An ELF file with nothing but ``.gnu_debugdata``."""
    names = b"\0.gnu_debugdata\0"
    header = bytearray(b"\x7fELF\x02\x01\x01".ljust(64, b"\0"))
    body = bytes(header) + packed + names
    at = len(body)
    rows = bytes(64)
    rows += struct.pack("<IIQQQQIIQQ", 1, 1, 0, 0, 64, len(packed), 0, 0, 1, 0)
    rows += struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 64 + len(packed), len(names), 0, 0, 1, 0)
    data = bytearray(body + rows)
    struct.pack_into("<Q", data, 40, at)
    struct.pack_into("<HHH", data, 58, 64, 3, 2)
    return bytes(data)


def found_in(packed: bytes) -> int:
    first = Mapping(0, 0x1000, "r-xp", 0, 1, "/lib/target.so")
    found = SeparateSymbols(FileMemory(with_debugdata(packed)), first, None, 0)
    return len(found.find().starts)


def inner(count: int) -> bytes:
    """An ELF file with a symbol table."""
    header = bytearray(b"\x7fELF\x02\x01\x01".ljust(64, b"\0"))
    rows = [struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 0x1000 + 16 * n, 8) for n in range(count)]
    table = b"".join(rows)
    strings = b"\0name\0"
    at = 64 + len(table) + len(strings)
    struct.pack_into("<Q", header, 40, at)
    struct.pack_into("<HHH", header, 58, 64, 3, 2)
    sections_ = bytes(64)
    sections_ += struct.pack("<IIQQQQIIQQ", 0, 2, 0, 0, 64, len(table), 2, 0, 8, 24)
    sections_ += struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 64 + len(table), 6, 0, 0, 1, 0)
    return bytes(header) + table + strings + sections_


def test_compressed_symbols_are_read() -> None:
    assert found_in(lzma.compress(inner(50))) == 50
    assert found_in(lzma.compress(inner(50), preset=9)) == 50


def test_without_lzma_compressed_symbols_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python that was built where its headers were missing has none."""
    packed = lzma.compress(inner(50))
    monkeypatch.setitem(sys.modules, "lzma", None)
    assert found_in(packed) == 0


def test_compressed_symbols_that_ask_for_four_gigabytes_are_refused() -> None:
    packed = bytearray(lzma.compress(inner(50)))
    end = 12 + 4 * (packed[12] + 1)
    assert packed[14:16] == b"\x21\x01"  # the filter LZMA2 with one byte of properties
    packed[16] = 40  # its dictionary has 4 GiB - 1
    packed[end - 4 : end] = struct.pack("<I", zlib.crc32(packed[12 : end - 4]))

    assert found_in(bytes(packed)) == 0


def test_compressed_symbols_that_never_end_are_cut_off() -> None:
    packer = lzma.LZMACompressor()
    packed = b"".join(packer.compress(bytes(16 << 20)) for _ in range(6)) + packer.flush()
    content = with_debugdata(packed)
    first = Mapping(0, 0x1000, "r-xp", 0, 1, "/lib/target.so")

    tracemalloc.start()
    try:
        assert not SeparateSymbols(FileMemory(content), first, None, 0).find().starts
        assert tracemalloc.get_traced_memory()[1] < 60 << 20
    finally:
        tracemalloc.stop()


# -- what names and numbers a file may have -------------------------------------------------------


def test_sections_without_an_end_of_their_names() -> None:
    rows = 5000
    names = b"x" * (1 << 20)
    header = bytearray(b"\x7fELF\x02\x01\x01".ljust(64, b"\0"))
    struct.pack_into("<Q", header, 40, 64 + len(names))
    struct.pack_into("<HHH", header, 58, 64, rows, 0)
    row = struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 64, len(names), 0, 0, 1, 0)

    found = sections(io.BytesIO(bytes(header) + names + rows * row))

    assert len(found) == rows
    assert all(len(section.name) <= 256 for section in found)


def test_an_offset_that_no_file_has() -> None:
    header = bytearray(b"\x7fELF\x02\x01\x01".ljust(64, b"\0"))
    struct.pack_into("<Q", header, 40, (1 << 64) - 1)
    struct.pack_into("<HHH", header, 58, 64, 3, 0)

    with pytest.raises(OSError, match="nothing lies at"):
        sections(io.BytesIO(bytes(header)))


def test_a_mapped_file_whose_name_has_signs_that_end_lines_elsewhere(tmp_path: Path) -> None:
    strange = tmp_path / "a\x0bb\x1cc\x85d\u2028e"
    strange.write_bytes(bytes(4096))
    program = "import mmap, sys, time\nf = open(sys.argv[1], 'rb')\n"
    program += "m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)\nprint('ready')\ntime.sleep(99)\n"

    with running(program, str(strange)) as pid:
        paths = {mapping.path for mapping in read_mappings(pid, Spending())}

    assert str(strange) in paths


def test_a_checksum_stops_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    # The time for which we get no processor does not count, and here any is more than there is.
    monkeypatch.setattr(precedence, "queued_s", lambda: 0.0)
    content = bytes(range(256)) * (20 << 10)
    memory = FileMemory(b"")
    separate = SeparateSymbols(memory, Mapping(0, 0x1000, "r-xp", 0, 1, "/lib/a.so"), None, 0)
    memory.spent = Spending(replace(ASKED, seconds=0))

    assert separate._checksum(io.BytesIO(content)) == zlib.crc32(content)
    with memory.spent.clock(), pytest.raises(BudgetSpentError):
        separate._checksum(io.BytesIO(content))
