"""Readers over random bytes: they say that memory cannot be read, and nothing else."""

import contextlib
import struct

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hangtui.backends.cpython import code as codes
from hangtui.backends.cpython import line_tables as lines
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frames
from hangtui.backends.cpython.instrumented import original
from hangtui.backends.cpython.layouts import SUPPORTED, Layout, LayoutError, load
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.elf import cfi
from hangtui.backends.elf.symbols import SymbolTable
from hangtui.backends.libc.futex import FutexCall, FutexDecoder
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError
from hangtui.backends.unwind.native_stacks import NamedFrame
from hangtui.backends.unwind.unwinder import RawFrame
from tests.shares import examples
from tests.unit.backends.fakes import LiteralMemory

pytestmark = pytest.mark.slow

# A busy machine makes examples slowly, and that is no fault of what reads them.
BUSY = settings(
    deadline=None, max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow]
)

BASE = 0x10000
SIZE = 4096
POINTERS = st.integers(BASE // 8, (BASE + SIZE) // 8).map(lambda number: 8 * number)
WORDS = st.one_of(POINTERS, st.integers(0, 40), st.integers(0, (1 << 64) - 1))
MEMORY = st.lists(WORDS, min_size=64, max_size=SIZE // 8).map(
    lambda words: LiteralMemory((BASE, struct.pack(f"<{len(words)}Q", *words).ljust(SIZE, b"\0")))
)


def _layout(name: str) -> Layout:
    return load((3, int(name.rstrip("t")[2:]), 0), free_threaded=name.endswith("t"))


LAYOUTS = st.sampled_from(SUPPORTED).map(_layout)
EXPECTED = (MemoryReadError, LayoutError)


@BUSY
@given(MEMORY, LAYOUTS, POINTERS)
def test_objects(memory: LiteralMemory, layout: Layout, address: int) -> None:
    objects = Objects(memory, layout)
    for read in (
        *(objects.text, objects.data, objects.tuple_items, objects.integer, objects.named),
        *(objects.qualified_type, objects.function_code, objects.cell_contents),
        lambda at: objects.class_attribute(at, "__enter__"),
    ):
        with contextlib.suppress(*EXPECTED):
            read(address)
    assert isinstance(objects.attributes(address), dict)
    assert objects.kind(address) is None or isinstance(objects.kind(address), str)
    assert objects.bound_to(address) >= 0


@BUSY
@given(MEMORY, LAYOUTS, POINTERS)
def test_frames(memory: LiteralMemory, layout: Layout, address: int) -> None:
    objects = Objects(memory, layout)
    frames = Frames(objects, CodeReader(objects))
    with contextlib.suppress(*EXPECTED):
        list(frames.walk(address))
    with contextlib.suppress(*EXPECTED):
        frames.suspended(address)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", ["3.13", "3.13t", "3.14", "3.15"])
def test_a_ring_of_shims_ends(name: str) -> None:
    layout = _layout(name)
    state, shim = BASE, BASE + SIZE // 2
    data = bytearray(SIZE)
    struct.pack_into("<Q", data, layout["tstate.current_frame"], shim)
    struct.pack_into("<Q", data, SIZE // 2 + layout["iframe.previous"], shim)
    data[SIZE // 2 + layout["iframe.owner"]] = 3
    objects = Objects(LiteralMemory((BASE, bytes(data))), layout)
    with pytest.raises(DamagedDataError, match="without an end"):
        list(Frames(objects, CodeReader(objects)).walk(state))


@BUSY
@given(MEMORY, LAYOUTS, POINTERS, st.binary(max_size=400))
def test_overwritten_instructions(
    memory: LiteralMemory, layout: Layout, address: int, instructions: bytes
) -> None:
    instructions = instructions[: len(instructions) & ~1]
    restored = original(memory, layout, address, instructions)
    assert restored[1::2] == instructions[1::2]


@BUSY
@given(st.binary(max_size=400), st.integers(0, 2000))
def test_tables_of_code(table: bytes, offset: int) -> None:
    codes.parse_exception_table(table)
    for reader in (lines.line_before_3_10, lines.line_in_3_10, lines.line_since_3_11):
        with contextlib.suppress(IndexError):  # which line_of takes for damage
            reader(table, 1, offset)


@BUSY
@given(st.binary(max_size=300), st.binary(max_size=300), st.integers(0, 4000))
def test_unwind_programs(initial: bytes, program: bytes, address: int) -> None:
    cie = cfi.Cie(1, -8, 0x1B, True, False, initial)
    with contextlib.suppress(DamagedDataError):
        cfi.run(cfi.Fde(0, 4000, cie, program), address)


@BUSY
@given(st.binary(max_size=600), st.binary(max_size=200), st.integers(0, 1 << 48))
def test_symbol_tables(raw: bytes, strings: bytes, address: int) -> None:
    table = SymbolTable.parse(raw, strings, 0)
    table.around(address)
    table.starting_at(address)
    assert len(table.starts) <= len(raw) // 24


@BUSY
@given(
    MEMORY,
    POINTERS,
    st.sampled_from((0x80, 0x189, 0x109, 0x86, 0, 0x10D)),
    st.sampled_from((0, 1, 2, 3, 0x80000046, 0x10100)),
    st.sampled_from(("pthread_mutex_lock", "pthread_rwlock_wrlock", "syscall", "")),
)
def test_futex_words(
    memory: LiteralMemory, address: int, operation: int, value: int, name: str
) -> None:
    frames = [NamedFrame(RawFrame(0x1000, None, False), frozenset({name}))]
    call = FutexCall(address, operation, value, 0)
    FutexDecoder(memory, {70: 7070}).decode(call, frames)
