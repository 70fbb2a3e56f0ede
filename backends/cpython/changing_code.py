"""Where code of the program changes something: an attribute, a global variable, what is in a
container."""

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

from hangtui.backends.cpython.bytecode import Bytecode, Instruction
from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.frames import Frame, installed_file, library_file
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.values import Function, Scope, Values
from hangtui.backends.memory.damage import MemoryReadError

_ALTERS = frozenset(
    {
        *("append", "appendleft", "add", "update", "setdefault", "extend", "insert"),
        *("pop", "popleft", "popitem", "remove", "discard", "clear"),
    }
)
"""Methods by which code changes a container."""
_FILLS = frozenset({"pack_into", "readinto", "recv_into"})
"""Functions that change what they are given."""
_SUBSCRIPTS = ("STORE_SUBSCR", "DELETE_SUBSCR")
PROPERTY = "property"
Looked = tuple[int, str]
"""An object and its attribute, a module and its variable; or a container and nothing. Of an item of
what a property gives: the object, and the property."""


class Write(NamedTuple):
    """A place where code changes something."""

    name: str
    """The attribute or global variable; empty: what is in a container."""
    mentions: tuple[Mention, ...]
    """Of what; one of them, for an item of a container."""
    at: Instruction | Mention
    is_global: bool = False


class ChangingCode:
    """Finds these places in code of one interpreter."""

    def __init__(
        self, codes: CodeReader, bytecode: Bytecode, mentions: Mentions, values: Values
    ) -> None:
        self._codes = codes
        self._bytecode = bytecode
        self._mentions = mentions
        self._values = values
        self._known: dict[int, tuple[Write, ...]] = {}

    def of(
        self, code: Code, scope: Scope, namespace: int
    ) -> Iterator[tuple[Looked, Instruction | Mention]]:
        """All that code changes, as far as it can be told."""
        for write in self._writes(code):
            if write.is_global:
                yield (namespace, write.name), write.at
                continue
            for mention in write.mentions:
                if looked := self._looked(mention, write.name, scope):
                    yield looked, write.at

    def in_frame(self, frame: Frame) -> Iterator[tuple[Looked, Instruction | Mention]]:
        """The same of the code of a frame, with the variables that it has."""
        return self.of(frame.code, self._values.frame(frame), frame.namespace)

    def in_function(
        self, function: Function, code: Code
    ) -> Iterator[tuple[Looked, Instruction | Mention]]:
        """The same of a function, before it is called; *code*: its own."""
        scope = self._values.call(function, code.variables)
        return self.of(code, scope, self._values.globals_of(function))

    def counts(self, names: Collection[str]) -> Callable[[int], bool]:
        """Whether code changes an attribute or variable of one of these names, or an item of it;
        empty: of a container."""

        def counts(address: int) -> bool:
            with suppress(MemoryReadError):
                code = self._codes.code(address)
                return is_of_program(code.filename) and any(
                    write.name in names or (not write.name and _mentions_any(write, names))
                    for write in self._writes(code)
                )
            return False

        return counts

    def _writes(self, code: Code) -> tuple[Write, ...]:
        """Where code changes something, whatever that is; of each code once."""
        known = self._known.get(code.address)
        if known is None:
            known = self._known[code.address] = tuple(self._read(code))
        return known

    def _read(self, code: Code) -> Iterator[Write]:
        by_end: dict[int, list[Mention]] = {}
        for mention in self._mentions.of(code):
            by_end.setdefault(mention.until, []).append(mention)
            if mention.name in _ALTERS and mention.receiver is not None:
                yield Write("", (mention._replace(name=""),), mention)
            if mention.name in _FILLS and mention.called < mention.until:
                given = self._mentions.of(code)
                inside = [one for one in given if mention.start < one.start < mention.until]
                yield Write("", tuple(inside), mention)
        for one in self._bytecode.instructions(code):
            used = tuple(by_end.get(one.start, ()))
            name = code.names[one.argument] if one.argument < len(code.names) else ""
            if one.name == "STORE_ATTR" and used:
                yield Write(name, _owner(used, name), one)
            elif one.name == "STORE_GLOBAL":
                yield Write(name, (), one, is_global=True)
            elif one.name in _SUBSCRIPTS:
                yield Write("", used, one)

    def _looked(self, mention: Mention, name: str, scope: Scope) -> Looked | None:
        """What is changed by way of a mention: its attribute *name*, or what it has in it."""
        owner = self._values.of(mention.receiver, scope) if mention.receiver else None
        value = owner
        if owner and mention.name:
            value = self._values.attribute(owner, mention.name)
            if value and not name and self._values.kind(value) == PROPERTY:
                return owner, mention.name
        return (value, name) if value else None


def _mentions_any(write: Write, names: Collection[str]) -> bool:
    return any(one.name in names for one in write.mentions)


def _owner(used: tuple[Mention, ...], name: str) -> tuple[Mention, ...]:
    """Whose attribute *name* is stored, of all that its statement mentions: what comes last, or, in
    ``self.count += 1``, what its old value is fetched from."""
    for before, one in pairwise(used):
        if one.receiver is None and one.name == name:
            return (before,)
    return used[-1:]


def is_of_program(filename: str) -> bool:
    """Whether a file is the program's own."""
    return not (library_file(filename) or installed_file(filename))
