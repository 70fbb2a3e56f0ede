"""Which function a call instruction calls, read from the code before a return address."""

from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.memory.reader import Memory


def call_target(memory: Memory, return_address: int) -> int | None:
    """Where the call before *return_address* goes, through linkage stubs.

    None: it is no call, or one through a register, whose target is not in the code.
    """
    try:
        return memory.arch.call_target(memory, return_address)
    except DamagedDataError:
        return None


def calls_register(memory: Memory, return_address: int) -> bool:
    """Whether it calls through a register."""
    try:
        return memory.arch.calls_register(memory, return_address)
    except DamagedDataError:
        return False
