"""Where a function without a frame was called from, if its return address is in a register alone.

glibc sleeps in such a function, and the kernel does not tell that register of a sleeping thread.
But the calls to the function in its own module can be counted, and of each it is known how its
caller's frame would look: on top of the stack, with a return address behind a call to that very
caller. A call that fits is the one only if no other does, or if they all lie in the same function
and with the same frame, so that the stack is the same but for a line.
"""

from collections.abc import Iterator

from hangtui.backends.elf.cfi import How, Row, UnwindError
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.unwind.call_target import call_target, calls_register
from hangtui.backends.unwind.tables import UnwindTables
from hangtui.dataclass import dataclass

_UNKNOWN = "the register with its return address is not known here"
_MOST_CODE = 64 << 20
"""Bytes of a module's code that are searched for calls."""
_STEP = 1 << 20
_JUMPS, _WAYS, _SHORT = 4, 16, 512
"""Jumps followed from one call, one behind the other; how many ways they may lead; and the bytes of
a function that is searched for them."""


@dataclass(frozen=True, slots=True)
class _Fit:
    """A call that can be the one."""

    site: int
    """Where it returns to."""
    function: int
    """The start of the function around it."""
    caller: int
    """Where that function returns to."""
    frame: int
    exact: bool
    """That lies behind a call to it, not behind one through a register."""


class CallSites:
    """Finds the calls of one process's functions; each module is searched once for a function."""

    def __init__(self, memory: Memory, tables: UnwindTables) -> None:
        self._memory = memory
        self._tables = tables
        self._known: dict[int, tuple[int, ...]] = {}
        self._jumps: dict[int, tuple[int, ...]] = {}

    def return_address(self, address: int, stack_pointer: int) -> int:
        """Where the function around *address* returns to, which has no frame at *stack_pointer*.

        Raises:
            DamagedDataError: that cannot be told.
        """
        function = self._tables.entry(address).start
        if function not in self._known:
            self._known[function] = tuple(self._calls_to(function))
        fits = [fit for site in self._known[function] if (fit := self._fit(site, stack_pointer))]
        best = [fit for fit in fits if fit.exact] or fits
        if len({(fit.function, fit.caller, fit.frame) for fit in best}) != 1:
            raise UnwindError(_UNKNOWN)
        return best[0].site

    def lead_to(self, return_address: int, function: int) -> bool:
        """Whether the call before *return_address* is one to *function*, or to a short function
        that goes over into it by a jump: ``sem_wait`` of glibc 2.39, say."""
        target = call_target(self._memory, return_address)
        ways = [] if target is None else [target]
        for _ in range(_JUMPS):
            if function in ways:
                return True
            ways = [jump for way in ways for jump in self._jumps_of(way)][:_WAYS]
        return False

    def _jumps_of(self, function: int) -> tuple[int, ...]:
        """Where a short function jumps to, beyond its own end."""
        if function not in self._jumps:
            self._jumps[function] = tuple(self._read_jumps(function))
        return self._jumps[function]

    def _read_jumps(self, function: int) -> list[int]:
        try:
            end = self._tables.entry(function).end
            if end - function > _SHORT:
                return []
            self._memory.spent.steps(end - function)
            code = self._memory.read(function, end - function)
        except DamagedDataError:
            return []
        jumps = self._memory.arch.jumps(code, function)
        return [jump for jump in jumps if not function <= jump < end and self._begins(jump)]

    def _begins(self, address: int) -> bool:
        """Whether a function begins there."""
        try:
            return self._tables.entry(address).start == address
        except DamagedDataError:
            return False

    def _fit(self, site: int, stack_pointer: int) -> _Fit | None:
        try:
            row, _ = self._tables.row(site - 1)
            function = self._tables.entry(site - 1).start
            found = self._frame(row, stack_pointer)
        except DamagedDataError:
            return None
        if found is None:
            return None
        frame, caller = found
        called = call_target(self._memory, caller)
        if called != function and (called is not None or not calls_register(self._memory, caller)):
            return None
        return _Fit(site, function, caller, frame, called == function)

    def _frame(self, row: Row, stack_pointer: int) -> tuple[int, int] | None:
        """The frame address and the return address of a function whose frame ends at the stack
        pointer; None: it has none there, or its place is counted from another register."""
        how = self._memory.arch.unwinding
        rule = row.registers.get(how.return_address)
        if rule is None or rule.how is not How.SAVED or row.cfa is None or row.cfa.code:
            return None
        if row.cfa.register != how.stack_pointer:
            return None
        frame = stack_pointer + row.cfa.offset
        caller = self._memory.arch.strip(self._memory.u64(frame + rule.value))
        mapping = self._memory.mapping_at(caller)
        return (frame, caller) if mapping and "x" in mapping.permissions else None

    def _calls_to(self, function: int) -> Iterator[int]:
        """The return addresses of all calls to *function* in its own module.

        Raises:
            DamagedDataError: its code cannot be read.
        """
        mapping = self._memory.mapping_at(function)
        if mapping is None or mapping.end - mapping.start > _MOST_CODE:
            raise UnwindError(_UNKNOWN)
        for start in range(mapping.start, mapping.end, _STEP):
            size = min(_STEP, mapping.end - start)
            yield from self._memory.arch.calls_to(self._memory.fresh(start, size), start, function)
