"""What one object refers to: attributes, slots, cells, items, a method's self, a weak reference."""

from collections.abc import Iterator

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frames
from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

ITEM = "[]"
"""The name of what has none: an item of a list, or of a dict whose key is no text."""
KEY = "key"
"""The name of a key that is no text."""
_MAX_ITEMS = 100
"""Of one container: a pool's queue has a few dozen, a cache of millions tells nothing."""
_MAX_TABLE = 4096
"""Entries of a dict or set with room for more are not looked through."""
_MAX_ALL = 30_000
"""Objects whose referents are read, in sum over a process."""
_LIST, _TUPLE, _DICT, _TYPE = 1 << 25, 1 << 26, 1 << 29, 1 << 31
_LEAF = 1 << 24 | 1 << 27 | 1 << 28
"""Py_TPFLAGS_*_SUBCLASS (Include/object.h); leaves: int, bytes, str."""
_LEAVES = frozenset({None, "NoneType", "float", "module", "code", "object", "ellipsis", "type"})
_SUSPENDED = frozenset({"generator", "coroutine", "async_generator"})
_WEAK = frozenset({"weakref", "weakref.ReferenceType", "weakref.KeyedRef", "KeyedRef"})
_SETS = frozenset({"set", "frozenset"})
_CALLABLE = frozenset(
    {"method", "function", "functools.partial", "builtin_function_or_method"},
)


class Referents:
    """Reads the references of objects of one interpreter, each object once."""

    def __init__(self, objects: Objects, frames: Frames, containers: Containers) -> None:
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self._known: dict[int, tuple[tuple[str, int], ...]] = {}

    def of(self, address: int) -> tuple[tuple[str, int], ...]:
        """What the object at *address* refers to, by name; empty for what cannot be read.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        known = self._known.get(address)
        if known is not None:
            return known
        if len(self._known) >= _MAX_ALL:
            return ()
        self._objects.memory.spent.objects(1)
        try:
            found = tuple(self._all(address))
        except (MemoryReadError, LayoutError):
            found = ()
        self._known[address] = found
        return found

    def _all(self, address: int) -> Iterator[tuple[str, int]]:
        kind = self._objects.kind(address)
        if kind in _LEAVES:
            return
        flags = self._flags(address)
        if flags & (_LEAF | _TYPE):
            return
        yield from self._special(address, kind or "")
        if flags & _DICT or kind == "dict":
            yield from self._dict_items(address)
        elif flags & _TUPLE or kind == "tuple":
            yield from _numbered(self._objects.tuple_items(address)[:_MAX_ITEMS])
        elif flags & _LIST or kind == "list":
            yield from _numbered(self._list_items(address))
        if kind not in _CALLABLE:
            yield from self._objects.attributes(address).items()
            yield from self._containers.slots(address).items()

    def _flags(self, address: int) -> int:
        objects = self._objects
        place = objects.type_of(address) + objects.layout["type.tp_flags"]
        return objects.memory.u64(place)

    def _special(self, address: int, kind: str) -> Iterator[tuple[str, int]]:
        """What objects of C code refer to."""
        layout, memory = self._objects.layout, self._objects.memory
        if kind == "cell":
            contents = self._objects.cell_contents(address)
            yield from (("cell_contents", contents),) if contents else ()
        elif kind == "method":
            yield "__self__", self._objects.bound_to(address)
        elif kind in _CALLABLE:
            yield from _numbered(self._containers.mentioned(address))
        elif kind in _WEAK:
            yield "()", memory.u64(address + layout["weakref.wr_object"])
        elif kind == "collections.deque":
            yield from _numbered(self._containers.sequence(address)[:_MAX_ITEMS])
        elif kind in _SETS:
            if memory.u64(address + layout["set.mask"]) < _MAX_TABLE:
                yield from _numbered(self._containers.set_items(address)[:_MAX_ITEMS])
        elif kind in _SUSPENDED:
            frame = self._frames.suspended(address)
            if frame is not None and frame.plausible:
                yield from self._frames.variables(frame).items()

    def _dict_items(self, address: int) -> Iterator[tuple[str, int]]:
        """Keys that are no text are referents as well."""
        objects = self._objects
        if self._containers.field(address) > _MAX_TABLE:
            return
        for index, (key, value) in enumerate(objects.items(address)):
            if index >= _MAX_ITEMS:
                return
            text = objects.text(key) if objects.kind(key) == "str" else None
            if text is None:
                yield KEY, key
            yield text or ITEM, value

    def _list_items(self, address: int) -> tuple[int, ...]:
        size = min(self._objects.size(address), _MAX_ITEMS)
        if size <= 0:
            return ()
        self._objects.memory.spent.objects(size)
        items = self._objects.memory.u64(address + self._objects.layout["list.ob_item"])
        return self._objects.memory.words(items, size)


def _numbered(items: list[int] | tuple[int, ...]) -> Iterator[tuple[str, int]]:
    return ((ITEM, item) for item in items if item)
