"""The descriptions of processors: tables, and code decoded from literal bytes."""

import ast
import re
import struct
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from hangtui.backends import arch
from hangtui.backends.arch import AARCH64, KNOWN, X86_64, Arch
from hangtui.backends.elf.cfi import CfaRule, How, Row, Rule, UnwindError
from hangtui.backends.libc.thread_descriptor import tid_of
from hangtui.backends.memory.c_library import CLibrary
from hangtui.backends.memory.mappings import Mapping
from hangtui.backends.ptrace.freezer import interruptible
from hangtui.backends.ptrace.stopped_threads import FrozenThread
from hangtui.backends.unwind.call_sites import CallSites
from hangtui.backends.unwind.call_target import call_target, calls_register
from hangtui.backends.unwind.tables import UnwindTables
from tests.unit.backends.fakes import LiteralMemory

ROOT = Path(__file__).parents[3]
CODE, TABLE, STACK = 0x10000, 0x20000, 0x30000
NOP, RET, BTI_C, BLR_X3 = 0xD503201F, 0xD65F03C0, 0xD503245F, 0xD63F0060


def memory_of(processor: Arch, *places: tuple[int, bytes]) -> LiteralMemory:
    """Literal memory of a process on that processor; what lies at `CODE` is executable."""
    memory = LiteralMemory(*places)
    memory.mappings = tuple(
        Mapping(m.start, m.end, "r-xp" if m.start == CODE else "rw-p", 0, 0, "")
        for m in memory.mappings
    )
    memory.__dict__["arch"] = processor
    return memory


def words(*code: int) -> bytes:
    return struct.pack(f"<{len(code)}I", *code)


def bl(here: int, target: int) -> int:
    return 0x94000000 | (target - here >> 2 & 0x3FFFFFF)


@pytest.mark.parametrize("processor", KNOWN, ids=lambda one: one.name)
def test_a_description_agrees_with_itself(processor: Arch) -> None:
    registers, core = processor.registers, processor.core
    special = {registers.program_counter, registers.stack_pointer, registers.frame_pointer}
    special |= {registers.call, registers.result, registers.flags, *registers.arguments}
    special |= {*registers.general, *registers.fixed, *registers.dwarf}
    assert special <= set(registers.names)
    assert len(registers.arguments) == 6
    assert core.registers_at + registers.size + 8 == core.status_size
    assert registers.dwarf[registers.stack_pointer] == processor.unwinding.stack_pointer
    assert registers.dwarf[registers.frame_pointer] == processor.unwinding.frame_pointer
    assert len(set(processor.calls.values())) == len(processor.calls)
    assert processor.call_name(processor.call_number("futex")) == "futex"
    assert processor.call_number(processor.call_name(9999)) == 9999
    assert (processor.call_name(-1), processor.call_number("")) == ("", -1)
    assert processor.sampling.registers.bit_count() == len(processor.sampling.dwarf)


def test_what_a_stop_breaks_has_a_number_on_each_processor() -> None:
    """Calls that one processor has not are those that the others replaced."""
    older = {"epoll_wait"}
    for processor in KNOWN:
        missing = (interruptible.ALWAYS | interruptible.READS) - set(processor.calls.values())
        assert missing <= older


def test_an_unknown_processor_names_nothing() -> None:
    riscv = arch.of_machine(243)
    assert (riscv.name, arch.is_known(riscv)) == ("RISC-V", False)
    assert riscv.call_name(98) == "syscall 98"
    assert arch.of_header(b"\x7fELF") is None


# -- aarch64's code -------------------------------------------------------------------------------


def test_a_call_leads_to_its_target() -> None:
    code = words(NOP, bl(CODE + 4, CODE + 32), BLR_X3, NOP, NOP, NOP, NOP, NOP, *[NOP] * 6)
    memory = memory_of(AARCH64, (CODE, code))
    assert call_target(memory, CODE + 8) == CODE + 32
    assert call_target(memory, CODE + 12) is None
    assert [calls_register(memory, CODE + at) for at in (8, 12, 16)] == [False, True, False]


