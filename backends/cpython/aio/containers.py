"""Sets, lists, deques, slots and closures of objects in foreign memory.

Every walk is bounded.
"""

import struct
from collections.abc import Iterator

from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.slots import Slots
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import clean

MAX_ITEMS = 20_000
_DEQUE_LENGTH = 64
"""BLOCKLEN of Modules/_collectionsmodule.c."""
_MAX_CLASSES = 100
_CONTAINERS = frozenset(
    {"list", "tuple", "dict", "set", "frozenset", "collections.deque", "collections.OrderedDict"}
)
_MOST_PARTIALS = 8
"""Partial calls within each other that are followed: one that changes may lead to itself."""


class Containers:
    """Reads containers of one interpreter.

    Methods raise MemoryReadError where memory is not what it should be, unless they say otherwise.
    """

    def __init__(self, objects: Objects, codes: CodeReader) -> None:
        self._objects = objects
        self._memory = objects.memory
        self._layout = objects.layout
        self._codes = codes
        self._classes: dict[int, tuple[str, ...]] = {}
        self._slots = Slots(objects)
        self._titles: dict[int, str] = {}

    def value(self, dictionary: int, name: str) -> int:
        """The value under a string key, found without decoding all keys; 0: none."""
        length = self._layout["ascii.length"]
        for key, value in self._objects.items(dictionary):
            if (
                self._memory.u64(key + length) == len(name)
                and self._objects.kind(key) == "str"
                and self._objects.text(key) == name
            ):
                return value
        return 0

    def dict_size(self, dictionary: int) -> int:
        """How many items a dict has."""
        if self._objects.kind(dictionary) != "dict":
            raise MemoryReadError("not a dict")
        return self.field(dictionary)  # ma_used

    def field(self, address: int, index: int = 0) -> int:
        """A word behind an object's header: for types whose first fields are all words."""
        return self._memory.u64(address + self._layout.header + 8 * index)

    def members_of_set(self, address: int) -> list[int]:
        """The members of a set, or nothing. Never raises."""
        if self._objects.kind(address) != "set":
            return []
        try:
            return self.set_items(address)
        except MemoryReadError:
            return []

    def set_items(self, address: int) -> list[int]:
        """The members of a set."""
        if self._objects.kind(address) not in ("set", "frozenset"):
            raise MemoryReadError("not a set")
        slots = self._memory.u64(address + self._layout["set.mask"]) + 1
        if not 0 < slots <= 16 * MAX_ITEMS:
            raise MemoryReadError("not a set")
        self._memory.spent.objects(slots)
        table = self._memory.u64(address + self._layout["set.table"])
        words = self._memory.words(table, 2 * slots)  # keys and their hashes
        keys = zip(words[::2], words[1::2], strict=True)
        # A removed entry keeps a dummy with the hash -1.
        return [key for key, hashed in keys if key and hashed != 2**64 - 1][:MAX_ITEMS]

    def holds_items(self, address: int) -> bool:
        """Whether it is a container rather than an object of the program's. Never raises."""
        return self._objects.kind(address) in _CONTAINERS

    def weak_set_items(self, address: int) -> list[int]:
        """The members of a ``weakref.WeakSet`` that are alive."""
        references = self.set_items(self._objects.attributes(address).get("data", 0))
        return [item for one in references if (item := self.referent(one)) is not None]

    def referent(self, reference: int) -> int | None:
        """What a weak reference leads to; None: that is gone, or it is none. Never raises."""
        try:
            item = self._memory.u64(reference + self._layout["weakref.wr_object"])
        except MemoryReadError:
            return None
        return None if self._objects.kind(item) in (None, "NoneType") else item

    def sequence(self, address: int) -> list[int]:
        """The items of a list, tuple or deque; nothing for other objects."""
        kind = self._objects.kind(address)
        if kind == "tuple":
            return list(self._objects.tuple_items(address))
        if kind == "collections.deque":
            return list(self._deque(address))
        if kind != "list":
            return []
        size = self._objects.size(address)
        if not 0 < size <= 100 * MAX_ITEMS:
            return []
        self._memory.spent.objects(min(size, MAX_ITEMS))
        items = self._memory.u64(address + self._layout["list.ob_item"])
        return list(self._memory.words(items, min(size, MAX_ITEMS)))

    def _deque(self, deque: int) -> Iterator[int]:
        layout = self._layout
        block = self._memory.u64(deque + layout["deque.leftblock"])
        index = self._memory.i64(deque + layout["deque.leftindex"])
        for _ in range(min(self._objects.size(deque), MAX_ITEMS)):
            self._memory.spent.objects(1)
            if index == _DEQUE_LENGTH:
                block, index = self._memory.u64(block + layout["dequeblock.rightlink"]), 0
            if not 0 <= index < _DEQUE_LENGTH:
                return
            yield self._memory.u64(block + layout["dequeblock.data"] + 8 * index)
            index += 1

    def classes(self, address: int) -> tuple[str, ...]:
        """``tp_name`` of an object's class and its bases. Never raises."""
        try:
            kind = self._objects.type_of(address)
            if kind not in self._classes:
                self._classes[kind] = tuple(self._class_names(kind))
            return self._classes[kind]
        except MemoryReadError:
            return ()

    def type_title(self, address: int) -> str:
        """``asyncio.Lock``: the class by the name that programs use. Never raises."""
        try:
            kind = self._objects.type_of(address)
            if kind not in self._titles:
                name = clean(self._objects.qualified_type(address), 100)
                package, _, rest = name.partition(".")
                last = rest.rpartition(".")[2]
                known = package in ("asyncio", "anyio", "tornado")
                self._titles[kind] = f"{package}.{last}" if known else name
            return self._titles[kind]
        except MemoryReadError:
            return "asyncio object"

    def _class_names(self, kind: int) -> Iterator[str]:
        for base in self._bases(kind):
            name = self._memory.u64(base + self._layout["type.tp_name"])
            yield self._memory.c_string(name, 100)

    def _bases(self, kind: int) -> tuple[int, ...]:
        order = self._memory.u64(kind + self._layout["type.tp_mro"])
        return self._objects.tuple_items(order)[:_MAX_CLASSES] if order else ()

    def slots(self, address: int) -> dict[str, int]:
        """What the ``__slots__`` of an object's class refer to. Never raises."""
        return self._slots.of(address)

    def slot(self, address: int, name: str) -> int:
        """What one of them refers to; 0: nothing, or there is no such slot. Never raises."""
        return self._slots.one(address, name)

    def closure(self, function: int) -> dict[str, int]:
        """The variables that a Python function closes over, by name. Never raises."""
        objects = self._objects
        if objects.kind(function) != "function":
            return {}
        try:
            cells = self._memory.u64(function + objects.layout["func.func_closure"])
            values = [objects.cell_contents(cell) for cell in objects.tuple_items(cells)]
            names = self._codes.code(objects.function_code(function)).variables
        except MemoryReadError:
            return {}
        return dict(zip(names[len(names) - len(values) :], values, strict=False))

    def mentioned(self, callback: int) -> list[int]:
        """The objects that calling *callback* reaches at once: self, arguments, closure."""
        found: list[int] = []
        for _ in range(_MOST_PARTIALS):
            if self._objects.kind(callback) != "functools.partial":
                break
            found += self.sequence(self.field(callback, 1))
            named = self.field(callback, 2)  # partialobject.kw, Modules/_functoolsmodule.c
            if self._objects.kind(named) == "dict":
                found += self._objects.named(named).values()
            callback = self.field(callback)
        if self._objects.kind(callback) == "function":
            return [*found, *self.closure(callback).values()]
        bound = self._objects.bound_to(callback)
        return [*found, bound] if bound else found

    def true(self, address: int) -> bool:
        """Whether an object is ``True``. Never raises."""
        if self._objects.kind(address) != "bool":
            return False
        try:
            return self._objects.integer(address) == 1
        except MemoryReadError:
            return False

    def truth(self, address: int) -> bool:
        """Whether an object is ``True``, or a number that counts as it. Never raises."""
        return self.true(address) or bool(self.integer(address))

    def members(self, address: int) -> dict[str, int]:
        """What an object has in ``__slots__`` and in its ``__dict__``, by name. Never raises."""
        return {**self.slots(address), **self._objects.attributes(address)}

    def integer(self, address: int) -> int | None:
        """An ``int``; None: it is none. Never raises."""
        if self._objects.kind(address) != "int":
            return None
        try:
            return self._objects.integer(address)
        except MemoryReadError:
            return None

    def seconds(self, address: int) -> float | None:
        """A duration that the program gave as a ``float`` or an ``int``; None: it is neither."""
        number = self.number(address)
        return self.integer(address) if number is None else number

    def number(self, address: int) -> float | None:
        """A ``float``; None: it is none. Never raises."""
        if self._objects.kind(address) != "float":
            return None
        try:
            raw = self._memory.read(address + self._layout.header, 8)
        except MemoryReadError:
            return None
        value: float = struct.unpack("<d", raw)[0]
        return value
