"""Stops the threads of a process for the few milliseconds that copying their stacks takes.

Everything that can be done before or after the stop is done before or after it: buffers are there
already, files are open, and nothing is parsed or written. Every wait has an end. Whatever happens
to this process, the kernel lets the threads run on.
"""

import contextlib
import errno
import gc
import os
import time

from hangtui.backends.arch import of_kernel
from hangtui.backends.linux import PAGE
from hangtui.backends.ptrace.freezer import kernel
from hangtui.backends.ptrace.freezer.interruptible import RUNNING, Look, was_interrupted
from hangtui.backends.ptrace.freezer.kernel import Buffer, Range
from hangtui.backends.ptrace.freezer.layout import Mappings, StackPointer, merged
from hangtui.backends.ptrace.freezer.order import Copied, Order
from hangtui.backends.ptrace.requests import EVENT_STOP, WALL

_KNOWN = of_kernel().registers
_STACK_POINTER, _RESULT = _KNOWN.place(_KNOWN.stack_pointer), _KNOWN.place(_KNOWN.result)
_GENERAL = tuple(_KNOWN.place(name) for name in _KNOWN.general)
"""Places among a thread's registers."""
_PATIENCE_S = 0.003
"""After this long a thread in an uninterruptible wait (D) is left alone."""
_WAIT_PER_THREAD_S = 0.0002
_POLL_S = 0.00005
"""Between two looks: we must leave the processors to the threads that are to stop."""
_SPARE_THREADS = 64
_ALL_STACKS = 256 << 20
"""Bytes of the stacks of all threads together that are copied at most."""