@pytest.mark.parametrize("landing", [(), (BTI_C,)], ids=["plain", "bti"])
def test_a_call_leads_through_a_linkage_stub(landing: tuple[int, ...]) -> None:
    stub = CODE + 16
    here = stub + 4 * len(landing)
    pages = (TABLE >> 12) - (here >> 12)
    adrp = 0x90000010 | (pages & 3) << 29 | (pages >> 2 & 0x7FFFF) << 5
    ldr = 0xF9400211 | (0x18 // 8) << 10
    code = words(bl(CODE, stub), NOP, NOP, NOP, *landing, adrp, ldr, NOP, 0xD61F0220, *[NOP] * 20)
    memory = memory_of(AARCH64, (CODE, code), (TABLE + 0x18, struct.pack("<Q", CODE + 0x40)))
    assert call_target(memory, CODE + 4) == CODE + 0x40


def test_calls_of_a_function_are_found_before_and_behind_it() -> None:
    function = CODE + 8
    code = words(bl(CODE, function), NOP, RET, bl(CODE + 12, function), bl(CODE + 16, CODE))
    assert AARCH64.calls_to(code, CODE, function) == [CODE + 4, CODE + 16]


def test_jumps_are_found() -> None:
    forward, back = 0x14000000 | 3, 0x14000000 | (1 << 26) - 2
    code = words(NOP, forward, bl(CODE + 8, CODE), back, RET)
    assert AARCH64.jumps(code, CODE) == [CODE + 4 + 12, CODE + 12 - 8]
    code = b"\x89\xc8\xe9" + struct.pack("<i", 0x100) + b"\xe9" + struct.pack("<i", -12) + b"\xe9"
    assert X86_64.jumps(code, CODE) == [CODE + 7 + 0x100, CODE + 12 - 12]
    assert X86_64.jumps(b"\x90\xeb\xfe\xeb", CODE) == [CODE + 1]


def test_a_signature_is_stripped() -> None:
    assert AARCH64.strip(0x0029_5500_1234_5678) == 0x5500_1234_5678
    assert X86_64.strip(0x7FFF_1234_5678) == 0x7FFF_1234_5678


class Tables:
    """A leaf at CODE, and two functions with frames that call it: the first one from two places."""

    LEAF, FIRST, SECOND = CODE, CODE + 0x10, CODE + 0x30

    def entry(self, address: int) -> SimpleNamespace:
        starts = (start for start in (self.SECOND, self.FIRST, self.LEAF) if start <= address)
        return SimpleNamespace(start=next(starts))

    def row(self, address: int) -> tuple[Row, bool]:
        size = {self.FIRST: 32, self.SECOND: 48}.get(self.entry(address).start)
        if size is None:
            return Row(CfaRule(31, 0)), False
        return Row(CfaRule(31, size), {30: Rule(How.SAVED, 8 - size)}), False


def leaf_stack(caller: int, second: bool = False) -> tuple[CallSites, int]:
    """A thread in the leaf, whose caller's frame returns to *caller*."""
    function, other = Tables.FIRST, Tables.SECOND
    code = {CODE + 0x18: bl(CODE + 0x18, CODE), CODE + 0x20: bl(CODE + 0x20, CODE)}
    code[CODE + 0x38] = bl(CODE + 0x38, CODE)
    code[CODE + 0x60] = bl(CODE + 0x60, function)
    code[CODE + 0x68] = bl(CODE + 0x68, other)
    raw = words(*(code.get(CODE + 4 * at, NOP) for at in range(1024)))
    signed = caller | 0x29 << 48
    stack = struct.pack("<4Q", 0, signed, 0, signed if second else 0)
    memory = memory_of(AARCH64, (CODE, raw), (STACK, stack + bytes(64)))
    return CallSites(memory, cast(UnwindTables, Tables())), STACK


def test_a_leaf_without_a_frame_was_called_by_whom_its_frame_fits() -> None:
    sites, pointer = leaf_stack(CODE + 0x64)
    assert sites.return_address(CODE + 4, pointer) in (CODE + 0x1C, CODE + 0x24)
    sites, pointer = leaf_stack(CODE + 0x6C)
    assert sites.return_address(CODE + 4, pointer) == CODE + 0x3C


def test_a_leaf_whose_caller_fits_none_is_not_guessed() -> None:
    sites, pointer = leaf_stack(CODE + 0x40)
    with pytest.raises(UnwindError, match="not known here"):
        sites.return_address(CODE + 4, pointer)


def test_a_stopped_thread_is_in_a_call_if_it_was_set_back_onto_one() -> None:
    memory = memory_of(AARCH64, (CODE, words(0xD4000001, NOP)))
    values = dict.fromkeys(AARCH64.registers.names, 0) | {"x8": 98, "x0": 0x77, "sp": STACK}
    inside = FrozenThread.of(1, [*(values | {"pc": CODE}).values()], AARCH64, memory)
    assert inside.blocked().futex is not None
    outside = FrozenThread.of(1, [*(values | {"pc": CODE + 4}).values()], AARCH64, memory)
    assert (outside.call, outside.blocked().call) == (-1, "")


def test_a_descriptor_of_glibc_is_told_by_its_empty_list() -> None:
    raw = bytearray(0x100)
    struct.pack_into("<i4xQQ", raw, 0xD0, 4711, STACK + 0xE0, STACK + 0xE0)
    memory = memory_of(AARCH64, (STACK, bytes(raw)))
    memory.__dict__["c_library"] = CLibrary.GLIBC
    assert tid_of(memory, STACK) == 4711
    assert tid_of(memory, STACK + 16) is None


# -- nobody else names them -----------------------------------------------------------------------

REGISTER = re.compile(
    r"\b([er]flags|orig_rax|fs_base|gs_base|[re](ax|bx|cx|dx|si|di|bp|sp|ip)|r1[0-5]|r[89]|(?<!\\)x[12]\d|"
    r"cpsr|pstate)\b"
)
STILL = {
    "backends/crash/instructions_x86_64.py": "decodes instructions of x86-64",
    "backends/crash/instructions_aarch64.py": "decodes instructions of aarch64",
    "hangtui/findings/glossary.py": "explains what a register is",
}
"""Modules that know one processor, and for what."""


def _strings(path: Path) -> str:
    """The words in a module's literals that are no docstrings."""
    tree = ast.parse(path.read_text())
    said = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    found = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in said)
    return " ".join(n.value for n in found if isinstance(n.value, str))


def test_no_other_module_names_a_register_or_a_call_by_number() -> None:
    named, numbered = set(), re.compile(r"\b_?(SYS|NR)_(?!PTRACE|PIDFD)[A-Z0-9_]+ = \d|27Q")
    for path in (p for room in ("backends", "hangtui", "tui") for p in (ROOT / room).rglob("*.py")):
        place = str(path.relative_to(ROOT))
        if place.startswith("backends/arch/"):
            continue
        if REGISTER.search(_strings(path)) or numbered.search(path.read_text()):
            named.add(place)
    assert named == set(STILL)
