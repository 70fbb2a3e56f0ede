"""What the guard copies and whom it leaves alone, and the core file that is made of it."""

import ctypes
import os
import struct
from pathlib import Path

import pytest

from hangtui.backends.arch import X86_64
from hangtui.backends.linux import PAGE
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.minicore.corefile import Content, write
from hangtui.backends.ptrace.freezer import kernel
from hangtui.backends.ptrace.freezer.client import freeze
from hangtui.backends.ptrace.freezer.interruptible import Look, was_interrupted
from hangtui.backends.ptrace.freezer.kernel import Buffer
from hangtui.backends.ptrace.freezer.layout import Mappings, StackPointer, merged
from hangtui.backends.ptrace.requests import libc
from hangtui.model import TargetError


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [
        ([], []),
        ([(8, 4), (0, 4)], [(0, 4), (8, 4)]),
        ([(0, 8), (8, 4)], [(0, 12)]),
        ([(0, 16), (4, 4)], [(0, 16)]),
        ([(0, 0)], []),
    ],
)
def test_the_same_memory_is_copied_once(
    ranges: list[tuple[int, int]], expected: list[tuple[int, int]]
) -> None:
    assert merged(ranges) == expected


def test_memory_behind_an_unreadable_page_is_copied() -> None:
    place = Buffer(3 * PAGE)
    place.memory[0:3] = b"one"
    place.memory[2 * PAGE : 2 * PAGE + 5] = b"three"
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    assert libc.mprotect(place.address + PAGE, PAGE, 0) == 0
    copied = Buffer(4 * PAGE)

    pieces = kernel.copy(os.getpid(), [(place.address, 3 * PAGE), (16, PAGE)], copied)

    assert pieces == [(place.address, PAGE, 0), (place.address + 2 * PAGE, PAGE, 2 * PAGE)]
    assert copied.memory[:3] == b"one"
    assert copied.memory[2 * PAGE : 2 * PAGE + 5] == b"three"


def test_a_stack_reaches_from_its_pointer_to_its_end() -> None:
    mappings = Mappings(os.getpid())
    main = next(mapping for mapping in mappings._all if mapping.is_main_stack)
    pointer = main.end - 3 * PAGE - 8

    (stack,) = mappings.stacks([StackPointer(os.getpid(), pointer, 0)], 8 << 20)

    assert stack == (main.end - 4 * PAGE, 4 * PAGE)
    assert mappings.stacks([StackPointer(os.getpid(), 16, 0)], 8 << 20) == []


def test_reads_are_left_alone_if_a_stop_may_break_them() -> None:
    reader, writer = os.pipe()
    look = Look(os.getpid(), os.getpid())
    try:
        assert not look.must_not_stop(["0", hex(reader), "0", "0"])
        assert look.must_not_stop(["0", "0xfff", "0", "0"])
        assert look.must_not_stop(["232", "0x3", "0", "0"])
        assert not look.must_not_stop(["202", "0x3", "0", "0"])
        assert not look.must_not_stop(["running"])
        assert not look.must_not_stop([])
    finally:
        look.close()
        os.close(reader)
        os.close(writer)
    assert was_interrupted(232, (1 << 64) - 4)
    assert not was_interrupted(202, (1 << 64) - 4)


def test_a_guard_that_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nonexistent")
    with ProcessMemory(os.getpid()) as memory, pytest.raises(TargetError, match="guard"):
        freeze(memory)


def test_newer_memory_counts_in_a_core_file(tmp_path: Path) -> None:
    def memory(text: bytes) -> memoryview:
        return memoryview(text * PAGE)

    old, new = memory(b"o"), memory(b"n")
    content = Content(
        arch=X86_64,
        pid=7,
        registers={9: bytes(216), 7: bytes(216)},
        auxv=bytes(32),
        files=(),
        older=[(0x1000, memoryview(bytes(old) * 3)), (0x9000, old)],
        newer=[(0x2000, new)],
        apart=0x9000,
    )

    with (tmp_path / "core").open("wb") as file:
        size = write(file, content)

    raw = (tmp_path / "core").read_bytes()
    assert size == len(raw)
    (count,) = struct.unpack_from("<H", raw, 56)
    headers = [struct.unpack_from("<IIQQQQQQ", raw, 64 + 56 * n) for n in range(1, count)]
    found = {h[3]: raw[h[2] : h[2] + h[5]] for h in headers}
    assert found == {0x1000: bytes(old) + bytes(new) + bytes(old), 0x9000: bytes(old)}
    assert raw.index(struct.pack("<i", 7), 64 + 56 * count) < raw.index(
        struct.pack("<i", 9), 64 + 56 * count
    )
