"""``concurrent.futures.ProcessPoolExecutor``, and loky's, which is made after it.

Lib/concurrent/futures/process.py. A thread of its own hands tasks out and fetches results; the
tasks that are not done, and the workers, are in dicts of that thread (3.9 on).
"""

from itertools import islice

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.executors.helpers import Helpers
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Executor, NodeId, clean

_FUTURES = "concurrent/futures/_base.py"
_FRAMES = 8
_MODULES = (
    "concurrent.futures.process",
    "loky.process_executor",
    "joblib.externals.loky.process_executor",
)
_MOST_WORKERS = 1_000
_MOST_PENDING = 2_000
"""Tasks of one executor that are looked through for those that threads wait for."""


class ProcessExecutors:
    """Reads the executors of one process that its threads wait for."""

    def __init__(self, pid: int, python: PythonReader, containers: Containers) -> None:
        self._pid = pid
        self._python = python
        self._objects = python.objects
        self._containers = containers

    def future(self, frames: tuple[Frame, ...]) -> int:
        """The future that a thread with these frames waits for; 0: none."""
        for frame in frames[:_FRAMES]:
            if frame.code.filename.endswith(_FUTURES) and frame.code.function.endswith("result"):
                return self._python.frames.variables(frame).get("self", 0)
        return 0

    def managers(self) -> list[int]:
        """The threads that manage executors, of those that have ended as well."""
        found = []
        for module in _MODULES:
            wakeups = self._python.module(module).get("_threads_wakeups", 0)
            references = self._objects.attributes(wakeups).get("data", 0) if wakeups else 0
            try:
                items = list(self._objects.items(references)) if references else []
            except MemoryReadError:
                continue
            for reference, _ in items:
                place = reference + self._objects.layout["weakref.wr_object"]
                found.append(self._objects.memory.u64(place))
        return [one for one in found if "pending_work_items" in self._objects.attributes(one)]

    def read(
        self, manager: int, waiting: dict[int, list[NodeId]], helpers: Helpers
    ) -> Executor | None:
        """The executor that the thread at *manager* manages; None: nobody waits for it.

        *waiting*: threads by the future that they wait for.

        Raises:
            MemoryReadError: it cannot be read.
        """
        attributes = self._objects.attributes(manager)
        pending = attributes["pending_work_items"]
        waiters: list[NodeId] = []
        for number, (_, item) in enumerate(self._objects.items(pending)):
            if number == _MOST_PENDING:
                break
            future = self._objects.attributes(item).get("future", 0)
            waiters += waiting.get(future, ())
        if not waiters:
            return None
        reference = attributes.get("executor_reference", 0)
        place = reference + self._objects.layout["weakref.wr_object"]
        executor = self._objects.memory.u64(place) if reference else 0
        known = self._objects.kind(executor) not in (None, "NoneType")
        own = self._objects.attributes(executor) if known else {}
        initializer = self._objects.function_name(own.get("_initializer", 0))
        type_name = clean(self._objects.qualified_type(executor), 100) if known else ""
        return Executor(
            pid=self._pid,
            address=executor if known else manager,
            type_name=type_name or "concurrent.futures.process.ProcessPoolExecutor",
            waiters=tuple(waiters),
            helpers=(helpers.read("manager thread", manager),),
            size=self._containers.integer(own.get("_max_workers", 0)),
            workers=self._containers.dict_size(attributes.get("processes", 0)),
            worker_pids=self._workers(attributes.get("processes", 0)),
            initializer=clean(initializer, 100) if initializer else None,
            pending=self._containers.dict_size(pending),
        )

    def _workers(self, processes: int) -> tuple[int, ...]:
        """The PIDs by which the executor has its workers; as its own PID namespace numbers them."""
        if not processes or self._objects.kind(processes) != "dict":
            return ()
        keys = (key for key, _ in islice(self._objects.items(processes), _MOST_WORKERS))
        numbers = (self._containers.integer(key) for key in keys)
        return tuple(one for one in numbers if one)
