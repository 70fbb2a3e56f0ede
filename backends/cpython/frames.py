"""The frames of Python threads: what runs where, with its variables."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass
from hangtui.instruments import is_around
from hangtui.model import PythonFrame

MAX_FRAMES = 20_000
"""Of one thread: an endless recursion is told by fewer."""
_OWNED_BY_C_STACK = 3
"""FRAME_OWNED_BY_CSTACK, Include/internal/pycore_frame.h 3.12 on, and what lies above it in later
versions (FRAME_OWNED_BY_INTERPRETER): shims, not calls."""

_LIBRARY = re.compile(
    r".*/lib(?:64)?/python3\.\d{1,3}[a-z]?/(?!(?:site|dist)-packages/).*|<frozen .*>", re.DOTALL
)


_INSTALLED = re.compile(r"/(?:site|dist)-packages/")


@dataclass(frozen=True, slots=True)
class Frame:
    """One Python call, with what is needed to look into it."""

    address: int
    code: Code
    instruction: int
    """Byte offset of the current instruction in the code."""
    line: int | None
    slots: int
    """Address of the first local variable's slot."""
    stack: int
    """Address of the bottom of the value stack."""
    namespace: int
    """Address of the globals."""
    entry: bool
    """C code entered the interpreter here."""
    shim: int = 0
    """Of an entry, from 3.12 on: address of the record that the eval function keeps of it in its
    own native frame; 0: none."""

    @property
    def place(self) -> str:
        """``file:line`` with the file's last name."""
        name = self.code.file
        return f"{name}:{self.line}" if self.line else name

    @property
    def plausible(self) -> bool:
        """Whether it stands inside of its code, and that comes from a file with a name."""
        code = self.code
        inside = -2 <= self.instruction <= len(code.instructions)  # -2: before the first one
        return inside and bool(code.filename) and bool(code.function) and code.first_line >= 0

    @property
    def named_apart(self) -> bool:
        """Whether its file is not called as its function, as it is where one is read for the other;
        what a library compiles may have such a name (``compile(tree, "handle_request", "exec")``).
        """
        return self.code.filename != self.code.function

    @property
    def only_checks(self) -> bool:
        """Whether it is no call of the program's: from 3.13 on, one stands between a quickened
        call of a class and its ``__init__``, to see that this returns None (_Py_InitCleanup)."""
        return self.code.function == self.code.filename == "__init__"

    @property
    def in_library(self) -> bool:
        """Whether it runs code of the standard library, on the way to or from the program's."""
        return library_file(self.code.filename)

    @property
    def installed(self) -> bool:
        """Whether it runs code of an installed package."""
        return installed_file(self.code.filename)

    def shown(self) -> PythonFrame:
        """The frame as the model has it."""
        return PythonFrame(self.code.function, self.code.filename, self.line, self.entry)


@lru_cache(8192)
def library_file(filename: str) -> bool:
    """Whether a file is of the standard library, or around functions of it and of packages."""
    return _LIBRARY.fullmatch(filename) is not None or is_around(filename)


@lru_cache(8192)
def installed_file(filename: str) -> bool:
    """Whether a file is of an installed package."""
    return _INSTALLED.search(filename) is not None and not is_around(filename)


def place_of(frames: Iterable[Frame]) -> str | None:
    """``file:line`` of the innermost frame of the program itself, else of the innermost one."""
    frames = list(frames)
    own = (frame.place for frame in frames if not frame.in_library)
    return next(own, frames[0].place if frames else None)


