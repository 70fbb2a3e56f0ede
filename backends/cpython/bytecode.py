"""Instructions of code objects, and which of them can follow which.

Specialised and instrumented instructions stand for the ones that they replaced. The tables in
``opcodes/X.Y.json`` were written by ``script/measure-opcodes`` from the interpreter itself.
"""

import json
from collections.abc import Collection, Container, Iterator, Mapping
from enum import Enum
from pathlib import Path

from hangtui.backends.cpython.code import Code
from hangtui.backends.cpython.layouts import Version
from hangtui.backends.limits import Spending
from hangtui.dataclass import dataclass

_INSTRUMENTED = "INSTRUMENTED_"
_UNKNOWN = frozenset({"?", "LINE", "INSTRUCTION"})
"""What has no name, or was overwritten by tracing and could not be restored."""
_ENDS = frozenset(
    {
        "RETURN_VALUE",
        "RETURN_CONST",
        "RERAISE",
        "RAISE_VARARGS",
        "INTERPRETER_EXIT",
    }
)
"""After these nothing follows in the same frame, but for exception handlers."""
_RELATIVE = frozenset(
    {
        "FOR_ITER",
        "SEND",
        "SETUP_FINALLY",
        "SETUP_WITH",
        "SETUP_ASYNC_WITH",
        "SETUP_EXCEPT",
        "SETUP_LOOP",
        "CALL_FINALLY",
    }
)
"""These go on or jump forward by their argument."""
SETUPS = frozenset({"SETUP_FINALLY", "SETUP_EXCEPT", "SETUP_WITH", "SETUP_ASYNC_WITH"})
"""Up to 3.10 these name the handler of what follows as where they jump to."""
ENTERS = frozenset({"SETUP_WITH", "SETUP_ASYNC_WITH", "BEFORE_WITH", "BEFORE_ASYNC_WITH"})
USES = ("POP_TOP", "STORE_", "RETURN_", "RAISE_")
_AWAITS = "JUMP_BACKWARD_NO_INTERRUPT"
"""The loop of an ``await``."""
_DECODED = 32
"""How many times larger instructions are once they are decoded: half of it in bytes each."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction."""

    start: int
    """Byte offset, its EXTENDED_ARG prefixes included."""
    offset: int
    """Byte offset of the instruction itself: what a frame's instruction pointer names."""
    name: str
    """Of the unspecialised instruction."""
    argument: int
    end: int
    """Byte offset of the next one, behind the inline caches."""


class Root(Enum):
    """Where an expression begins."""

    LOCAL = "a local variable's slot"
    CELL = "a cell or free variable's slot"
    GLOBAL = "a global's name"


