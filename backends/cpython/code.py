"""Code objects: names, lines of instructions, exception tables."""

from collections.abc import Iterator
from contextlib import suppress

from hangtui.backends.cpython.instrumented import original
from hangtui.backends.cpython.line_tables import line_of
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError
from hangtui.dataclass import dataclass
from hangtui.model import clean

_HAS_DOCSTRING = 0x4000000
"""CO_HAS_DOCSTRING, Include/cpython/code.h 3.14 on; before that, the first constant of a function
without one is None."""
_MAX_UNITS = 1 << 22
"""Instructions of one function that are believed."""
_TAKES_ANY = 0x04 | 0x08
"""CO_VARARGS and CO_VARKEYWORDS."""
_COROUTINE = 0x80
"""CO_COROUTINE, Include/cpython/code.h."""
_MAX_HANDLERS, _MAX_OFFSET = 1 << 16, (1 << 32) - 1
"""Bytes of a table of handlers that are read, four to eight for each; the largest number in it."""
_MAX_NAME = 80
"""Characters of a function's or file's name that are told."""
_COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
_ANONYMOUS = frozenset({"__init__.py", "__main__.py"})


@dataclass(frozen=True, slots=True)
class Handler:
    """One entry of ``co_exceptiontable`` (Objects/exception_handling_notes.txt), in bytes."""

    start: int
    end: int
    target: int
    depth: int
    """Values on the stack when the handler is entered."""


@dataclass(frozen=True, slots=True)
class Code:
    """A code object's unchanging parts."""

    address: int
    function: str
    filename: str
    first_line: int
    lines: bytes
    """The line table in the version's own format."""
    instructions: bytes
    handlers: tuple[Handler, ...]
    variables: tuple[str, ...]
    """Names of locals, cells and free variables, in the order of the frame's slots."""
    names: tuple[str, ...]
    """``co_names``: globals and attributes that the code mentions."""
    stack_size: int
    local_count: int
    """Local variables, without cells and free variables."""

    @property
    def bare_name(self) -> str:
        """The function's name without its class."""
        return self.function.rpartition(".")[2]

    @property
    def is_comprehension(self) -> bool:
        """It is a part of another function that was not written as one."""
        return self.bare_name in _COMPREHENSIONS

    @property
    def file(self) -> str:
        """The file's name; with its folder where the name alone says nothing (``__init__.py``)."""
        folder, _, name = self.filename.rpartition("/")
        return f"{folder.rpartition('/')[2]}/{name}" if folder and name in _ANONYMOUS else name


