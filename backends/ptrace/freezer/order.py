"""What passes between the freezer and whoever sends for it: an order, and what was copied.

No dataclasses: importing those costs more than the stop.
"""

from typing import NamedTuple

from hangtui.backends.ptrace.freezer.kernel import Range


class Order(NamedTuple):
    """What to stop and what to copy."""

    pid: int
    everyone: bool
    """Stop sleeping threads as well, for all of their registers; else those that run alone."""
    also: tuple[int, ...]
    """TIDs of sleeping threads that are stopped in any case."""
    ranges: tuple[Range, ...]
    """Memory to copy besides the stacks."""
    stack_bytes: int
    """Of one thread's own stack that are copied at most."""
    pointed_pages: int
    """Pages that registers point to, of all threads together, that are copied at most."""
    wait_s: float
    """How long to wait for threads to stop."""


class Copied(NamedTuple):
    """What was copied. Nothing of it changes any more."""

    stopped_ms: float
    registers: dict[int, bytes]
    """``user_regs_struct`` by TID, of those that were stopped."""
    untouched: dict[int, list[str]]
    """The words of ``/proc/PID/task/TID/syscall`` of those that were left alone."""
    skipped: dict[int, str]
    """Why a thread was left alone."""
    interrupted: list[int]
    """TIDs whose call returned EINTR, because they entered it in the very moment of the stop."""
    pieces: list[tuple[int, memoryview]]
    """Addresses and contents, in order, not overlapping."""
    unfinished: bool
    """Threads were asked to stop that have not done so yet: when they do, they stand still for as
    long as this process lives."""