@dataclass(frozen=True, slots=True)
class Expression:
    """A variable and attributes of it: ``self.cache.lock``."""

    root: Root
    slot: int
    """For LOCAL and CELL."""
    name: str
    """For GLOBAL."""
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A place where a method of an expression is fetched to be called."""

    start: int
    offset: int
    receiver: Expression
    plain: bool
    """It is called at once and without arguments."""
    until: int
    """Where the statement or condition that it is part of goes on to something else: a frame that
    stands between *start* and here is still in the call."""


class Bytecode:
    """Reads the instructions of one interpreter's code objects."""

    def __init__(self, version: Version, spent: Spending) -> None:
        self._version = version
        self._spent = spent
        name = f"{version[0]}.{version[1]}"
        file = Path(__file__).parent / "opcodes" / f"{name}.json"
        table = json.loads(file.read_text())
        self._names: Mapping[int, str] = {int(n): text for n, text in table["names"].items()}
        self._base: Mapping[str, str] = table["base"]
        self._caches: Mapping[str, int] = table["caches"]
        self._known: dict[int, tuple[Instruction, ...]] = {}
        self._unit = 2 if version >= (3, 10, 0) else 1
        """Bytes that a jump's argument counts."""

    def instructions(self, code: Code) -> tuple[Instruction, ...]:
        """The instructions of *code*."""
        size = len(code.instructions)
        self._spent.objects(size >> 4)  # a pass over eight instructions takes as long as an object
        if code.address not in self._known:
            self._spent.keep(_DECODED * size)
            self._known[code.address] = tuple(self._decode(code.instructions))
        return self._known[code.address]

    def _decode(self, raw: bytes) -> Iterator[Instruction]:
        at, start, extended = 0, 0, 0
        while at + 1 < len(raw):
            name = self._names.get(raw[at], "?").removeprefix(_INSTRUMENTED)
            name = self._base.get(name, name)  # also of a prefix: EXTENDED_ARG_QUICK (3.11)
            argument = raw[at + 1] | extended
            if name == "EXTENDED_ARG":
                extended = argument << 8
                at += 2
                continue
            end = at + 2 + 2 * self._caches.get(name, 0)
            yield Instruction(start, at, name, argument, end)
            at = start = end
            extended = 0

    def is_known(self, code: Code) -> bool:
        """Whether it can be told of every instruction what it does."""
        return all(i.name not in _UNKNOWN for i in self.instructions(code))

    def calls(self, code: Code, wanted: Container[str]) -> list[Call]:
        """Where ``<expression>.<one of wanted>`` is fetched, or a global function of this name,
        which then is the receiver itself."""
        found: list[Call] = []
        expression: Expression | None = None
        instructions = self.instructions(code)
        for index, instruction in enumerate(instructions):
            loaded = self.loaded(code, instruction)
            if loaded is not None:
                expression = loaded
                if loaded.name in wanted:
                    found.append(_call(loaded, instructions[index:]))
            elif instruction.name in ("LOAD_ATTR", "LOAD_METHOD") and expression is not None:
                attribute = self.attribute(code, instruction)
                if attribute in wanted:
                    found.append(_call(expression, instructions[index:]))
                    expression = None
                elif attribute is not None:
                    expression = _extended(expression, attribute)
            elif instruction.name not in ("PUSH_NULL", "NOP", "PRECALL", "NOT_TAKEN"):
                expression = None
        return found

    def attribute(self, code: Code, instruction: Instruction) -> str | None:
        """The attribute that an instruction fetches."""
        index = instruction.argument
        if instruction.name == "LOAD_ATTR" and self._version >= (3, 12, 0):
            index >>= 1  # the lowest bit says that a method is wanted
        return code.names[index] if index < len(code.names) else None

    def loaded(self, code: Code, instruction: Instruction) -> Expression | None:
        """The variable that an instruction loads last."""
        name, argument = instruction.name, instruction.argument
        if name in ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW"):
            return Expression(Root.LOCAL, argument, "")
        if name in ("LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW_LOAD_FAST_BORROW"):
            return Expression(Root.LOCAL, argument & 15, "")
        if name in ("LOAD_DEREF", "LOAD_CLASSDEREF"):
            # Before 3.11 cells are counted on their own, behind the local variables.
            first = 0 if self._version >= (3, 11, 0) else code.local_count
            return Expression(Root.CELL, first + argument, "")
        if name in ("LOAD_GLOBAL", "LOAD_NAME"):
            shift = name == "LOAD_GLOBAL" and self._version >= (3, 11, 0)
            index = argument >> 1 if shift else argument
            if index < len(code.names):
                return Expression(Root.GLOBAL, 0, code.names[index])
        return None

    def loaded_before(self, instruction: Instruction) -> Expression | None:
        """The variable that an instruction loads first, of one that loads two at once (3.13 on)."""
        if instruction.name in ("LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW_LOAD_FAST_BORROW"):
            return Expression(Root.LOCAL, instruction.argument >> 4, "")
        return None

    def enters_with(self, code: Code, at: int) -> bool:
        """Whether the instruction at *at* calls the ``__enter__`` of a ``with`` statement."""
        before = ""
        for instruction in self.instructions(code):
            if instruction.start >= at:
                # From 3.14 on it is an ordinary call of what was loaded in a special way.
                ordinary = instruction.name == "CALL" and before == "LOAD_SPECIAL"
                return ordinary or instruction.name in ENTERS
            before = instruction.name
        return False

    def successors(self, code: Code) -> dict[int, tuple[int, ...]]:
        """The starts of the instructions that can follow, by the start of each instruction."""
        self._spent.objects(len(code.instructions) * len(code.handlers) >> 9)
        following: dict[int, tuple[int, ...]] = {}
        for instruction in self.instructions(code):
            targets = [h.target for h in code.handlers if h.start <= instruction.start < h.end]
            following[instruction.start] = (*self.following(instruction), *targets)
        return following

    def following(self, instruction: Instruction) -> tuple[int, ...]:
        """What can follow on an instruction, but for handlers that a table names."""
        name, end = instruction.name, instruction.end
        jump = instruction.argument * self._unit
        if name in _ENDS:
            return ()
        if name == "JUMP_FORWARD":
            return (end + jump,)
        if name in ("JUMP_ABSOLUTE", "CONTINUE_LOOP"):
            return (jump,)
        if name.startswith("JUMP_BACKWARD"):
            return (end - jump,)
        if name in _RELATIVE:
            return (end, end + jump)
        if "JUMP" in name and "_IF_" in name:
            if self._version < (3, 11, 0):
                return (end, jump)
            return (end, end - jump if "BACKWARD" in name else end + jump)
        return (end,)


def _call(receiver: Expression, instructions: tuple[Instruction, ...]) -> Call:
    """*instructions*: from the one that fetches the method on."""
    fetch, following = instructions[0], instructions[1:]
    plain = _called_plainly(following[:2])
    return Call(fetch.start, fetch.offset, receiver, plain, _until(following) or fetch.end)


def _called_plainly(following: tuple[Instruction, ...]) -> bool:
    """Whether the instructions behind the fetch of a method call it without arguments."""
    call = next((i for i in following if i.name not in ("PUSH_NULL", "NOP")), None)
    names = ("CALL_FUNCTION", "CALL_METHOD", "PRECALL", "CALL")
    return call is not None and call.name in names and call.argument == 0


def branches(instruction: Instruction) -> bool:
    """Whether it may go on elsewhere; waiting in an ``await`` does not."""
    return "JUMP" in instruction.name and instruction.name != _AWAITS


def uses_up(instruction: Instruction) -> bool:
    """Whether it stores, drops or returns what was made, or decides on it."""
    return branches(instruction) or instruction.name.startswith(USES)


def _until(following: tuple[Instruction, ...]) -> int:
    """Where the value of an expression is used up: stored, dropped, returned or decided on."""
    for instruction in following:
        if uses_up(instruction):
            return instruction.start
    return following[-1].end if following else 0


def _extended(expression: Expression, attribute: str) -> Expression:
    return Expression(
        expression.root, expression.slot, expression.name, (*expression.attributes, attribute)
    )


def reachable(
    successors: Mapping[int, tuple[int, ...]], start: int, without: Collection[int] = ()
) -> set[int]:
    """The instructions that can be reached from *start* without passing any of *without*."""
    seen: set[int] = set()
    left = [start]
    while left:
        here = left.pop()
        if here not in seen and here not in without:
            seen.add(here)
            left += successors.get(here, ())
    return seen
