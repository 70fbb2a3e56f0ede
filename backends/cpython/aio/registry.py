"""Finds the tasks of asyncio: in a WeakSet, and from 3.14 on in lists of the interpreter."""

from collections.abc import Iterable, Iterator

from hangtui.backends.cpython.aio.containers import MAX_ITEMS, Containers
from hangtui.backends.cpython.attribution import PythonThread
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

MAX_TASKS = 20_000
_MAX_STATICS = 64 << 10
_RUNNING, _STATE_WORDS, _MOST_KEYS = "__asyncio_running_event_loop__", 64, 100
"""The key of a running loop in a thread's dictionary; how many words of a thread's state are looked
at for that dictionary, and how many keys it has at most."""
_HELD = 16
"""Where a ``_RunningLoopHolder`` has the loop: behind its head."""


class Registry:
    """The tasks that one interpreter's asyncio knows."""

    def __init__(
        self,
        objects: Objects,
        containers: Containers,
        interpreter: int,
        threads: Iterable[PythonThread],
    ) -> None:
        self._objects = objects
        self._memory = objects.memory
        self._layout = objects.layout
        self._containers = containers
        self._interpreter = interpreter
        self._threads = [thread for thread in threads if thread.interpreter == interpreter]
        self._names = self._namespace()
        self.truncated = False

    @property
    def used(self) -> bool:
        """Whether the interpreter has imported asyncio."""
        return bool(self._names)

    def _namespace(self) -> dict[str, int]:
        """The globals of ``asyncio.tasks``."""
        module = self._module("asyncio.tasks")
        if self._objects.kind(module) != "module":
            return {}
        return self._objects.named(self._objects.module_namespace(module))

    def has_imported(self, name: str) -> bool:
        """Whether the interpreter has the module of this name; also where that cannot be told."""
        try:
            return bool(self._module(name))
        except MemoryReadError:
            return True

    def _module(self, name: str) -> int:
        modules = self._memory.u64(self._interpreter + self._layout["interp.modules"])
        return self._containers.value(modules, name) if modules else 0

    def tasks(self) -> list[int]:
        """Addresses of tasks, done or not, each once."""
        found: dict[int, None] = {}
        for source in (self._registered(), self._eager(), self._linked()):
            try:
                for task in source:
                    if len(found) >= MAX_TASKS:
                        self.truncated = True
                        return list(found)
                    found[task] = None
            except MemoryReadError:
                continue
        return list(found)

    def _registered(self) -> Iterator[int]:
        for name in ("_scheduled_tasks", "_all_tasks"):
            if self._objects.kind(self._names.get(name, 0)) == "WeakSet":
                yield from self._containers.weak_set_items(self._names[name])
        if not self._layout.since(3, 7):
            yield from self._static()

    def _static(self) -> Iterator[int]:
        """3.6 keeps the registry in a static variable of the module _asyncio, which has no name."""
        for mapping in self._memory.mappings:
            if "/_asyncio." not in mapping.path or "w" not in mapping.permissions:
                continue
            size = min(mapping.end - mapping.start, _MAX_STATICS)
            for word in set(self._memory.words_upward(mapping.start, size)):
                if self._objects.kind(word) == "WeakSet":
                    yield from self._containers.weak_set_items(word)

    def _eager(self) -> Iterator[int]:
        """Tasks that were started at once and did not have to wait yet (3.12 on)."""
        if self._objects.kind(self._names.get("_eager_tasks", 0)) == "set":
            yield from self._containers.set_items(self._names["_eager_tasks"])

    def _linked(self) -> Iterator[int]:
        """The list of each thread, and the one of threads that have ended (3.14 on)."""
        if not self._layout.since(3, 14):
            return
        of_thread = self._layout["tstate_impl.asyncio_tasks_head"]
        heads = [thread.state + of_thread for thread in self._threads]
        heads.append(self._interpreter + self._layout["interp.asyncio_tasks_head"])
        for head in heads:
            yield from self._list(head)

    def _list(self, head: int) -> Iterator[int]:
        """A circular list of ``TaskObj.task_node`` (Include/internal/pycore_llist.h)."""
        node, before = self._memory.u64(head), head
        for _ in range(MAX_ITEMS):
            self._memory.spent.objects(1)
            if node in (0, head) or self._memory.u64(node + 8) != before:
                return
            yield node - self._layout["task.task_node"]
            node, before = self._memory.u64(node), node

    def running(self) -> set[int]:
        """The tasks that loops are inside of. Never raises."""
        found: set[int] = set()
        try:
            if self._layout.since(3, 14):
                field = self._layout["tstate_impl.asyncio_running_task"]
                found |= {self._memory.u64(thread.state + field) for thread in self._threads}
            current = self._names.get("_current_tasks", 0)
            if self._objects.kind(current) == "dict":
                found |= {task for _, task in self._objects.items(current)}
        except MemoryReadError:
            pass
        return found - {0}

    def loops_by_thread(self) -> dict[int, int]:
        """TIDs of threads by the loop that they run, as the threads record it. Never raises."""
        if not self._layout.since(3, 13):
            return self._in_dictionaries()
        field = self._layout["tstate_impl.asyncio_running_loop"]
        found = {}
        for thread in self._threads:
            try:
                found[self._memory.u64(thread.state + field)] = thread.tid
            except MemoryReadError:
                continue
        return found

    def _in_dictionaries(self) -> dict[int, int]:
        """The same before 3.13: in the dictionary of each thread's state, in an object of its own.
        Where in the state that is, differs from version to version."""
        found = {}
        for thread in self._threads:
            try:
                words = self._memory.words(thread.state, _STATE_WORDS)
                self._memory.spent.objects(len(words))
                for word in dict.fromkeys(words):
                    record = self._record(word)
                    if record:
                        found[record] = found[self._memory.u64(record + _HELD)] = thread.tid
            except MemoryReadError:
                continue
        return found

    def _record(self, word: int) -> int:
        """What the dictionary at *word*, if it is one, has of a running loop; 0: nothing."""
        if self._objects.kind(word) != "dict" or not 0 < self._size(word) <= _MOST_KEYS:
            return 0
        return self._objects.named(word).get(_RUNNING, 0)

    def _size(self, dictionary: int) -> int:
        return self._containers.dict_size(dictionary)
