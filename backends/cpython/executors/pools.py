"""``multiprocessing.Pool``: whoever waits for a result has a frame of it, which leads to the pool.

Lib/multiprocessing/pool.py. Three threads of its own serve it: one starts workers anew, one hands
tasks out, one fetches results.
"""

from collections.abc import Iterator

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.executors.helpers import Helpers
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Executor, NodeId, clean

_FILES = ("/multiprocessing/pool.py", "/multiprocess/pool.py")
_HELPERS = {
    "_handle_workers": "_worker_handler",
    "_handle_tasks": "_task_handler",
    "_handle_results": "_result_handler",
}
"""Attributes of a pool, by the functions that these threads run."""
_FRAMES = 12
"""Innermost frames of a thread among which the pool's are."""
_MOST_STARTED, _MOST_WORKERS = 1 << 40, 1000
_RESULTS = frozenset({"get", "wait", "next"})
"""Methods of ``ApplyResult`` and ``IMapIterator`` that wait for a result."""
_JOIN, _CLOSED, _TERMINATED = "join", "CLOSE", "TERMINATE"
"""The pool's own method that waits until no result is pending, after ``Pool.close()``; and what its
state is after that, or after ``Pool.terminate()``."""


class Pools:
    """Reads the pools of one process that its threads wait for."""

    def __init__(self, pid: int, python: PythonReader, containers: Containers) -> None:
        self._pid = pid
        self._python = python
        self._objects: Objects = python.objects
        self._containers = containers

    def of(self, frames: tuple[Frame, ...]) -> int:
        """The pool whose results are waited for by a thread with these frames; 0: none."""
        for frame in frames[:_FRAMES]:
            function = frame.code.bare_name
            if function in (*_RESULTS, _JOIN) and frame.code.filename.endswith(_FILES):
                owner = self._python.frames.variables(frame).get("self", 0)
                joins = function == _JOIN
                pool = owner if joins else self._objects.attributes(owner).get("_pool", 0)
                attributes = self._objects.attributes(pool)
                known = "_result_handler" in attributes
                if known and (not joins or self._has_results(attributes)):
                    return pool
        return 0

    def _has_results(self, attributes: dict[str, int]) -> bool:
        """Whether a pool was closed with results to come: one that was terminated drops them."""
        return self._state(attributes) == _CLOSED and bool(self._size(attributes.get("_cache", 0)))

    def _state(self, attributes: dict[str, int]) -> str | None:
        """What a pool calls its state; None: not read."""
        state = attributes.get("_state", 0)
        return self._objects.text(state) if self._objects.kind(state) == "str" else None

    def read(self, pool: int, waiters: list[NodeId], helpers: Helpers) -> Executor:
        """The pool at *pool*.

        Raises:
            MemoryReadError: it cannot be read.
        """
        attributes = self._objects.attributes(pool)
        workers = self._containers.sequence(attributes.get("_pool", 0))
        initializer = attributes.get("_initializer", 0)
        state = self._state(attributes)
        return Executor(
            pid=self._pid,
            address=pool,
            type_name=clean(self._objects.qualified_type(pool), 100),
            waiters=tuple(waiters),
            helpers=tuple(
                helpers.read(role, attributes[name])
                for role, name in _HELPERS.items()
                if name in attributes
            ),
            size=self._containers.integer(attributes.get("_processes", 0)),
            workers=len(workers),
            worker_pids=tuple(self._pids(workers)),
            started=self._started(),
            renews=self._objects.kind(attributes.get("_maxtasksperchild", 0)) != "NoneType",
            initializer=self._function(initializer),
            pending=self._size(attributes.get("_cache", 0)),
            terminated=None if state is None else state == _TERMINATED,
        )

    def _pids(self, workers: list[int]) -> Iterator[int]:
        """Of processes of ``multiprocessing``, as the pool's own PID namespace numbers them."""
        for worker in workers[:_MOST_WORKERS]:
            popen = self._objects.attributes(worker).get("_popen", 0)
            number = self._objects.attributes(popen).get("pid", 0) if popen else 0
            pid = self._containers.integer(number) if number else None
            if pid:
                yield pid

    def _started(self) -> int | None:
        """How many processes `multiprocessing` has started for this one.

        An ``itertools.count``, whose first field is the next number.
        """
        counter = self._python.module("multiprocessing.process").get("_process_counter", 0)
        if self._objects.kind(counter) != "itertools.count":
            return None
        following = self._containers.field(counter)
        return following - 1 if 0 < following < _MOST_STARTED else None

    def _function(self, address: int) -> str | None:
        name = self._objects.function_name(address)
        return clean(name, 100) if name else None

    def _size(self, cache: int) -> int | None:
        """How many results are pending: a subclass of dict has them."""
        if "dict" not in self._containers.classes(cache):
            return None
        try:
            return self._containers.field(cache)
        except MemoryReadError:
            return None