class CodeReader:
    """Reads code objects; each once, since hundreds of frames share a few of them."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._known: dict[int, Code] = {}
        self._lines: dict[tuple[int, int], int | None] = {}
        """By the addresses of codes and the offsets of their instructions."""

    def code(self, address: int) -> Code:
        """The code object at *address*.

        Raises:
            MemoryReadError: there is none.
        """
        code = self._known.get(address)
        if code is None:
            if self._objects.kind(address) != "code":
                raise MemoryReadError("not a code object")
            code = self._known[address] = self._read(address)
        return code

    def _read(self, address: int) -> Code:
        objects, layout, memory = self._objects, self._objects.layout, self._objects.memory

        def pointer(field: str) -> int:
            return memory.u64(address + layout[field])

        def strings(field: str) -> tuple[str, ...]:
            at = pointer(field)
            return tuple(objects.text(item) for item in objects.tuple_items(at)) if at else ()

        if layout.since(3, 11):
            instructions = self._adaptive(address)
            handlers = parse_exception_table(objects.data(pointer("code.co_exceptiontable")))
            variables = strings("code.co_localsplusnames")
        else:
            instructions = objects.data(pointer("code.co_code"))
            handlers = ()
            variables = (
                strings("code.co_varnames")
                + strings("code.co_cellvars")
                + strings("code.co_freevars")
            )
        name = "code.co_qualname" if layout.since(3, 11) else "code.co_name"
        table = "code.co_linetable" if layout.since(3, 10) else "code.co_lnotab"
        return Code(
            address=address,
            function=clean(objects.text(pointer(name))),
            filename=clean(objects.text(pointer("code.co_filename"))),
            first_line=memory.i32(address + layout["code.co_firstlineno"]),
            lines=objects.data(pointer(table)),
            instructions=instructions,
            handlers=handlers,
            variables=variables,
            names=strings("code.co_names"),
            stack_size=memory.i32(address + layout["code.co_stacksize"]),
            local_count=memory.i32(address + layout["code.co_nlocals"]),
        )

    def comprehensions(self, code: Code) -> Iterator[Code]:
        """Its list comprehensions and the like, which have code of their own before 3.12. Never
        raises."""
        return (one for one in self.nested(code) if one.is_comprehension)

    def nested(self, code: Code) -> Iterator[Code]:
        """The code of all functions that are defined in it. Never raises."""
        objects, layout = self._objects, self._objects.layout
        with suppress(MemoryReadError):
            constants = objects.memory.u64(code.address + layout["code.co_consts"])
            for item in objects.tuple_items(constants):
                if objects.kind(item) == "code":
                    yield self.code(item)

    def constant_kind(self, code: Code, index: int) -> str | None:
        """The name of the type of a constant; None: it cannot be read. Never raises."""
        objects, layout = self._objects, self._objects.layout
        try:
            constants = objects.memory.u64(code.address + layout["code.co_consts"])
            if not 0 <= index < objects.size(constants):
                return None
            place = constants + layout["tuple.ob_item"] + 8 * index
            return objects.kind(objects.memory.u64(place))
        except MemoryReadError:
            return None

    def docstring(self, code: Code) -> str | None:
        """The docstring of a function, its first thousand characters; None: it has none, or that
        cannot be read. Never raises."""
        objects, layout, memory = self._objects, self._objects.layout, self._objects.memory
        if code.function.endswith(">"):
            return None  # what has no name has no docstring, and another first constant
        try:
            flags = memory.u32(code.address + layout["code.co_flags"])
            if layout.since(3, 14) and not flags & _HAS_DOCSTRING:
                return None
            constants = memory.u64(code.address + layout["code.co_consts"])
            if objects.size(constants) < 1:
                return None
            first = memory.u64(constants + layout["tuple.ob_item"])
            return objects.text(first) if objects.kind(first) == "str" else None
        except (MemoryReadError, BudgetSpentError):
            return None

    def is_coroutine(self, code: Code) -> bool:
        """Whether a call of a function makes a coroutine, which somebody has to run.

        Raises:
            MemoryReadError: that cannot be read.
        """
        place = code.address + self._objects.layout["code.co_flags"]
        return bool(self._objects.memory.u32(place) & _COROUTINE)

    def takes_any(self, code: Code) -> bool:
        """Whether a function takes any number of arguments (``*args``, ``**more``).

        Raises:
            MemoryReadError: that cannot be read.
        """
        place = code.address + self._objects.layout["code.co_flags"]
        return bool(self._objects.memory.u32(place) & _TAKES_ANY)

    def _adaptive(self, address: int) -> bytes:
        """The instructions of a code object as they were compiled (CPython 3.11 on)."""
        layout, memory = self._objects.layout, self._objects.memory
        units = self._objects.size(address)
        if not 0 < units < _MAX_UNITS:
            raise MemoryReadError("not a code object")
        memory.spent.keep(2 * units)
        raw = memory.read(address + layout["code.co_code_adaptive"], 2 * units)
        return original(memory, layout, address, raw)

    def line(self, code: Code, offset: int) -> int | None:
        """The source line of the instruction at byte *offset*; None where it has none."""
        key = code.address, offset
        if key not in self._lines:
            self._lines[key] = self._line(code, offset)
        return self._lines[key]

    def place(self, code: Code, offset: int) -> str:
        """``Flag.hoist (a.py:9)``: its name, and the line at byte *offset*."""
        file = clean(code.filename.rpartition("/")[2], _MAX_NAME)
        return f"{clean(code.function, _MAX_NAME)} ({file}:{self.line(code, offset)})"

    def _line(self, code: Code, offset: int) -> int | None:
        layout = self._objects.layout
        self._objects.memory.spent.objects(len(code.lines) >> 6)
        version = 11 if layout.since(3, 11) else 10 if layout.since(3, 10) else 8
        try:
            return line_of(version, code.lines, code.first_line, offset)
        except DamagedDataError:
            return None


def parse_exception_table(table: bytes) -> tuple[Handler, ...]:
    """The handlers of a code object, in the order of their starts (CPython 3.11 on)."""
    numbers = []
    at = 0
    try:
        while at < min(len(table), _MAX_HANDLERS):
            byte, at = table[at], at + 1
            value = byte & 63
            while byte & 64:
                byte, at = table[at], at + 1
                value = (value << 6 | byte & 63) & _MAX_OFFSET
            numbers.append(value)
    except IndexError:
        pass
    rows = zip(*[iter(numbers)] * 4, strict=False)
    return tuple(
        Handler(2 * start, 2 * (start + length), 2 * target, depth >> 1)
        for start, length, target, depth in rows
    )
