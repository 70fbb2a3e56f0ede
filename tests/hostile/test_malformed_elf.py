"""Damaged ELF and DWARF given to gdb costs at most what gdb would have said, and is a notice."""

import os
import random
import shutil
import struct
import time
from pathlib import Path

import pytest

from hangtui.backends.capture.collector import collect
from hangtui.backends.elf.sections import sections
from hangtui.provider import CaptureRequest, NativeMode
from tests.hostile.attacks import needs_root, nobodys
from tests.integration.native_programs import await_sleep, build

pytestmark = [
    pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb"),
    pytest.mark.skipif(shutil.which("gcc") is None, reason="no compiler"),
    needs_root,
]
_ROUNDS = int(os.environ.get("HANGTUI_FUZZ_ROUNDS", "10"))
_LONGEST_S = 100
"""A minute for gdb, and the rest for a busy machine."""


def damage(program: Path, seed: int) -> None:
    """Change what the kernel does not look at: debug information, symbols, the section table."""
    chance = random.Random(seed)
    content = bytearray(program.read_bytes())
    with program.open("rb") as file:
        found = [s for s in sections(file) if s.name.startswith(".debug") or not s.address]
    (table,) = struct.unpack_from("<Q", content, 40)
    for _ in range(chance.choice((1, 4, 40, 400))):
        area = chance.choice([(s.offset, s.size) for s in found if s.size] + [(table, 40 * 64)])
        at = area[0] + chance.randrange(area[1])
        if at < len(content):
            content[at] = chance.choice((0, 0xFF, 0x7F, 0x80, chance.randrange(256)))
    if chance.random() < 0.2:
        struct.pack_into("<Q", content, 40, chance.choice((1, 1 << 62, len(content) - 64, 64)))
    if chance.random() < 0.2:
        struct.pack_into("<HHH", content, 58, *(chance.choice((0, 64, 65535)) for _ in range(3)))
    program.write_bytes(content)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(_ROUNDS))
def test_a_damaged_program(shared: Path, seed: int) -> None:
    program = build("leading_elsewhere.c", shared / "program", "-g3")
    damage(program, seed)
    with nobodys(program, "-") as process:
        await_sleep(process.pid)
        began = time.monotonic()
        *_, capture = collect(CaptureRequest(pids=(process.pid,), native=NativeMode.GDB))
        assert time.monotonic() - began < _LONGEST_S

    (thread,) = capture.threads()
    assert thread.native_stack or any(notice.source == "gdb" for notice in capture.notices)
    assert len(capture.notices) < 10
