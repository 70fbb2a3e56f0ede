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
