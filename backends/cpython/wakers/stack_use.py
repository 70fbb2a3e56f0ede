"""Where the values that instructions load are used: by a call, at the end of a statement, in a
subscript."""

from collections.abc import Sequence

from hangtui.backends.cpython.bytecode import ENTERS, USES, Instruction, uses_up

FETCHES = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_JOINS = ("BINARY_", "COMPARE_", "CONTAINS_", "IS_OP")
_RESULT = -1
"""On the stack: what was made of others."""
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
        elif name in FETCHES:
            stack[-1:] = [index]
        elif name.startswith("LOAD_"):
            stack += [index] * (2 if name.count("LOAD_FAST") == 2 else 1)
        elif name.startswith(_JOINS):
            del stack[-2:]
            stack.append(_RESULT)
        elif name.startswith("BUILD_"):
            del stack[len(stack) - min(argument, len(stack)) :]
            stack.append(_RESULT)
    return found


def fetches_item(instruction: Instruction) -> bool:
    """Whether it takes an item of something."""
    item = instruction.name == "BINARY_OP" and instruction.argument == _SUBSCRIPT
    return item or instruction.name == "BINARY_SUBSCR"
