"""Which results of a process pool wait for the thread that hands its tasks to the processes.

Lib/multiprocessing/queues.py, ``Queue._feed``: that thread pickles one item after the other. While
it pickles one, which may import modules and run the program's code, neither that task nor any later
one has come to a worker. The items are ``_CallItem`` of Lib/concurrent/futures/process.py.
"""

from collections.abc import Collection, Iterator

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.executors.helpers import Helpers
from hangtui.backends.cpython.reader import PythonReader

_FEEDS, _PICKLES = "_feed", "dumps"


class Feeders:
    """Reads the threads that feed the executors of one process."""

    def __init__(self, python: PythonReader, containers: Containers) -> None:
        self._python = python
        self._objects = python.objects
        self._containers = containers

    def held_up(
        self, manager: int, futures: Collection[int], helpers: Helpers
    ) -> Iterator[tuple[int, int]]:
        """Those of *futures* whose tasks have not left the feeder of the executor that the thread
        at *manager* manages, each with the feeder's TID; none while it has nothing in hand.

        Raises:
            MemoryReadError: it cannot be read.
        """
        attributes = self._objects.attributes(manager)
        queue = self._objects.attributes(attributes.get("call_queue", 0))
        feeder = queue.get("_thread", 0)
        tid = helpers.read("feeder thread", feeder).tid if feeder else None
        in_hand = self._in_hand(tid) if tid is not None else None
        if tid is None or in_hand is None:
            return
        for number, item in self._objects.items(attributes["pending_work_items"]):
            future = self._objects.attributes(item).get("future", 0)
            work_id = self._containers.integer(number)
            if future in futures and work_id is not None and work_id >= in_hand:
                yield future, tid

    def _in_hand(self, tid: int) -> int | None:
        """The number of the task that a feeder is pickling."""
        stack = self._python.stacks.get(tid, ())
        for frame, called in zip(stack[1:], stack, strict=False):
            if frame.code.bare_name == _FEEDS and called.code.bare_name == _PICKLES:
                item = self._python.frames.variables(frame).get("obj", 0)
                number = self._objects.attributes(item).get("work_id", 0) if item else 0
                return self._containers.integer(number) if number else None
        return None
