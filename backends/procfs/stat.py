"""What ``stat`` says of a process or a thread: its fields by their names."""

import mmap
import os
import time

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
"""The kernel's unit of processor time and of starts."""
_PF_EXITING = 0x4
"""linux/sched.h: its memory is being given back, or was."""


class Stat:
    """The fields from the third on: what proc_pid_stat(5) numbers N is N-3 here.

    Every field raises IndexError or ValueError where the text is cut off or makes no sense.
    """

    __slots__ = ("_fields",)

    def __init__(self, text: str) -> None:
        # The name before them is in parentheses and may itself hold some.
        self._fields = text.rpartition(")")[2].split()

    @property
    def state(self) -> str:
        """The kernel's letter."""
        return self._fields[0]

    @property
    def parent(self) -> int:
        """The PID of its parent."""
        return int(self._fields[1])

    @property
    def group(self) -> int:
        """Its process group."""
        return int(self._fields[2])

    @property
    def background(self) -> bool:
        """Whether it has a terminal of which another process group has the foreground; the field is
        -1 where no group has."""
        terminal, foreground = int(self._fields[4]), int(self._fields[5])
        return terminal != 0 and foreground > 0 and foreground != self.group

    @property
    def exits(self) -> bool:
        """Whether its memory is being given back, or was."""
        return bool(int(self._fields[6]) & _PF_EXITING)

    @property
    def childrens_faults(self) -> int:
        """Page faults of the children whose ends it has fetched."""
        return int(self._fields[8])

    @property
    def processor_s(self) -> float:
        """The processor time that it has used, in seconds."""
        return (int(self._fields[11]) + int(self._fields[12])) / TICKS_PER_S

    @property
    def threads(self) -> int:
        """How many threads the process has."""
        return int(self._fields[17])

    @property
    def started(self) -> int:
        """When it was started, in ticks since boot."""
        return int(self._fields[19])

    @property
    def age_s(self) -> float:
        """For how many seconds it has been there."""
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - self.started / TICKS_PER_S)

    @property
    def processor(self) -> int:
        """The number of the processor that it ran on last."""
        return int(self._fields[36])

    @property
    def arguments(self) -> range:
        """Where its command line lies in its memory; empty: this may not be told."""
        return range(int(self._fields[45]), int(self._fields[46]))

    @property
    def environment(self) -> range:
        """The same of the environment that it was started with."""
        return range(int(self._fields[47]), int(self._fields[48]))

    @property
    def resident_bytes(self) -> int:
        """The memory that it has in RAM."""
        return int(self._fields[21]) * mmap.PAGESIZE

    @property
    def exit_status(self) -> int | None:
        """How one that has ended did so, as ``Popen.returncode`` has it; None: the kernel does not
        tell us. Where it does not, it writes 0, for this and for whether it sleeps."""
        status, told = int(self._fields[49]), bool(int(self._fields[32]))
        if not (status or told):
            return None
        return -(status & 0x7F) if status & 0x7F else status >> 8
