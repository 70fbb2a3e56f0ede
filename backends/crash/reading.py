"""Puts together what is known of a crash."""

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from hangtui.backends.crash import messages
from hangtui.backends.crash.cxx import CxxException, uncaught
from hangtui.backends.crash.fault import Fault, find_fault
from hangtui.backends.crash.instructions import instructions_of
from hangtui.backends.crash.lines import with_lines
from hangtui.backends.crash.pointers import Pointers
from hangtui.backends.crash.signals import FAULTS, code_name, name_of
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.backends.memory.reader import Memory
from hangtui.backends.ptrace.stopped_threads import FrozenThread, SignalInfo
from hangtui.backends.unwind.native_stacks import NativeStacks
from hangtui.dataclass import dataclass
from hangtui.model import (
    Access,
    Crash,
    Instruction,
    MessageKind,
    Operand,
    Process,
    Register,
    Source,
)

_BYTES_BEFORE, _BYTES_SHOWN = 16, 64
_ENOMEM = 12
_KERNEL_CODE = 128
"""SI_KERNEL: a general protection fault, whose address the processor does not tell."""
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class FatalSignal:
    """A thread and the signal that ends it."""

    thread: FrozenThread
    info: SignalInfo


def read_crash(
    memory: Memory,
    native: NativeStacks,
    process: Process,
    fatal: FatalSignal,
    threads: Sequence[FrozenThread],
    source: Source,
) -> Crash:
    """The crash of a process. Facts that cannot be read are missing."""
    fault = find_fault(memory, native, fatal.thread, fatal.info)
    return _Reading(memory, native, fault).crash(process, threads, source)


class _Reading:
    def __init__(self, memory: Memory, native: NativeStacks, fault: Fault) -> None:
        self._memory = memory
        self._images = native.images
        self._native = native
        self._fault = fault
        self._known = memory.arch.registers
        self._pc = fault.registers[self._known.program_counter]
        self._stack = fault.registers[self._known.stack_pointer]

    def crash(self, process: Process, threads: Sequence[FrozenThread], source: Source) -> Crash:
        fault, info, pc = self._fault, self._fault.info, self._pc
        registers = fault.registers
        pointers = Pointers(self._memory, [thread.stack_pointer for thread in threads])
        code = _guarded(self._disassembly) or ()
        current = next((line.text for line in code if line.current), None)
        operand = _guarded(self._operand) if info.number in FAULTS else None
        address = self._address(operand)
        exception = _guarded(lambda: uncaught(self._memory, self._images, fault.stack))
        message, kind = self._message(exception)
        place = address if address is not None else self._stack
        start, data = self._bytes(place)
        return Crash(
            pid=process.pid,
            source=source,
            tid=fault.tid,
            signal=info.number,
            signal_name=name_of(info.number),
            code=code_name(info.number, info.code),
            address=address,
            sender_pid=info.sender,
            pc=pc,
            stack=self._stack,
            instruction=current if info.number in FAULTS else None,
            operand=operand,
            region=pointers.region(address) if address is not None else None,
            guard_distance=pointers.guard_distance(self._stack),
            registers=tuple(
                Register(name, registers[name], pointers.kind(registers[name]))
                for name in self._known.in_crash
                if name in registers
            ),
            parameters=self._known.parameters,
            disassembly=code,
            mappings=pointers.around([place, pc]),
            bytes_at=start,
            data=data,
            message=message,
            message_kind=kind,
            exception_type=exception.type if exception else None,
            faulthandler=True if fault.handled and self._by_faulthandler() else None,
            memory_limit_hit=_guarded(self._out_of_memory),
        )

    def _disassembly(self) -> tuple[Instruction, ...]:
        function = self._native.unwinder.function_start(self._pc)
        return instructions_of(self._memory).around(self._memory, self._pc, function)

    def _operand(self) -> Operand | None:
        """What the instruction could not get at; None also if that was the instruction itself."""
        fault = self._fault
        address = fault.info.address if fault.info.code != _KERNEL_CODE else None
        if address == self._pc:
            return self._itself()
        return instructions_of(self._memory).operand_at(
            self._memory, self._pc, fault.registers, address
        )

    def _itself(self) -> Operand:
        """The instruction, where it is what could not be got at."""
        name = self._known.program_counter
        return Operand(f"[{name}]", name, self._pc, self._pc, Access.EXECUTE)

    def _address(self, operand: Operand | None) -> int | None:
        info = self._fault.info
        if info.code == _KERNEL_CODE and info.number in FAULTS:
            return operand.address if operand else None
        return info.address

    def _message(self, exception: CxxException | None) -> tuple[str | None, MessageKind | None]:
        if exception is not None:
            text = f"{exception.type}: {exception.text}" if exception.text else exception.type
            return f"uncaught C++ exception {text}", MessageKind.CXX_EXCEPTION
        stack = self._fault.stack
        fatal = _guarded(lambda: messages.fatal_error(self._memory, self._native, stack))
        if fatal is not None:
            return fatal, MessageKind.PYTHON
        said = _guarded(lambda: messages.abort_message(self._memory, self._images))
        return said, MessageKind.C_LIBRARY if said else None

    def _by_faulthandler(self) -> bool:
        return any(
            image.address_of("faulthandler_fatal_error") is not None
            or image.exported("PyFaulthandler_Init") is not None
            or image.exported("_PyFaulthandler_Init") is not None
            for image in self._images.matching(("libpython", "python"))
        )

    def _out_of_memory(self) -> str | None:
        thread_pointer = self._fault.registers.get(self._known.thread_pointer or "", 0)
        if messages.errno_of(self._memory, self._images, thread_pointer) != _ENOMEM:
            return None
        return "errno of the thread is ENOMEM: its last failed call got no memory"

    def _bytes(self, address: int) -> tuple[int | None, str]:
        start = max(0, address - _BYTES_BEFORE)
        try:
            return start, self._memory.fresh(start, _BYTES_SHOWN).hex()
        except MemoryReadError:
            return None, ""


def with_source_lines(memory: Memory, process: Process, crash: Crash | None) -> Process:
    """*process* with source lines in the native stack of the crashed thread, where there are any.

    They are counted from the fault: the frames of handlers before it have none of interest.
    """
    if crash is None or crash.pc is None:
        return process
    pc = crash.pc
    threads = []
    for thread in process.threads:
        stack = thread.native_stack
        if thread.tid == crash.tid and stack:
            at = next((i for i, frame in enumerate(stack) if frame.address == pc), 0)
            told = _guarded(partial(with_lines, memory, stack[at:], pc))
            threads.append(replace(thread, native_stack=(*stack[:at], *(told or stack[at:]))))
        else:
            threads.append(thread)
    return replace(process, threads=tuple(threads))


def _guarded(read: Callable[[], _T]) -> _T | None:
    """What *read* gives; a fact that cannot be read costs itself alone."""
    try:
        with foreign_data():
            return read()
    except (DamagedDataError, OSError, subprocess.SubprocessError):
        return None
