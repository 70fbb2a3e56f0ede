"""Python objects in foreign memory: types, strings, numbers, containers, attributes.

Every walk is bounded, by itself and in sum over the process: what is found at an address may be
anything.
"""

import struct
from collections.abc import Iterator
from contextlib import suppress

from hangtui.backends.cpython.layouts import Layout
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.model import NULL_PAGES

_MAX_ITEMS = 20_000
_MAX_TEXT = 1000
_MAX_CLASSES = 100
_FLAG_INLINE_VALUES, _FLAG_MANAGED_DICT = 1 << 2, 1 << 4
_FLAG_HEAP_TYPE, _FLAG_CLASS = 1 << 9, 1 << 31
"""Py_TPFLAGS_*: Include/object.h (inline values from 3.13, managed dict from 3.11)."""
_INTERNED_BITS = (6, 14)
"""By how many bits ``PyASCIIObject.state`` is shifted further where ``interned`` is a byte or two
of their own, as in some releases of free-threaded builds."""


class Objects:
    """Reads objects of one interpreter.

    Methods raise MemoryReadError where memory is not what the layout promises, unless they say
    otherwise.
    """

    def __init__(self, memory: Memory, layout: Layout) -> None:
        self.memory = memory
        self.layout = layout
        self._type_field = layout["object.ob_type"]
        self._size_field = layout["var.ob_size"]
        self._type_names: dict[int, str] = {}
        self._kinds: dict[int, str | None] = {}
        """What ``kind`` says of objects, by the addresses of their types."""
        self._names: dict[int, str] = {}
        """Names of attributes and globals, which thousands of dicts share."""

    def type_of(self, address: int) -> int:
        """The address of an object's type."""
        return self.memory.u64(address + self._type_field)

    def basic_size(self, address: int) -> int:
        """How many bytes the fixed part of an object has."""
        return self.memory.u64(self.type_of(address) + self.layout["type.tp_basicsize"])

    def type_name(self, address: int) -> str:
        """``tp_name`` of an object's type: ``_thread.lock`` for C types, ``Account`` for others."""
        kind = self.type_of(address)
        name = self._type_names.get(kind)
        if name is None:
            pointer = self.memory.u64(kind + self.layout["type.tp_name"])
            name = self._type_names[kind] = self.memory.c_string(pointer, 100)
        return name

    def kind(self, address: int) -> str | None:
        """``type_name``, or None where no object can be at *address*. Never raises."""
        if address < NULL_PAGES or address & 7:
            return None
        try:
            type_ = self.memory.u64(address + self._type_field)
            if type_ not in self._kinds:
                name = self.type_name(address)
                self._kinds[type_] = name if name and name.isprintable() else None
        except MemoryReadError:
            return None
        return self._kinds[type_]

    def text(self, address: int) -> str:
        """The value of a ``str``, cut to a thousand characters."""
        length = self.memory.i64(address + self.layout["ascii.length"])
        state = self.memory.u32(address + self.layout["ascii.state"])
        width, ascii_only = self._storage(state)
        encoding = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}.get(width)
        if encoding is None or length < 0:
            raise MemoryReadError("not a string")
        start = address + self.layout["ascii.sizeof" if ascii_only else "compact.sizeof"]
        data = self.memory.read(start, min(length, _MAX_TEXT) * width)
        self.memory.spent.keep(len(data))
        return data.decode(encoding, "replace")

    def _storage(self, state: int) -> tuple[int, int]:
        """Bytes per character, and whether they are all ASCII."""
        kind, ascii_only = self.layout["ascii.kind_shift"], self.layout["ascii.ascii_shift"]
        for further in (0, *(_INTERNED_BITS if self.layout.free_threaded else ())):
            width = state >> (kind + further) & 7
            if width:
                return width, state >> (ascii_only + further) & 1
        return 0, 0

    def size(self, address: int) -> int:
        """``ob_size`` of an object of variable size."""
        return self.memory.i64(address + self._size_field)

    def data(self, address: int) -> bytes:
        """The value of a ``bytes``, at most a megabyte of it."""
        size = self.size(address)
        if not 0 <= size <= 1 << 20:
            raise MemoryReadError("not a bytes object")
        self.memory.spent.keep(size)
        return self.memory.read(address + self.layout["bytes.ob_sval"], size)

    def tuple_items(self, address: int) -> tuple[int, ...]:
        """The addresses of a tuple's items."""
        size = self.size(address)
        if not 0 <= size <= _MAX_ITEMS:
            raise MemoryReadError("not a tuple")
        self.memory.spent.objects(1 + size)
        return self.memory.words(address + self.layout["tuple.ob_item"], size) if size else ()

    def integer(self, address: int) -> int:
        """The value of an ``int``, its lowest 240 bits."""
        if self.layout.since(3, 12):
            tag = self.memory.u64(address + self.layout["long.lv_tag"])
            count, negative = tag >> 3, tag & 3 == 2
        else:
            size = self.size(address)
            count, negative = abs(size), size < 0
        at = address + self.layout["long.ob_digit"]
        if count == 1:
            return -self.memory.u32(at) if negative else self.memory.u32(at)
        value = sum(self.memory.u32(at + 4 * i) << (30 * i) for i in range(min(count, 8)))
        return -value if negative else value

    @property
    def header(self) -> int:
        """How many bytes of an object come before what is its type's own."""
        return self._type_field + 8

    def real(self, address: int) -> float:
        """The value of a ``float``."""
        (value,) = struct.unpack("<d", self.memory.read(address + self.header, 8))
        return float(value)

    def items(self, dictionary: int) -> Iterator[tuple[int, int]]:
        """The addresses of a dict's keys and values."""
        keys = self.memory.u64(dictionary + self.layout["dict.ma_keys"])
        values = self.memory.u64(dictionary + self.layout["dict.ma_values"])
        if values and self.layout.since(3, 11):
            values += self.layout["dictvalues.values"]
        return self._entries(keys, values)

    def _entries(self, keys: int, values: int) -> Iterator[tuple[int, int]]:
        """Entries of a keys object (Objects/dictobject.c); *values*: a split table's, or 0."""
        layout, memory = self.layout, self.memory
        count = memory.i64(keys + layout["dictkeys.dk_nentries"])
        if not 0 <= count <= _MAX_ITEMS:
            raise MemoryReadError("not a dict")
        memory.spent.objects(1 + count)
        first = keys + layout["dictkeys.dk_indices"]
        entry_words, key_word = 3, 1
        if layout.since(3, 11):
            first += 1 << memory.u8(keys + layout["dictkeys.dk_log2_index_bytes"])
            if memory.u8(keys + layout["dictkeys.dk_kind"]):  # only str keys: no stored hashes
                entry_words, key_word = 2, 0
        else:
            size = memory.i64(keys + layout["dictkeys.dk_size"])
            width = 1 if size <= 0xFF else 2 if size <= 0xFFFF else 4 if size <= 0xFFFFFFFF else 8
            first += size * width
        words = memory.words(first, entry_words * count) if count else ()
        split = memory.words(values, count) if values and count else ()
        for index in range(count):
            key = words[index * entry_words + key_word]
            value = split[index] if values else words[index * entry_words + key_word + 1]
            if key and value:
                yield key, value

    def named(self, dictionary: int) -> dict[str, int]:
        """The items of a dict whose keys are strings, by name."""
        return dict(self._named(self.items(dictionary)))

    def _named(self, items: Iterator[tuple[int, int]]) -> Iterator[tuple[str, int]]:
        for key, value in items:
            name = self._names.get(key)
            if name is None:
                if self.kind(key) != "str":
                    continue
                name = self._names[key] = self.text(key)
            yield name, value

    def attributes(self, address: int) -> dict[str, int]:
        """An instance's ``__dict__``, however it is stored. Never raises; empty if unreadable."""
        try:
            return dict(self._named(self._attribute_items(address)))
        except MemoryReadError:
            return {}

    def dictionary(self, address: int) -> int:
        """The dict in which an instance's attributes lie; 0: they lie in itself, or there are none.

        Raises:
            MemoryReadError: it cannot be read.
        """
        return self._stored(address)[2]

    def _attribute_items(self, address: int) -> Iterator[tuple[int, int]]:
        keys, values, dictionary = self._stored(address)
        if values:
            return self._entries(keys, values)
        return self.items(dictionary) if dictionary else iter(())

    def _stored(self, address: int) -> tuple[int, int, int]:
        """Where an instance's attributes lie: by the keys of its class, and their values; or in a
        dict. What does not apply is 0."""
        layout, memory = self.layout, self.memory
        kind = self.type_of(address)
        flags = memory.u64(kind + layout["type.tp_flags"])
        if not (layout.since(3, 11) and flags & _FLAG_MANAGED_DICT):
            offset = memory.i64(kind + layout["type.tp_dictoffset"])
            if offset < 0 and not layout.since(3, 12):
                offset += self._length(address)
            return 0, 0, memory.u64(address + offset) if offset > 0 else 0
        cached = memory.u64(kind + layout["heaptype.ht_cached_keys"])
        before = memory.u64(address - layout.before_object - 8)
        if not layout.since(3, 12):  # 3.11: values pointer, then dict pointer
            values = memory.u64(address - 32)
            if values:
                return cached, values + layout["dictvalues.values"], 0
        elif not layout.since(3, 13):  # 3.12: one pointer; its lowest bit tells values from dict
            if before & 1:
                return cached, before + 1 + layout["dictvalues.values"], 0
        elif not before and flags & _FLAG_INLINE_VALUES:  # 3.13: values behind the object
            size = memory.u64(kind + layout["type.tp_basicsize"])
            return cached, address + size + layout["dictvalues.values"], 0
        return 0, 0, before

    def _length(self, address: int) -> int:
        """Bytes of an object with items, as of an ``IntEnum``: its ``__dict__`` ends it."""
        item = self.memory.u64(self.type_of(address) + self.layout["type.tp_basicsize"] + 8)
        return (self.basic_size(address) + abs(self.size(address)) * item + 7) & ~7

    def qualified_type(self, address: int) -> str:
        """The module and name of an object's class: ``threading.Condition``."""
        kind, name = self.type_of(address), self.type_name(address)
        if not self._flags(kind) & _FLAG_HEAP_TYPE:
            return name
        namespace = self.memory.u64(kind + self.layout["type.tp_dict"])
        module = self.named(namespace).get("__module__") if namespace else None
        return f"{self.text(module)}.{name}" if module and self.kind(module) == "str" else name

    def class_attribute(self, address: int, name: str) -> int:
        """What a class or its bases define under *name*; 0: nothing."""
        bases = self.memory.u64(self.type_of(address) + self.layout["type.tp_mro"])
        for base in self.tuple_items(bases)[:_MAX_CLASSES] if bases else ():
            namespace = self.memory.u64(base + self.layout["type.tp_dict"])
            found = self.named(namespace).get(name) if namespace else None
            if found:
                return found
        return 0

    def classes(self, address: int) -> tuple[int, ...]:
        """The class of an object, or a class itself, then its bases, those written in Python."""
        class_ = address if self.is_class(address) else self.type_of(address)
        bases = self.memory.u64(class_ + self.layout["type.tp_mro"])
        every = self.tuple_items(bases)[:_MAX_CLASSES] if bases else ()
        return tuple(one for one in every if self._flags(one) & _FLAG_HEAP_TYPE)

    def is_class(self, address: int) -> bool:
        """Whether an object is a class, of whatever metaclass."""
        return bool(self._flags(self.type_of(address)) & _FLAG_CLASS)

    def _flags(self, class_: int) -> int:
        return self.memory.u64(class_ + self.layout["type.tp_flags"])

    def class_members(self, class_: int) -> dict[str, int]:
        """What a class written in Python itself defines."""
        namespace = self.memory.u64(class_ + self.layout["type.tp_dict"])
        return self.named(namespace) if namespace else {}

    def class_name(self, class_: int) -> str:
        """The ``__name__`` of a class written in Python."""
        return self.memory.c_string(self.memory.u64(class_ + self.layout["type.tp_name"]), 100)

    def module_namespace(self, module: int) -> int:
        """The dict of a module object."""
        return self.memory.u64(module + self.layout["module.md_dict"])

    def cell_contents(self, address: int) -> int:
        """What a closure cell refers to; 0: nothing."""
        return self.memory.u64(address + self.layout["cell.ob_ref"])

    def bound_to(self, callable_: int) -> int:
        """The object that a bound method is bound to; 0 where it is none. Never raises."""
        field = {
            "builtin_function_or_method": "cfunc.m_self",
            "method": "method.im_self",
        }.get(self.kind(callable_) or "")
        try:
            return self.memory.u64(callable_ + self.layout[field]) if field else 0
        except MemoryReadError:
            return 0

    def function_code(self, callable_: int) -> int:
        """The code object of a Python function, or of a method made from one."""
        if self.kind(callable_) == "method":
            callable_ = self.memory.u64(callable_ + self.layout["method.im_func"])
        if self.kind(callable_) != "function":
            raise MemoryReadError("not a Python function")
        return self.memory.u64(callable_ + self.layout["func.func_code"])

    def builtin_name(self, value: int) -> str:
        """``flock``, of a function of C; empty: it is none. Never raises."""
        with suppress(MemoryReadError):
            if self.kind(value) == "builtin_function_or_method":
                definition = self.memory.u64(value + self.layout["cfunc.m_self"] - 8)
                return self.memory.c_string(self.memory.u64(definition), 64)
        return ""

    def function_name(self, callable_: int) -> str | None:
        """The ``__name__`` of a Python function or of a method made from one. Never raises."""
        try:
            if self.kind(callable_) == "method":
                callable_ = self.memory.u64(callable_ + self.layout["method.im_func"])
            if self.kind(callable_) == "function":
                return self.text(self.memory.u64(callable_ + self.layout["func.func_name"]))
        except MemoryReadError:
            pass
        return None