class Frames:
    """Reads frames of one interpreter."""

    def __init__(self, objects: Objects, codes: CodeReader) -> None:
        self._objects = objects
        self._codes = codes
        self._layout = objects.layout
        self._memory = objects.memory
        self._tagged = self._layout.since(3, 13)
        """Whether references keep something in their lowest two bits."""
        self._known: dict[tuple[int, int], Mapping[str, int]] = {}
        """Variables, by where they are and by their code, as they were read since `_read`."""
        self._read = self._memory.forgotten
        self._within = self._layout["gen.gi_iframe"] if self._layout.since(3, 11) else 0
        """Where a generator has its frame in itself; 0: it has it elsewhere."""
        if self._layout.since(3, 11):
            fields = "f_executable", "instr_ptr", "localsplus", "f_globals"
            self._fields = tuple(self._layout[f"iframe.{field}"] for field in fields)
            self._before_code = self._layout["code.co_code_adaptive"]

    def walk(self, thread_state: int) -> Iterator[Frame]:
        """The frames of a thread, innermost first, each read when it is asked for.

        Raises:
            MemoryReadError: memory is not what the layout promises.
            BudgetSpentError: too many objects of this process were read.
        """
        if self._layout.since(3, 11):
            yield from self._walk_since_3_11(thread_state)
            return
        seen: set[int] = set()
        here = self._memory.u64(thread_state + self._layout["tstate.frame"])
        while here:
            self._once(here, seen)
            yield self._frame_object(here)
            here = self._memory.u64(here + self._layout["frameobj.f_back"])

    def charge(self, count: int) -> None:
        """Charge frames that are looked at once more.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        self._memory.spent.objects(count >> 3)

    def _once(self, address: int, seen: set[int]) -> None:
        """Note a frame; shims count for no call, so that only this ends a ring of them.

        Raises:
            MemoryReadError: it was seen before.
        """
        if address in seen:
            raise MemoryReadError("a stack of frames without an end")
        seen.add(address)
        self._memory.spent.objects(1)

    def _frame_object(self, address: int) -> Frame:
        """A PyFrameObject of 3.8 to 3.10 (Include/cpython/frameobject.h)."""
        layout, memory = self._layout, self._memory
        code = self._codes.code(memory.u64(address + layout["frameobj.f_code"]))
        last = memory.i32(address + layout["frameobj.f_lasti"])
        instruction = 2 * last if layout.since(3, 10) else last  # 3.10 counts code units
        return Frame(
            address=address,
            code=code,
            instruction=instruction,
            line=self._codes.line(code, instruction),
            slots=address + layout["frameobj.f_localsplus"],
            stack=memory.u64(address + layout["frameobj.f_valuestack"]),
            namespace=memory.u64(address + layout["frameobj.f_globals"]),
            entry=True,  # every Python call is a call of the eval function before 3.11
        )

    def _walk_since_3_11(self, thread_state: int) -> Iterator[Frame]:
        layout, memory = self._layout, self._memory
        if layout.since(3, 13):
            here = memory.u64(thread_state + layout["tstate.current_frame"])
        else:
            c_frame = memory.u64(thread_state + layout["tstate.cframe"])
            here = memory.u64(c_frame + layout["cframe.current_frame"])
        seen: set[int] = set()
        while here:
            self._once(here, seen)
            previous = memory.u64(here + layout["iframe.previous"])
            if not self._is_shim(here):
                shim = 0
                if layout.since(3, 12):
                    shim = previous if previous and self._is_shim(previous) else 0
                    entry = not previous or shim != 0
                else:
                    entry = memory.u8(here + layout["iframe.is_entry"]) != 0
                frame = self._interpreter_frame(here, entry, shim=shim)
                if not frame.only_checks:
                    yield frame
            here = previous

    def suspended(self, generator: int) -> Frame | None:
        """The frame of a generator or coroutine that waits to be resumed; None: it has none.

        Raises:
            MemoryReadError: memory is not what the layout promises.
        """
        if not self._within:
            frame = self._memory.u64(generator + self._layout["gen.gi_frame"])
            return self._frame_object(frame) if frame else None
        return self._interpreter_frame(generator + self._within, entry=True, suspended=True)

    def of_object(self, address: int) -> Frame:
        """The frame that a frame object stands for, as a traceback has one.

        Raises:
            MemoryReadError: memory is not what the layout promises.
        """
        if not self._layout.since(3, 11):
            return self._frame_object(address)
        behind = address + self._layout["frameobj.f_back"] + 8  # f_frame follows on it
        return self._interpreter_frame(self._memory.u64(behind), entry=True)

    def _is_shim(self, address: int) -> bool:
        if not self._layout.since(3, 12):
            return False
        return self._memory.u8(address + self._layout["iframe.owner"]) >= _OWNED_BY_C_STACK

    def _interpreter_frame(
        self, address: int, entry: bool, *, suspended: bool = False, shim: int = 0
    ) -> Frame:
        """A _PyInterpreterFrame (Include/internal/pycore_frame.h, 3.11 on)."""
        memory = self._memory
        executable_at, instruction_at, slots_at, globals_at = self._fields
        executable = self.untagged(memory.u64(address + executable_at))
        code = self._codes.code(executable)
        instruction = memory.u64(address + instruction_at) - executable - self._before_code
        if suspended and self._tagged:
            instruction -= 2  # it already points to the instruction that comes next
        line, slots = self._codes.line(code, instruction), address + slots_at
        stack, namespace = slots + 8 * len(code.variables), memory.u64(address + globals_at)
        # In order: by their names it would take twice as long, and there are thousands.
        return Frame(address, code, instruction, line, slots, stack, namespace, entry, shim)

    def untagged(self, pointer: int) -> int:
        """A pointer without the bits that 3.13 on keeps in the lowest two."""
        return pointer & ~3 if self._tagged else pointer

    def variables(self, frame: Frame) -> Mapping[str, int]:
        """Local, cell and free variables that are bound; empty if unreadable.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        if self._read != self._memory.forgotten:
            self._read = self._memory.forgotten
            self._known.clear()
        key = frame.slots, frame.code.address
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._variables(frame)
        return known

    def _variables(self, frame: Frame) -> dict[str, int]:
        names = frame.code.variables
        self._memory.spent.objects(1 + len(names))
        try:
            values = self._memory.words(frame.slots, len(names)) if names else ()
        except MemoryReadError:
            return {}
        bound = (self._bound(self.untagged(slot)) for slot in values)
        return {name: value for name, value in zip(names, bound, strict=True) if value}

    def variable(self, frame: Frame, index: int) -> int:
        """What the variable in one slot refers to; 0: nothing.

        Raises:
            MemoryReadError: the slot cannot be read.
        """
        if not 0 <= index < len(frame.code.variables):
            return 0
        return self._bound(self.untagged(self._memory.u64(frame.slots + 8 * index)))

    def _bound(self, value: int) -> int:
        """What a variable's slot refers to, through its cell if it has one; 0: nothing."""
        if value and self._objects.kind(value) == "cell":
            try:
                return self._objects.cell_contents(value)
            except MemoryReadError:
                return 0
        return value

    def stack_slots(self, frame: Frame) -> tuple[int, ...]:
        """Every slot of the value stack, live or stale: its height is not known from outside.

        Never raises; empty if unreadable.
        """
        count = frame.code.stack_size
        if not 0 < count < 2000:
            return ()
        try:
            return tuple(map(self.untagged, self._memory.words(frame.stack, count)))
        except MemoryReadError:
            return ()
