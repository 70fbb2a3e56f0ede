"""Short words for Python objects, read from memory: nothing of the target is called for them."""

import struct
from collections.abc import Callable, Iterator

from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.locks import Locks
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.backends.procfs import secrets
from hangtui.dataclass import dataclass
from hangtui.debugger import Variable
from hangtui.model import clean

_SEQUENCES = ("list", "tuple")
_PLAIN = frozenset("NoneType bool int float str bytes function module type".split())
"""Types whose value is said in one line, so that their attributes are not listed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a value is shown."""

    text: int
    items: int
    depth: int


SHORT = Limits(text=80, items=6, depth=1)
FULL = Limits(text=2000, items=50, depth=2)


class Values:
    """Describes the objects of one interpreter."""

    def __init__(self, objects: Objects, thread_name: Callable[[int], str]) -> None:
        """*thread_name*: from a ``Thread.ident`` to how the thread is called."""
        self._objects = objects
        self._locks = Locks(objects)
        self._thread_name = thread_name

    def variables(self, name: str, address: int, limits: Limits) -> Iterator[Variable]:
        """A variable, and below it what it consists of."""
        yield from self._variables(name, address, limits, 0)

    def _variables(self, name: str, address: int, limits: Limits, depth: int) -> Iterator[Variable]:
        kind = self._objects.kind(address)
        label = clean(name, 80)
        if kind is None:
            yield Variable(label, "", "cannot be read", depth=depth, address=address)
            return
        secret = secrets.names_secret(name)
        value = secrets.MASK if secret else self._value(address, kind, limits)
        yield Variable(label, self._type(address, kind), value, depth=depth, address=address)
        if depth < limits.depth and not secret and kind not in _PLAIN:
            for part, item in self._parts(address, kind, limits):
                yield from self._variables(part, item, limits, depth + 1)

    def _type(self, address: int, kind: str) -> str:
        try:
            return clean(self._objects.qualified_type(address), 80)
        except (DamagedDataError, LayoutError):
            return clean(kind, 80)

    def _value(self, address: int, kind: str, limits: Limits) -> str:
        try:
            return self._told(address, kind, limits)
        except (DamagedDataError, LayoutError):
            return "cannot be read"

    @foreign_data()
    def _told(self, address: int, kind: str, limits: Limits) -> str:
        objects = self._objects
        teller = _TELLERS.get(kind)
        if teller is not None:
            return teller(objects, address, limits)
        if (lock := self._locks.read(address)) is not None:
            if not lock.locked:
                return "free"
            owner = self._thread_name(lock.owner) if lock.owner else ""
            return f"locked by {owner}" if owner else "locked"
        name = objects.attributes(address).get("_name") or objects.attributes(address).get("name")
        if name and objects.kind(name) == "str":
            return f"{clean(objects.text(name), limits.text)!r} at {address:#x}"
        return f"at {address:#x}"

    def _parts(self, address: int, kind: str, limits: Limits) -> list[tuple[str, int]]:
        """Items or attributes, as many as are shown."""
        objects = self._objects
        try:
            if kind in _SEQUENCES:
                items = [(f"[{i}]", item) for i, item in enumerate(self._sequence(address, kind))]
            elif kind == "dict":
                items = [(self._key(key), value) for key, value in objects.items(address)]
            else:
                items = [(f".{name}", value) for name, value in objects.attributes(address).items()]
        except (DamagedDataError, LayoutError):
            return []
        return items[: limits.items]

    def _sequence(self, address: int, kind: str) -> tuple[int, ...]:
        objects = self._objects
        if kind == "tuple":
            return objects.tuple_items(address)
        count = min(max(objects.size(address), 0), FULL.items)
        first = objects.memory.u64(address + objects.layout["list.ob_item"])
        return objects.memory.words(first, count) if count else ()

    def _key(self, key: int) -> str:
        kind = self._objects.kind(key)
        return f"[{self._value(key, kind or '', SHORT)}]"


def _integer(objects: Objects, address: int, limits: Limits) -> str:  # noqa: ARG001
    return str(objects.integer(address))


def _boolean(objects: Objects, address: int, limits: Limits) -> str:  # noqa: ARG001
    return str(bool(objects.integer(address)))


def _float(objects: Objects, address: int, limits: Limits) -> str:  # noqa: ARG001
    raw = objects.memory.read(address + objects.layout.header, 8)
    return repr(struct.unpack("<d", raw)[0])


def _text(objects: Objects, address: int, limits: Limits) -> str:
    text = secrets.mask_word(objects.text(address))
    length = objects.memory.i64(address + objects.layout["ascii.length"])
    cut = clean(text[: limits.text], limits.text)
    more = f"… {length} characters" if length > len(cut) and length > limits.text else ""
    return f"{cut!r}{more}"


def _bytes(objects: Objects, address: int, limits: Limits) -> str:
    size = objects.size(address)
    count = min(max(size, 0), limits.text)
    raw = objects.memory.read(address + objects.layout["bytes.ob_sval"], count)
    text = secrets.mask_word(raw.decode("latin-1")).encode("latin-1", "replace")
    return f"{text!r}{f'… {size} bytes' if size > count else ''}"


def _sized(word: str) -> Callable[[Objects, int, Limits], str]:
    def tell(objects: Objects, address: int, limits: Limits) -> str:  # noqa: ARG001
        return f"{objects.size(address)} {word}"

    return tell


def _dictionary(objects: Objects, address: int, limits: Limits) -> str:  # noqa: ARG001
    used = objects.memory.i64(address + objects.layout.header)  # ma_used, behind the header
    return f"{used} entries"


def _function(objects: Objects, address: int, limits: Limits) -> str:
    return clean(objects.function_name(address) or f"at {address:#x}", limits.text)


def _class(objects: Objects, address: int, limits: Limits) -> str:
    pointer = objects.memory.u64(address + objects.layout["type.tp_name"])
    return clean(objects.memory.c_string(pointer, 100), limits.text)


def _module(objects: Objects, address: int, limits: Limits) -> str:
    namespace = objects.named(objects.module_namespace(address))
    name = namespace.get("__name__", 0)
    return clean(objects.text(name), limits.text) if objects.kind(name) == "str" else ""


def _none(objects: Objects, address: int, limits: Limits) -> str:  # noqa: ARG001
    return "None"


_TELLERS: dict[str, Callable[[Objects, int, Limits], str]] = {
    "NoneType": _none,
    "bool": _boolean,
    "int": _integer,
    "float": _float,
    "str": _text,
    "bytes": _bytes,
    "list": _sized("items"),
    "tuple": _sized("items"),
    "collections.deque": _sized("items"),
    "dict": _dictionary,
    "function": _function,
    "method": _function,
    "type": _class,
    "module": _module,
}
