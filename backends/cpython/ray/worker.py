"""What a process knows of itself as a worker of Ray: the actor that it is, the calls it runs."""

from collections.abc import Iterator

from hangtui.backends.cpython.ray.ids import is_id, read_id
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import clean

_MOST_WORDS = 64
_MOST_CALLS = 2000


class Worker:
    """Reads it of one process."""

    def __init__(self, python: PythonReader) -> None:
        self._objects = python.objects
        self._python = python

    def actors(self) -> Iterator[tuple[bytes, str]]:
        """The actors of this worker: their ids, and the names of their classes.

        Raises:
            MemoryReadError: its record of them cannot be read.
        """
        actors = self._attributes().get("actors", 0)
        if self._objects.kind(actors) == "dict":
            for key, instance in self._objects.items(actors):
                name = clean(self._objects.type_name(instance), 100)
                yield read_id(self._objects, key, "ActorID"), name

    def calls(self) -> Iterator[tuple[bytes, int]]:
        """The calls of ``async`` methods that have not returned: the ids of their tasks, and the
        futures of ``concurrent.futures`` that get their results.

        The core worker has them in a dict, whose place among its fields differs by version.

        Raises:
            MemoryReadError: its record of them cannot be read.
        """
        core, objects = self._attributes().get("core_worker", 0), self._objects
        if objects.kind(core) in (None, "NoneType"):
            return
        header = objects.layout.header
        count = (objects.basic_size(core) - header) // 8
        if not 0 < count <= _MOST_WORDS:
            return
        for word in objects.memory.words(core + header, count):
            if word and objects.kind(word) == "dict":
                yield from self._calls_in(word)

    def _calls_in(self, dictionary: int) -> Iterator[tuple[bytes, int]]:
        for number, (key, future) in enumerate(self._objects.items(dictionary)):
            if not is_id(self._objects, key, "TaskID") or number >= _MOST_CALLS:
                return
            try:
                yield read_id(self._objects, key, "TaskID"), future
            except MemoryReadError:
                continue

    def _attributes(self) -> dict[str, int]:
        worker = self._python.module("ray._private.worker").get("global_worker", 0)
        return self._objects.attributes(worker)
