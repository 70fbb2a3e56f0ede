"""Memory reads, on this very process."""

import ctypes
import os

import pytest

from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.model import TargetError


def test_what_is_written_is_read() -> None:
    buffer = ctypes.create_string_buffer(b"\x01\xff\xff\xff\xff\xff\xff\xff" + b"text\0" * 4000)
    at = ctypes.addressof(buffer)
    with ProcessMemory(os.getpid()) as memory:
        assert memory.u8(at) == 1
        assert memory.i64(at) == -255
        assert memory.u32(at) == 0xFFFFFF01
        assert memory.c_string(at + 8) == "text"
        assert memory.read(at + 8, 20000) == b"text\0" * 4000


def test_a_page_is_read_once_until_it_is_forgotten() -> None:
    buffer = ctypes.create_string_buffer(b"before")
    at = ctypes.addressof(buffer)
    with ProcessMemory(os.getpid()) as memory:
        assert memory.read(at, 6) == b"before"
        buffer.value = b"after!"
        assert memory.read(at, 6) == b"before"
        assert memory.fresh(at, 6) == b"after!"
        memory.forget()
        assert memory.read(at, 6) == b"after!"


def test_a_word_may_lie_anywhere() -> None:
    data = bytes(range(1, 251)) * 100
    buffer = ctypes.create_string_buffer(data)
    at = ctypes.addressof(buffer)
    with ProcessMemory(os.getpid()) as memory:
        for place in (*range(16), *range(4090 - at % 4096, 4100 - at % 4096)):
            here = at + place % 4096
            wanted = data[place % 4096 : place % 4096 + 8]
            for _ in range(2):  # its page is known the second time
                assert memory.u64(here) == int.from_bytes(wanted, "little")
                assert memory.u32(here) == int.from_bytes(wanted[:4], "little")
                assert memory.i32(here) == int.from_bytes(wanted[:4], "little", signed=True)
                assert memory.u8(here) == wanted[0]


def test_a_word_is_read_anew_once_its_page_is_forgotten() -> None:
    number = ctypes.c_uint64(1)
    at = ctypes.addressof(number)
    with ProcessMemory(os.getpid()) as memory:
        assert (memory.u64(at), memory.u64(at)) == (1, 1)
        number.value = 2
        assert memory.u64(at) == 1
        memory.forget()
        assert memory.u64(at) == 2


@pytest.mark.parametrize("address", [0, 8, -1, -4096, 1 << 63, 1 << 80, (1 << 64) - 8])
def test_an_impossible_address_is_an_error(address: int) -> None:
    with ProcessMemory(os.getpid()) as memory, pytest.raises(MemoryReadError):
        memory.u64(address)


def test_an_impossible_size_is_an_error() -> None:
    buffer = ctypes.create_string_buffer(8)
    with ProcessMemory(os.getpid()) as memory:
        for size in (-1, 1 << 40):
            with pytest.raises(MemoryReadError):
                memory.read(ctypes.addressof(buffer), size)


def test_mappings_hold_their_addresses() -> None:
    buffer = ctypes.create_string_buffer(8)
    with ProcessMemory(os.getpid()) as memory:
        mapping = memory.mapping_at(ctypes.addressof(buffer))
        assert mapping is not None
        assert mapping.start <= ctypes.addressof(buffer) < mapping.end
        assert memory.mapping_at(8) is None


def test_a_process_that_is_gone() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    with pytest.raises(TargetError, match=f"process {child} is gone"):
        ProcessMemory(child)
