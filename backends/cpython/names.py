"""A name for a lock that its programmer recognises: the variable or attribute that refers to it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice

from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.slots import Slots
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import clean

_MAX_OWNERS = 400
"""Objects whose attributes are looked through for one name."""

_MAX_FURTHER = 2_000
"""Objects of objects that are looked into for all names of an interpreter."""
_MAX_DICTS, _MAX_ITEMS = 20, 100
"""Dicts whose items are looked through for one name, and items of each."""
_SMALL = 100_000
"""Numbers below this are places or shards, rather than somebody's."""
_DICTS = frozenset({"dict", "collections.defaultdict", "collections.OrderedDict"})
_PERSONAL = re.compile(r"@|[0-9a-fA-F]{12}|[\w-]{25}")
_WEAK = "data"
"""Where a `WeakValueDictionary` has its items."""
_VAGUE, _SHORTEST = frozenset({"obj", "object", "item", "value", "val", "res", "ret", "tmp"}), 2
"""How libraries call what may be anything, and how long a name is that is none of these."""
_WITHOUT_ATTRIBUTES = frozenset(
    {None, "module", "type", "dict", "str", "int", "function", "method", "tuple"}
)


_WORKERS = {
    ("/gevent/threadpool.py", "run"): "gevent.threadpool",
    ("/eventlet/tpool.py", "tworker"): "eventlet.tpool",
}
"""What to call threads that a library starts without giving them a name that is found, by the file
and the function that they begin with."""
_STARTS = 4
"""Of so many frames: before it may be those of `threading`."""


def worker_name(frames: Sequence[Frame]) -> str | None:
    """What to call a thread of the program that has no name of its own; None: nothing is known."""
    begun = [frame.code for frame in frames[-_STARTS:]]
    known = (
        name
        for (file, function), name in _WORKERS.items()
        if any(code.filename.endswith(file) and code.bare_name == function for code in begun)
    )
    return next(known, None)


