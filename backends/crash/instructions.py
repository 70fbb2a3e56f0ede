"""The instructions around a fault, by whichever decoder knows the processor that it came on."""

import importlib
from collections.abc import Mapping
from typing import Protocol, cast

from hangtui.backends.arch import AARCH64, X86_64
from hangtui.backends.memory.reader import Memory
from hangtui.model import Instruction, Operand

_DECODERS = {X86_64.name: "instructions_x86_64", AARCH64.name: "instructions_aarch64"}


class Decoder(Protocol):
    """What each of them does."""

    def around(self, memory: Memory, pc: int, function: int | None) -> tuple[Instruction, ...]:
        """The instructions around *pc*; empty where nothing can be read there.

        *function*: where the function begins that *pc* lies in.
        """

    def operand_at(
        self, memory: Memory, pc: int, registers: Mapping[str, int], address: int | None
    ) -> Operand | None:
        """What the instruction at *pc* reads or writes; None: no memory, or it cannot be read.

        Of several operands the one that *address*, where the access failed, lies in.
        """


class _None:
    """Knows none."""

    def around(self, _memory: Memory, _pc: int, _function: int | None) -> tuple[Instruction, ...]:
        """Nothing."""
        return ()

    def operand_at(
        self, _memory: Memory, _pc: int, _registers: Mapping[str, int], _address: int | None
    ) -> Operand | None:
        """Nothing."""
        return None


def instructions_of(memory: Memory) -> Decoder:
    """The decoder of a process's instructions; one that knows none where there is no library for
    its processor here."""
    name = _DECODERS.get(memory.arch.name)
    try:
        module = importlib.import_module(f"{__package__}.{name}") if name else None
    except ImportError:
        module = None
    return cast(Decoder, module) if module else _None()
