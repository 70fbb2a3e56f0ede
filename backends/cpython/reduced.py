"""Conditions that ask something of each of several things, as the program spells them:
``any(t.is_alive() for t in threads)``."""

from collections.abc import Sequence

from hangtui.backends.cpython.bytecode import Bytecode, Root
from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions

_REDUCES = frozenset({"any", "all", "sum", "max", "min", "len"})
_EXPRESSION = "<genexpr>"
_ITEM = 1
"""The slot of a generator expression's own variable; the first is what it goes through."""


class Reduced:
    """Spells them in one interpreter."""

    def __init__(
        self, objects: Objects, codes: CodeReader, bytecode: Bytecode, mentions: Mentions
    ) -> None:
        self._objects = objects
        self._codes = codes
        self._bytecode = bytecode
        self._mentions = mentions

    def text(self, those: Sequence[Mention], code: Code) -> str | None:
        """What one condition, in which these are mentioned, asks; None: nothing of this kind.

        Raises:
            MemoryReadError: the code cannot be read.
        """
        asks, *others = those
        root = asks.receiver
        if root is None or asks.name or root.root is not Root.GLOBAL or root.name not in _REDUCES:
            return None
        over = others[0].text(code) if others else "..."
        inner = self._expression(asks, code)
        if inner is None or len(inner.variables) <= _ITEM:
            return f"{root.name}({over})"
        return f"{root.name}({self._asked(inner)} for {inner.variables[_ITEM]} in {over})"

    def _asked(self, inner: Code) -> str:
        asked = [
            f"{one.text(inner)}{'()' if one.called < one.until else ''}"
            for one in self._mentions.of(inner)
            if one.receiver is not None
            and one.receiver.root is Root.LOCAL
            and one.receiver.slot == _ITEM
        ]
        return asked[0] if len(asked) == 1 else "..."

    def _expression(self, asks: Mention, code: Code) -> Code | None:
        """The generator expression that it is given."""
        place = self._objects.memory.u64(code.address + self._objects.layout["code.co_consts"])
        constants = self._objects.tuple_items(place)
        for one in self._bytecode.instructions(code):
            if not asks.start < one.start < asks.until or one.name != "LOAD_CONST":
                continue
            if one.argument < len(constants):
                address = constants[one.argument]
                if self._objects.kind(address) == "code":
                    found = self._codes.code(address)
                    return found if found.bare_name == _EXPRESSION else None
        return None