class Names:
    """Finds names for objects of one interpreter, from the frames that use them."""

    def __init__(self, objects: Objects, frames: Frames) -> None:
        self._objects = objects
        self._frames = frames
        self._slots = Slots(objects)
        self._globals: dict[int, dict[str, int]] = {}
        self._members: dict[int, dict[int, str]] = {}
        self._classes: dict[int, dict[int, str]] = {}
        self._further_left = _MAX_FURTHER

    def of(self, address: int, frames: Iterable[Frame]) -> str | None:
        """``Account.lock``, ``cache_lock``; None where no variable in reach refers to it.

        *frames* are those that wait for the object or hold it. An attribute is named by the class
        of its object, since that is where it is written; then come globals, of libraries with their
        module, then locals, those of the application and what lies in its dicts before those of
        libraries.
        """
        frames = list(frames)
        self._objects.memory.spent.objects(len(frames))
        scopes = [self._frames.variables(frame) for frame in frames]
        own = [scope for frame, scope in zip(frames, scopes, strict=True) if of_application(frame)]
        spaces = {f.namespace: self._module(f) for f in frames if of_application(f)}
        modules = {frame.namespace: self._module(frame) for frame in frames}
        scopes_of_modules = list(modules.values())
        return (
            self._attribute(address, scopes)
            or self._variable(address, list(spaces.values()))
            or self._global_of_library(address, scopes_of_modules)
            or self._variable(address, own)
            or self._item(address, [*own, *spaces.values()])
            or self._registered(address, [*scopes, *scopes_of_modules])
            or self._variable(address, scopes, telling=True)
            or self._attribute(address, scopes_of_modules)
            or self._class_attribute(address, scopes)
            or self._further(address, scopes)
        )

    def through_global(self, address: int, frames: Iterable[Frame]) -> str | None:
        """``checking.lock``: by the global whose object's attribute it is.

        Tells apart what the class alone does not, such as the locks of two accounts.
        """
        for scope in (self._module(frame) for frame in frames):
            self._objects.memory.spent.objects(min(len(scope), _MAX_OWNERS))
            for variable, owner in list(scope.items())[:_MAX_OWNERS]:
                name = self._attribute_of(owner, address)
                if name:
                    return clean(f"{variable}.{name}", 80)
        return None

    def _module(self, frame: Frame) -> dict[str, int]:
        if frame.namespace not in self._globals:
            try:
                self._globals[frame.namespace] = self._objects.named(frame.namespace)
            except MemoryReadError:
                self._globals[frame.namespace] = {}
        return self._globals[frame.namespace]

    def _variable(
        self, address: int, scopes: Sequence[Mapping[str, int]], *, telling: bool = False
    ) -> str | None:
        """*telling*: only by a name that says something to who has not written that code."""
        for scope in scopes:
            self._objects.memory.spent.objects(len(scope))
            for name, value in scope.items():
                vague = telling and (len(name) < _SHORTEST or name in _VAGUE)
                if value == address and name != "self" and not vague:
                    return clean(name, 80)
        return None

    def _global_of_library(self, address: int, scopes: Sequence[Mapping[str, int]]) -> str | None:
        """``logging._lock``: with the module, as a name alone says nothing of where it is."""
        for scope in scopes:
            name = self._variable(address, [scope])
            if name is not None:
                with suppress(MemoryReadError):
                    return clean(f"{self._objects.text(scope.get('__name__', 0))}.{name}", 80)
                return name
        return None

    def _item(self, address: int, scopes: Sequence[Mapping[str, int]]) -> str | None:
        """``locks['orders']``, ``queues[7]``: a dict's item, by its key."""
        self._objects.memory.spent.objects(sum(map(len, scopes)))
        named = {value: name for scope in scopes for name, value in scope.items()}
        return self._keyed(address, named.items())

    def _registered(self, address: int, scopes: Sequence[Mapping[str, int]]) -> str | None:
        """``Semaphores._locks['orders']``: the same of a dict that is an attribute of an object, or
        of its class."""
        owners = dict.fromkeys(value for scope in scopes for value in scope.values())
        kept = (one for one in list(owners)[:_MAX_OWNERS] if not self._weakly(one))
        return self._keyed(address, (pair for one in kept for pair in self._attributes(one)))

    def _attributes(self, owner: int) -> Iterator[tuple[int, str]]:
        """What an object and its classes refer to, with the names that are told of it."""
        if owner not in self._members:
            self._further_left -= 1
            if self._further_left < 0:
                return
        kind = self._objects.kind(owner)
        yield from ((one, f"{kind}.{name}") for one, name in self._own_members(owner).items())
        with suppress(MemoryReadError):
            for class_ in () if kind in _WITHOUT_ATTRIBUTES else self._objects.classes(owner):
                called = self._objects.class_name(class_)
                yield from (
                    (one, f"{called}.{name}") for one, name in self._defined(class_).items()
                )

    def _keyed(self, address: int, named: Iterable[tuple[int, str]]) -> str | None:
        """The item of one of these that is a dict, or one that refers to its items weakly."""
        left = _MAX_DICTS
        for value, name in named:
            weak = self._weakly(value)
            if not weak and self._objects.kind(value) not in _DICTS:
                continue
            if left == 0:
                return None
            left -= 1
            key = self._key(address, weak or value, weak=bool(weak))
            if key is not None:
                return clean(f"{name}[{key}]", 80)
        return None

    def _weakly(self, value: int) -> int:
        """The dict of weak references of a ``WeakValueDictionary``; 0: it is none."""
        if self._objects.kind(value) != "WeakValueDictionary":
            return 0
        return next((at for at, name in self._own_members(value).items() if name == _WEAK), 0)

    def _key(self, address: int, dictionary: int, *, weak: bool) -> str | None:
        """The key of an item as it is shown, if that is a ``str`` or a small number; None: there is
        no such item."""
        place = self._objects.layout["weakref.wr_object"] if weak else 0
        with suppress(MemoryReadError):  # it has too many
            for key, value in islice(self._objects.items(dictionary), _MAX_ITEMS):
                meant = self._objects.memory.u64(value + place) if weak else value
                if meant == address:
                    return self._shown_key(key)
        return None

    def _shown_key(self, key: int) -> str | None:
        kind = self._objects.kind(key)
        if kind == "str":
            return _shown(self._objects.text(key))
        number = self._objects.integer(key) if kind == "int" else -1
        return str(number) if 0 <= number < _SMALL else None

    def _attribute(self, address: int, scopes: Sequence[Mapping[str, int]]) -> str | None:
        self._objects.memory.spent.objects(sum(map(len, scopes)))
        owners = dict.fromkeys(value for scope in scopes for value in scope.values())
        for owner in list(owners)[:_MAX_OWNERS]:
            name = self._attribute_of(owner, address)
            if name:
                return clean(f"{self._objects.kind(owner)}.{name}", 80)
        return None

    def _class_attribute(self, address: int, scopes: Sequence[Mapping[str, int]]) -> str | None:
        """``Price.lock``: what the class of an object, or a class itself, has."""
        owners = dict.fromkeys(value for scope in scopes for value in scope.values())
        for owner in list(owners)[:_MAX_OWNERS]:
            with suppress(MemoryReadError):
                kind = self._objects.kind(owner)
                if kind in _WITHOUT_ATTRIBUTES and kind != "type":
                    continue
                for class_ in self._objects.classes(owner):
                    if name := self._defined(class_).get(address):
                        return clean(f"{self._objects.class_name(class_)}.{name}", 80)
        return None

    def _further(self, address: int, scopes: Sequence[Mapping[str, int]]) -> str | None:
        """``Store.lock`` in a function that has no more than an object with a store."""
        owners = dict.fromkeys(value for scope in scopes for value in scope.values())
        for owner in list(owners)[:_MAX_OWNERS]:
            for one in list(self._own_members(owner))[:_MAX_ITEMS]:
                if one not in self._members:
                    self._further_left -= 1
                    if self._further_left < 0:
                        return None
                if name := self._attribute_of(one, address):
                    return clean(f"{self._objects.kind(one)}.{name}", 80)
        return None

    def _attribute_of(self, owner: int, address: int) -> str | None:
        return self._own_members(owner).get(address)

    def _own_members(self, owner: int) -> dict[int, str]:
        """What an instance's attributes refer to, with their names; those of classes come last."""
        members = self._members.get(owner)
        if members is None:
            members = self._members[owner] = {}
            with suppress(MemoryReadError):
                plain = self._objects.kind(owner) not in _WITHOUT_ATTRIBUTES
                if plain and not self._objects.is_class(owner):
                    members.update(_turned(self._slots.of(owner)))
                    members.update(_turned(self._objects.attributes(owner)))
        return members

    def _defined(self, class_: int) -> dict[int, str]:
        """The same of what a class defines."""
        if class_ not in self._classes:
            self._classes[class_] = _turned(self._objects.class_members(class_))
        return self._classes[class_]


def _shown(key: str) -> str:
    """A key as it is written; ``...`` for what may be somebody's: an address, a session's id."""
    return "..." if _PERSONAL.search(key) else repr(key)


def _turned(members: Mapping[str, int]) -> dict[int, str]:
    """By the value; the first of several names."""
    return {value: name for name, value in reversed(list(members.items()))}
