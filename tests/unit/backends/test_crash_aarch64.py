"""What instructions of aarch64 do with which memory, and what a handler's frame there holds."""

import struct
from types import SimpleNamespace
from typing import cast

import pytest

from hangtui.backends.arch import AARCH64, of_machine
from hangtui.backends.crash.fault import find_fault
from hangtui.backends.crash.instructions import instructions_of
from hangtui.backends.ptrace.stopped_threads import FrozenThread, SignalInfo
from hangtui.backends.unwind.native_stacks import NativeStacks
from hangtui.backends.unwind.unwinder import RawFrame, RawStack
from hangtui.model import Access
from tests.unit.backends.fakes import LiteralMemory

PC, FRAME = 0x555555555000, 0x7000
NOP = 0xD503201F
REGISTERS = {"x0": 0, "x1": 0x1000, "x2": 3, "sp": 0x7FFF0000}


def memory_of(*places: tuple[int, bytes]) -> LiteralMemory:
    memory = LiteralMemory(*places)
    memory.__dict__["arch"] = AARCH64
    return memory


@pytest.mark.parametrize(
    ("word", "text", "operand", "address", "access"),
    [
        (0xF9400000, "ldr x0, [x0]", "[x0]", 0, Access.READ),
        (0xF9000C22, "str x2, [x1, #0x18]", "[x1+0x18]", 0x1018, Access.WRITE),
        (0xF8627820, "ldr x0, [x1, x2, lsl #3]", "[x1+x2<<3]", 0x1018, Access.READ),
        (0xB85F8020, "ldur w0, [x1, #-8]", "[x1-0x8]", 0xFF8, Access.READ),
        (0xA9BF7BFD, "stp x29, x30, [sp, #-0x10]!", "[sp-0x10]", 0x7FFEFFF0, Access.WRITE),
    ],
)
def test_operands(word: int, text: str, operand: str, address: int, access: Access) -> None:
    pytest.importorskip("capstone", reason="capstone is not installed: pip install capstone")
    memory = memory_of((PC - 24, struct.pack("<13I", *[NOP] * 6, word, *[NOP] * 6)))
    decoder = instructions_of(memory)
    (line,) = (one for one in decoder.around(memory, PC, None) if one.current)
    assert line.text == text
    found = decoder.operand_at(memory, PC, REGISTERS, None)
    assert found is not None
    assert (found.text, found.address, found.access) == (operand, address, access)


def test_code_of_an_unknown_processor_is_not_decoded() -> None:
    memory = LiteralMemory((PC, bytes(64)))
    memory.__dict__["arch"] = of_machine(243)
    decoder = instructions_of(memory)
    assert decoder.around(memory, PC, None) == ()
    assert decoder.operand_at(memory, PC, {}, None) is None


def test_the_fault_before_a_handler_is_found_in_its_frame() -> None:
    info = struct.pack("<iiixxxxQ", 11, 0, 1, 0x18).ljust(128, b"\0")
    saved = [*range(100, 131), 0x7FFF0000, PC, 0]
    frame = info + bytes(184) + struct.pack("<34Q", *saved)
    memory = memory_of((FRAME, frame))
    frames = (
        RawFrame(0x10, FRAME, interrupted=True),  # abort(), called by the handler
        RawFrame(0x20, FRAME + 0x1000, interrupted=False),  # the kernel's way back
        RawFrame(PC, None, interrupted=True),
    )
    native = cast(NativeStacks, SimpleNamespace(raw=lambda _: RawStack(frames, True)))
    thread = FrozenThread.of(7, [0] * 34, AARCH64)
    fault = find_fault(memory, native, thread, SignalInfo(6, -6, None, 7))
    assert fault.handled
    assert (fault.info.number, fault.info.address) == (11, 0x18)
    assert (fault.registers["pc"], fault.registers["x5"]) == (PC, 105)
