"""Where the values that instructions load are used: by a call, at the end of a statement, in a
subscript."""

from collections.abc import Sequence

from hangtui.backends.cpython.bytecode import ENTERS, USES, Expression, Instruction, uses_up

FETCHES = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_TAKES_OUT = frozenset({"get", "pop", "popleft", "setdefault"})
"""Methods of containers that give what lies in them."""
_GIVE = frozenset({"heappop", "heappushpop", "heapreplace", "max", "min", "next"})
"""Functions that give what lies in their first argument."""
_JOINS = ("BINARY_", "COMPARE_", "CONTAINS_", "IS_OP")
_RESULT = -1
"""On the stack: what was made of others."""
_TAKES_IN = frozenset(
    {
        *("LIST_APPEND", "LIST_EXTEND", "SET_ADD", "SET_UPDATE", "DICT_UPDATE", "DICT_MERGE"),
        "FORMAT_WITH_SPEC",
    }
)
"""What takes the value on top of the stack into the one below it."""
_AWAITED = ("YIELD_FROM", "END_SEND", "SEND")
"""What ends an `await`, and takes what is sent from the stack: of these the one that there is."""
_WITH_SPEC = 4
"""The flag of FORMAT_VALUE for a width and the like, which lies on the stack."""
_SUBSCRIPT = 26
"""The argument of BINARY_OP that fetches an item: Include/opcode.h, from 3.14 on."""


def entered(instructions: tuple[Instruction, ...]) -> frozenset[int]:
    """Where calls are whose results a `with` enters."""
    after = zip(instructions, instructions[1:], instructions[2:], strict=False)
    return frozenset(
        one.start
        for one, following, then in after
        if one.name.startswith("CALL")
        and (following.name in ENTERS or (following.name, then.name) == ("COPY", "LOAD_SPECIAL"))
    )


def next_uses(instructions: Sequence[Instruction]) -> list[int]:
    """For each instruction where the value that it makes is used up at the latest."""
    here = instructions[-1].end if instructions else 0
    found = []
    for instruction in reversed(instructions):
        found.append(here)
        if uses_up(instruction):
            here = instruction.start
    return found[::-1]


def calls(instructions: Sequence[Instruction]) -> list[int]:
    """For each instruction that loads something where that is called, or else what it is an
    argument of: by the height of the stack, as far as a few kinds of instructions tell that."""
    found = [instructions[-1].end if instructions else 0] * len(instructions)
    stack: list[int] = []
    names = {one.name for one in instructions}
    awaited = next((name for name in _AWAITED if name in names), None)
    for index, one in enumerate(instructions):
        name, argument = one.name, one.argument
        if name.startswith("CALL"):
            named = name in ("CALL_FUNCTION_KW", "CALL_KW")
            count = 1 + (argument & 1) if name == "CALL_FUNCTION_EX" else argument + named
            for _ in range(min(count + 1, len(stack))):
                loaded = stack.pop()
                if loaded >= 0:
                    found[loaded] = one.start
            stack.append(_RESULT)
        elif name.startswith(USES):
            stack.clear()
        elif name == awaited:
            del stack[-2:]
            stack.append(_RESULT)
        elif name in FETCHES:
            stack[-1:] = [index]
        elif name.startswith("LOAD_"):
            stack += [index] * (2 if name.count("LOAD_FAST") == 2 else 1)
        elif (parts := _parts(one)) is not None:
            del stack[len(stack) - min(parts, len(stack)) :]
            stack.append(_RESULT)
    return found


def _parts(one: Instruction) -> int | None:
    """Of how many values on the stack it makes one; None: it does not."""
    if one.name == "BUILD_MAP":
        return 2 * one.argument
    if one.name.startswith("BUILD_"):
        return one.argument + (one.name == "BUILD_CONST_KEY_MAP")
    joins = one.name in _TAKES_IN or one.name.startswith(_JOINS)
    return 2 if joins or (one.name == "FORMAT_VALUE" and one.argument & _WITH_SPEC) else None


def fetches_item(instruction: Instruction) -> bool:
    """Whether it takes an item of something."""
    item = instruction.name == "BINARY_OP" and instruction.argument == _SUBSCRIPT
    return item or instruction.name == "BINARY_SUBSCR"


class Items:
    """Of what values are items, as instructions are read one by one."""

    def __init__(self) -> None:
        self.of: dict[int, Expression | None] = {}
        """By the number of the instruction that is given the item."""
        self._owners: dict[int, Expression | None] = {}
        self._taking: dict[int, Expression | None] = {}
        """What an item is taken out of by a method of it or a function, by where that is called."""
        self._giving: set[int] = set()
        """Where a function is called that takes an item out of its first argument."""

    def note(
        self,
        index: int,
        whole: Expression | None,
        receiver: Expression | None,
        name: str,
        called: int,
    ) -> None:
        """*whole*: what lies on the stack before the instruction of that number: *name* of a
        *receiver*, which is *called* there."""
        self._owners[index] = whole
        if name in _TAKES_OUT:
            self._taking[called] = receiver
        elif called in self._giving:
            self._taking.setdefault(called, whole)
        elif (name or (receiver.name if receiver else "")) in _GIVE:
            self._giving.add(called)

    def look(self, index: int, instruction: Instruction) -> None:
        """Whether an instruction takes an item of something."""
        if fetches_item(instruction) and index - 1 in self._owners:  # before the key
            self._has_given(index, self._owners[index - 1])
        elif instruction.start in self._taking:
            self._has_given(index, self._taking[instruction.start])

    def _has_given(self, index: int, container: Expression | None) -> None:
        """An item of an item is one of those that lie in the container, too."""
        self.of[index + 1] = self._owners[index + 1] = container