class Freeze:
    """One stop of one process."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._looks: dict[int, Look] = {}
        self._seized: list[int] = []
        self._calls: dict[int, int] = {}
        """The calls that threads were in when they were asked to stop, by number."""
        self._skipped: dict[int, str] = {}
        self._stopped: dict[int, int] = {}
        """Signals to give back, by TID; 0: none."""
        self._started = 0.0
        self._late = False

    def run(self) -> Copied:
        """Stop, copy, let go.

        Raises:
            OSError: the process is gone, or may not be read.
        """
        order = self._order
        reader = _living(order.pid)
        mappings = Mappings(reader)
        self._seize_new()
        registers = kernel.Registers(len(self._seized) + _SPARE_THREADS)
        expected = mappings.stacks(self._expected_pointers(), self._stack_bytes())
        spare = order.pointed_pages * PAGE + (1 << 20)
        buffer = Buffer(sum(size for _, size in merged([*expected, *order.ranges])) + spare)
        gc.collect()
        gc.disable()
        _prefer(os.SCHED_FIFO, 1)  # nobody's work shall prolong the stop
        self._started = time.perf_counter()
        try:
            self._stop()
            places = self._registers(registers)
            pointers, untouched = self._pointers(places, registers)
            wanted = self._wanted(mappings, pointers, places, registers)
            size = sum(size for _, size in wanted)
            buffer = buffer if size <= buffer.size else Buffer(size)
            got = kernel.copy(reader, wanted, buffer)
        finally:
            for tid, signal in self._stopped.items():
                kernel.let_go(tid, signal)
            stopped_ms = (time.perf_counter() - self._started) * 1000
            _prefer(os.SCHED_OTHER, 0)
            gc.enable()
        self._leave_out_those_that_moved(untouched)
        view = memoryview(buffer.memory)
        return Copied(
            stopped_ms if self._stopped else 0.0,
            {tid: registers.raw(place) for tid, place in places.items()},
            untouched,
            self._skipped,
            [tid for tid, place in places.items() if self._lost_its_call(registers, tid, place)],
            [(address, view[at : at + size]) for address, size, at in got],
            self._late,
        )

    def _stack_bytes(self) -> int:
        """Of one thread's stack that are copied at most."""
        return min(self._order.stack_bytes, _ALL_STACKS // max(1, len(self._looks)) & -PAGE)

    # -- before the stop --------------------------------------------------------------------------

    def _seize_new(self) -> list[int]:
        """Become the tracer of the threads that are not known yet, without stopping them."""
        new = []
        for name in os.listdir(f"/proc/{self._order.pid}/task"):
            tid = int(name)
            if tid in self._looks or tid in self._skipped:
                continue
            try:
                look = Look(self._order.pid, tid)
            except OSError as error:
                self._skipped[tid] = os.strerror(error.errno or 0)
                continue
            self._looks[tid] = look
            if self._may_stop(tid, look) and self._seize(tid):
                new.append(tid)
        self._seized += new
        return new

    def _may_stop(self, tid: int, look: Look) -> bool:
        words = look.words()
        self._calls[tid] = int(words[0]) if words and words[0] != RUNNING else -1
        if look.must_not_stop(words):
            self._skipped[tid] = f"{of_kernel().call_name(int(words[0]))} would fail with EINTR"
        elif words and words[0] != RUNNING and not self._is_wanted(tid):
            self._skipped[tid] = "it sleeps"
        return tid not in self._skipped

    def _is_wanted(self, tid: int) -> bool:
        return self._order.everyone or tid in self._order.also

    def _seize(self, tid: int) -> bool:
        error = kernel.seize(tid)
        if error:
            self._skipped[tid] = os.strerror(error)
        return not error

    def _expected_pointers(self) -> list[StackPointer]:
        """Where the stacks of sleeping threads begin; the others get what is spare."""
        pointers = []
        for tid, look in self._looks.items():
            words = look.words()
            if len(words) > 2:
                pointers.append(StackPointer(tid, int(words[-2], 16), 0))
        return pointers

    # -- while it stands still --------------------------------------------------------------------

    def _stop(self) -> None:
        """Stop the seized threads, and those that they started meanwhile."""
        deadline = self._started + self._order.wait_s + _WAIT_PER_THREAD_S * len(self._seized)
        new = self._seized
        while new:
            asked = [tid for tid in new if self._ask_to_stop(tid)]
            self._await_stops(asked, deadline)
            new = self._seize_new() if time.perf_counter() < deadline else []

    def _ask_to_stop(self, tid: int) -> bool:
        if not self._may_stop(tid, self._looks[tid]):
            return False
        kernel.interrupt(tid)
        return True

    def _await_stops(self, tids: list[int], deadline: float) -> None:
        """One after the other, in the order in which they were asked: they stop in it, about."""
        patience = time.perf_counter() + _PATIENCE_S
        left = tids[::-1]
        while left:
            if self._has_stopped(left[-1]):
                left.pop()
                continue
            now = time.perf_counter()
            if now > deadline:
                late = [tid for tid in left if not self._has_stopped(tid)]
                self._skipped |= dict.fromkeys(late, "it did not stop in time")
                self._late |= bool(late)
                return
            if now > patience and self._is_stuck(left[-1]):
                left.pop()
            else:
                time.sleep(_POLL_S)

    def _has_stopped(self, tid: int) -> bool:
        """Whether there is nothing more to wait for: it stopped, or it has ended."""
        try:
            waited, status = os.waitpid(tid, WALL | os.WNOHANG)
        except ChildProcessError:
            self._skipped[tid] = "it has ended"
            return True
        if not waited:
            return False
        if os.WIFSTOPPED(status):
            # A stop of another kind: it was about to get a signal, which it gets when let go.
            self._stopped[tid] = 0 if status >> 16 == EVENT_STOP else os.WSTOPSIG(status)
        else:
            self._skipped[tid] = "it has ended"
        return True

    def _is_stuck(self, tid: int) -> bool:
        """Whether it is in an uninterruptible wait: it would hold up all the others."""
        try:
            with open(f"/proc/{self._order.pid}/task/{tid}/stat", "rb") as file:  # noqa: PTH123
                stuck = file.read().rpartition(b")")[2].split()[0] == b"D"
        except OSError:
            return False
        if stuck:
            self._skipped[tid] = "it is in uninterruptible sleep (D)"
            self._late = True
        return stuck

    def _registers(self, registers: kernel.Registers) -> dict[int, int]:
        """Fetch the registers of the stopped threads; their places by TID."""
        stopped = enumerate(list(self._stopped)[: registers.count])
        return {tid: place for place, tid in stopped if registers.fetch(tid, place)}

    def _pointers(
        self, places: dict[int, int], registers: kernel.Registers
    ) -> tuple[list[StackPointer], dict[int, list[str]]]:
        """The stack pointers of all threads, and the words of those that were not stopped."""
        pointers = [
            StackPointer(
                tid, registers.word(place, _STACK_POINTER), registers.thread_pointer(tid, place)
            )
            for tid, place in places.items()
        ]
        untouched = {}
        for tid, look in self._looks.items():
            words = [] if tid in places else look.words()
            if len(words) > 2:
                untouched[tid] = words
                pointers.append(StackPointer(tid, int(words[-2], 16), 0))
        return pointers, untouched

    def _leave_out_those_that_moved(self, untouched: dict[int, list[str]]) -> None:
        """A thread that was not stopped may have run while its stack was copied."""
        for tid, words in list(untouched.items()):
            if self._looks[tid].words() != words:
                del untouched[tid]
                self._skipped[tid] = "it ran while its stack was copied"

    def _wanted(
        self,
        mappings: Mappings,
        pointers: list[StackPointer],
        places: dict[int, int],
        registers: kernel.Registers,
    ) -> list[Range]:
        order = self._order
        stacks = mappings.stacks(pointers, self._stack_bytes())
        words = {registers.word(place, i) for place in places.values() for i in _GENERAL}
        return merged([*stacks, *order.ranges, *mappings.pages(words, order.pointed_pages)])

    def _lost_its_call(self, registers: kernel.Registers, tid: int, place: int) -> bool:
        call = registers.call(place)
        if call is None:  # they do not tell; what it was in as it was asked to stop does
            call = self._calls.get(tid, -1)
        return was_interrupted(call, registers.word(place, _RESULT))


def _prefer(policy: int, priority: int) -> None:
    """Have the kernel schedule us so, if we may ask for it."""
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, policy, os.sched_param(priority))


def _living(pid: int) -> int:
    """A thread through which the memory is read: a main thread that has ended shows none."""
    for name in sorted(os.listdir(f"/proc/{pid}/task"), key=int):
        with open(f"/proc/{pid}/task/{name}/stat", "rb") as file:  # noqa: PTH123
            if file.read().rpartition(b")")[2].split()[0] not in b"ZX":
                return int(name)
    raise ProcessLookupError(errno.ESRCH, "it has ended")
