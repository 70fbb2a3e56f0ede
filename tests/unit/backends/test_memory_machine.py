"""Processes of other machines and C libraries, by what is mapped into them."""

import os
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hangtui.backends.arch import AARCH64, X86_64, of_kernel
from hangtui.backends.libc.thread_descriptor import tid_of
from hangtui.backends.memory import machine
from hangtui.backends.memory.c_library import CLibrary, c_library
from hangtui.backends.memory.mappings import Mapping
from hangtui.backends.memory.process_memory import ProcessMemory

MACHINE = of_kernel().kernel_name


class Pretended(ProcessMemory):
    """Our own memory, but with another program's header and mappings."""

    header = b""

    def read(self, address: int, size: int) -> bytes:
        """The header at the one address that is mapped."""
        return self.header[:size] if address == 0x1000 else super().read(address, size)


@pytest.fixture
def memory() -> Iterator[Pretended]:
    """A process whose program lies at 0x1000."""
    with Pretended(os.getpid()) as own:
        own.mappings = (Mapping(0x1000, 0x2000, "r--p", 0, 1, "/usr/bin/python3"),)
        yield own


def _header(bits: int, number: int) -> bytes:
    return b"\x7fELF" + bytes([bits // 32, 1, 1]) + bytes(9) + struct.pack("<HH", 3, number)


@pytest.mark.parametrize(
    ("bits", "number", "expected"),
    [
        *((64, 62, None), (64, 183, None)),
        *((32, 3, "x86, 32 bits"), (32, 62, "x32"), (32, 183, "aarch64, 32 bits")),
        *((64, 243, "RISC-V"), (64, 7, "ELF machine 7")),
    ],
)
def test_the_machine_is_in_the_header(
    bits: int, number: int, expected: str | None, memory: Pretended
) -> None:
    memory.header = _header(bits, number)
    assert machine.foreign(memory) == expected


def test_what_an_emulator_maps_is_not_what_it_runs(memory: Pretended) -> None:
    memory.header = _header(64, 183)
    guest = memory.mappings[0]
    memory.mappings = (replace(guest, path="/usr/bin/qemu-aarch64-static"), guest)
    assert (memory.arch, memory.emulator) == (AARCH64, "qemu-aarch64-static")


def test_code_of_another_processor_is_emulated(memory: Pretended) -> None:
    other = AARCH64 if of_kernel() is X86_64 else X86_64
    memory.header = _header(64, other.machine)
    assert memory.emulator == "an emulator"


def test_we_ourselves_are_no_foreigner() -> None:
    with ProcessMemory(os.getpid()) as own:
        assert machine.foreign(own) is None
        assert (own.arch, own.emulator) == (of_kernel(), None)
        assert machine.foreign_library(own) is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (f"/lib/ld-musl-{MACHINE}.so.1", "its C library is musl"),
        (f"/lib/libc.musl-{MACHINE}.so.1", "its C library is musl"),
        (f"/usr/lib/{MACHINE}-linux-musl/libc.so", "its C library is musl"),
        ("/lib/ld-musl-armhf.so.1", "its C library is not glibc, or is linked into the program"),
        ("/usr/lib/x86_64-linux-gnu/libc.so.6", None),
        ("/lib/libc-2.28.so", None),
        ("/old/libc.so.6 (deleted)", None),
        ("/usr/lib/libm.so.6", "its C library is not glibc, or is linked into the program"),
    ],
)
def test_the_c_library_is_told_by_its_file(
    path: str, expected: str | None, memory: Pretended
) -> None:
    memory.mappings += (replace(memory.mappings[0], start=0x3000, end=0x4000, path=path),)
    assert machine.foreign_library(memory) == expected


def test_the_c_library_of_an_emulator_is_not_the_programs() -> None:
    paths = ["/lib/x86_64-linux-gnu/libc.so.6", "/guest/lib/ld-musl-aarch64.so.1"]
    assert c_library(paths, "aarch64") is CLibrary.MUSL
    assert c_library(paths, "x86_64") is CLibrary.GLIBC


def test_a_descriptor_that_does_not_point_to_itself_has_no_tid() -> None:
    with ProcessMemory(os.getpid()) as own:
        stack = next(m for m in own.mappings if Path(m.path).name == "[stack]")
        assert tid_of(own, (stack.end - 0x1000) & ~63) is None
        assert tid_of(own, 0) is None
        assert tid_of(own, 8) is None
