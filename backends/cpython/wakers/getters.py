"""Properties that only give an attribute: ``return self._queue``."""

from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.bytecode import Bytecode, Instruction
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.mentions import Mentions
from hangtui.backends.memory.damage import MemoryReadError

_PROPERTY, _FUNCTION = "property", "function"
_FETCHES = frozenset({"LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_ATTR"})
_BESIDE = frozenset({"RESUME", "NOP", "CACHE"})
_RETURNS = "RETURN_VALUE"
_MOST = 12
"""Instructions of such a function."""


class Getters:
    """Reads the functions behind the properties of one interpreter; each once."""

    def __init__(
        self, objects: Objects, codes: CodeReader, bytecode: Bytecode, mentions: Mentions
    ) -> None:
        self._objects = objects
        self._containers = Containers(objects, codes)
        self._codes = codes
        self._bytecode = bytecode
        self._mentions = mentions
        self._known: dict[int, tuple[str, ...]] = {}

    def of(self, value: int) -> tuple[str, ...]:
        """``("_pool", "queue")``, which a property gives of its object; empty: *value* is none, or
        its function does something else."""
        if self._objects.kind(value) != _PROPERTY:
            return ()
        if value not in self._known:
            self._known[value] = ()
            with suppress(MemoryReadError):
                self._known[value] = self._read(self._containers.field(value))
        return self._known[value]

    def _read(self, function: int) -> tuple[str, ...]:
        if not function or self._objects.kind(function) != _FUNCTION:
            return ()
        code = self._codes.code(self._objects.function_code(function))
        if code.local_count != 1:
            return ()
        found = self._mentions.of(code)
        if not _only_fetches(self._bytecode.instructions(code)) or len(found) != 1:
            return ()
        receiver = found[0].receiver
        if receiver is None or receiver.slot != 0 or not found[0].name:
            return ()
        return (*receiver.attributes, found[0].name)


def _only_fetches(instructions: tuple[Instruction, ...]) -> bool:
    names = [one.name for one in instructions[:_MOST] if one.name not in _BESIDE]
    return names[-1:] == [_RETURNS] and _FETCHES.issuperset(names[:-1])
