"""Whether an application's variables change while an installed package waits for it: who comes back
to the same line after a turn of a loop has got something meanwhile."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from struct import pack, unpack
from zlib import crc32

from hangtui.backends.cpython.bytecode import Bytecode
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.liveness import settled
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data

_OWN_FRAMES = 4
"""Of the program, whose variables are looked at for changes."""
_MOST_NAMES = 64
"""That the code of a module binds."""
_MOST_TEXTS = 16
"""Of an object's attributes that are looked at."""
_MODULE = "<module>"
_NUMBERS = ("_native_id", "_ident", "pid")
"""Attributes of `threading.Thread` and `subprocess.Popen`; an ident may come again."""
_PLAIN = frozenset({"int", "str", "bytes", "float", "bool", "NoneType", "list", "dict", "tuple"})
_WORD = (1 << 64) - 1
_TAGS = 7
"""Bits of a slot that are no part of an address, from 3.14 on."""


class Bindings:
    """Reads the variables of one interpreter's frames."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._bytecode = Bytecode(objects.layout.version, objects.memory.spent)

    def of(self, frames: Sequence[Frame]) -> int | None:
        """A number that changes when a variable that the program's innermost frames bind, below
        which an installed package is at work, is bound to something else; or one that the function
        of that package which they called has bound for good before it waits, or the object whose
        method that is. Never raises; None: not read."""
        own = [at for at, one in enumerate(frames) if not one.in_library and not one.installed]
        below = [frame for frame in frames[: own[0]] if frame.installed] if own else []
        if not below:
            return None
        found = 0
        with suppress(BudgetSpentError, DamagedDataError), foreign_data():
            for frame in (frames[at] for at in own[:_OWN_FRAMES]):
                found = crc32(b"".join(self._variables(frame)), found)
            found = crc32(b"".join(self._settled(below[-1])), found)
            return crc32(b"".join(self._called(below[-1])), found)
        return None

    def _settled(self, frame: Frame) -> Iterator[bytes]:
        """What a call that only waits has in the variables that it does not set any more, numbers
        by their value: an object that was made anew may have the address of the last one."""
        if not self._bytecode.is_known(frame.code):
            return
        objects, slots = self._objects, settled(self._bytecode, frame.code, frame.instruction)
        for slot in sorted(slots)[:_MOST_NAMES]:
            objects.memory.spent.objects(1)
            value = objects.memory.u64(frame.slots + 8 * slot)
            yield pack("<Q", value)
            own = value & ~_TAGS
            if own and objects.kind(own) == "int":
                yield pack("<Q", objects.integer(own) & _WORD)

    def _called(self, frame: Frame) -> Iterator[bytes]:
        """The object whose method it is, with its texts: one that was made after the end of another
        one may have the same address."""
        if frame.code.variables[:1] != ("self",):
            return
        objects, texts = self._objects, 0
        own = objects.memory.u64(frame.slots) & ~_TAGS
        objects.memory.spent.objects(1)
        yield pack("<Q", own)
        for value in objects.attributes(own).values():
            if texts < _MOST_TEXTS and objects.kind(value) == "str":
                texts += 1
                yield objects.text(value).encode(errors="replace")

    def _variables(self, frame: Frame) -> Iterator[bytes]:
        memory, count = self._objects.memory, len(frame.code.variables)
        memory.spent.objects(1 + count)
        if count:
            slots = memory.read(frame.slots, 8 * count)
            yield slots
            yield from map(self._identity, unpack(f"<{count}Q", slots)[:_MOST_NAMES])
        elif frame.code.bare_name == _MODULE:
            values = self._objects.named(frame.namespace)
            yield from (pack("<Q", values.get(name, 0)) for name in self._bound(frame))

    def _identity(self, slot: int) -> bytes:
        """What tells a thread or a process from another one that lay at the same address."""
        own = slot & ~_TAGS
        if not own or self._objects.kind(own) in _PLAIN:
            return b""
        values = self._objects.attributes(own)
        found = (values[name] for name in _NUMBERS if name in values)
        ints = (one for one in found if self._objects.kind(one) == "int")
        return b"".join(pack("<Q", self._objects.integer(one) & _WORD) for one in ints)

    def _bound(self, frame: Frame) -> list[str]:
        """What the code of a module binds itself: other threads bind other globals of it."""
        names = frame.code.names
        stored = (
            one.argument
            for one in self._bytecode.instructions(frame.code)
            if one.name in ("STORE_NAME", "STORE_GLOBAL") and one.argument < len(names)
        )
        return [names[index] for index in dict.fromkeys(stored)][-_MOST_NAMES:]
