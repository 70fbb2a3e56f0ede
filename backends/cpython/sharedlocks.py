"""The ``multiprocessing`` locks that a process knows, and the Python objects that wrap them.

The object of C code has no name in a program: variables refer to what wraps it. multiprocessing
registers most of these, to look after them when a process forks; those that came to a process in
another way are found in its variables.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.locks import Lock, Locks
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.threads import Threads
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import NodeKind

_MODULE, _REGISTRY = "multiprocessing.util", "_afterfork_registry"
"""A WeakValueDictionary (Lib/multiprocessing/util.py)."""
_MAX_OBJECTS = 5000
_WITHOUT_ATTRIBUTES = frozenset({None, "type", "dict", "str", "int", "function", "tuple", "list"})


class SharedLocks:
    """Finds them in one interpreter; *stacks*: the frames of its threads."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        threads: Threads,
        stacks: Mapping[int, tuple[Frame, ...]],
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._threads = threads
        self._stacks = stacks
        self._locks = Locks(objects)

    def all(self) -> list[Lock]:
        """Every one that can be found, as it is now. Never raises."""
        found = (self._locks.read(address) for address in self._wrappers)
        return [self.refined(lock) for lock in found if lock is not None and lock.word]

    def refined(self, lock: Lock) -> Lock:
        """*lock* with the kind and name of what wraps it. Never raises."""
        name = self._objects.kind(self.wrapper(lock.address))
        if lock.kind is NodeKind.SEMAPHORE and name in ("Lock", "BoundedSemaphore"):
            kind = NodeKind.LOCK if name == "Lock" else lock.kind
            return replace(lock, kind=kind, type_name=f"multiprocessing.{name}")
        return lock

    def wrapper(self, address: int) -> int:
        """What variables refer to instead of the lock at *address*; 0: not known."""
        return self._wrappers.get(address, 0)

    @cached_property
    def _wrappers(self) -> dict[int, int]:
        """By the address of the object of C code."""
        names = self._threads.module(_MODULE)
        if not names:
            return {}
        found: dict[int, int] = {}
        places = [*self._registered(names.get(_REGISTRY, 0)), *self._in_variables()]
        for value in dict.fromkeys(places):
            inner = self._attributes(value).get("_semlock", 0)
            if inner:
                found.setdefault(inner, value)
        return found

    def _registered(self, registry: int) -> Iterator[int]:
        try:
            references = self._objects.attributes(registry).get("data", 0)
            entries = list(self._objects.items(references)) if references else []
        except MemoryReadError:
            return
        for _, reference in entries[:_MAX_OBJECTS]:
            try:
                place = reference + self._objects.layout["weakref.wr_object"]
                yield self._objects.memory.u64(place)
            except MemoryReadError:
                continue

    def _in_variables(self) -> list[int]:
        """What local and global variables refer to, and the attributes of those objects."""
        near = dict.fromkeys(self._variables())
        further = (value for owner in near for value in self._attributes(owner).values())
        return list(dict.fromkeys([*near, *further]))[:_MAX_OBJECTS]

    def _variables(self) -> Iterable[int]:
        namespaces = set()
        for frame in (frame for frames in self._stacks.values() for frame in frames):
            yield from self._frames.variables(frame).values()
            if not frame.in_library:
                namespaces.add(frame.namespace)
        for namespace in namespaces:
            try:
                yield from self._objects.named(namespace).values()
            except MemoryReadError:
                continue

    def _attributes(self, value: int) -> dict[str, int]:
        if self._objects.kind(value) in (*_WITHOUT_ATTRIBUTES, "module"):
            return {}
        return self._objects.attributes(value)
