"""Registers where there is no gdb: from a copy by the guard, or from the core file itself.

Only those of the innermost frames: what the frames further out had in them gdb works out.
"""

import time

from hangtui.backends.debugger.target import Target
from hangtui.backends.gdb import answers
from hangtui.debugger import FrameRef, Register
from hangtui.model import TargetError


class Bare:
    """What is known of the registers of all threads at one moment.

    Raises:
        TargetError: the process may not be stopped even for milliseconds.
    """

    def __init__(self, target: Target) -> None:
        self._arch = target.memory.arch
        self._threads, self._asleep, self.stopped_ms = target.copied()
        self.about = ""
        if target.is_live:
            moment = time.strftime("%H:%M:%S")
            self.about = f"copy of {moment}, stopped {self.stopped_ms:.1f} ms for it"

    def stack_pointers(self) -> dict[int, int]:
        """Where the stacks of the threads are, by TID."""
        pointers = {tid: where.stack_pointer for tid, where in self._asleep.items()}
        return pointers | {tid: thread.stack_pointer for tid, thread in self._threads.items()}

    def is_unsure(self, tid: int) -> bool:
        """Whether the thread was left alone, so that its registers are known only in part."""
        return tid not in self._threads

    def registers(self, at: FrameRef) -> tuple[Register, ...]:
        """The registers of an innermost frame.

        Raises:
            TargetError: it is another frame, or nothing is known of its thread.
        """
        if at.number:
            raise TargetError(
                "without gdb, registers are known of the innermost frame only",
                "apt-get install gdb",
            )
        thread, asleep = self._threads.get(at.tid), self._asleep.get(at.tid)
        if thread is not None:
            known = dict(thread.registers)
        elif asleep is not None:
            names = self._arch.registers
            known = {names.program_counter: asleep.address}
            known |= {names.stack_pointer: asleep.stack_pointer}
            known |= dict(zip(names.arguments, asleep.arguments, strict=False))
        else:
            raise TargetError(f"thread {at.tid} was not there any more when it was copied")
        shown = self._arch.registers.shown
        return tuple(answers.register(name, known[name]) for name in shown if name in known)
