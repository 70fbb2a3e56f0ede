"""The place of a process in a job, as its own memory has it: in PyTorch's process group, in its
call of `init_process_group`, in what a library records, or in its variables of the environment.

Not every launcher tells ranks their place in the environment that they are started with: who spawns
them in Python, as `mp.spawn` and Ray Train do, gives it to a function, or to `os.environ`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.torch_stores import address_of
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.backends.process import job
from hangtui.dataclass import dataclass
from hangtui.model import JobPlace


@dataclass(frozen=True, slots=True)
class _Record:
    """Where a library has the place of the process that it runs in."""

    module: str
    path: tuple[str, ...]
    """The names that lead to the object, from the module's on."""
    names: tuple[str, str, str]
    """What rank, rank on the node and size are called there."""


_C10D, _FILE = "torch.distributed.distributed_c10d", "/torch/distributed/distributed_c10d.py"
_JOINS = "init_process_group"
_RECORDS = (
    _Record(
        "ray.train.v2._internal.execution.context",
        ("_train_context", "distributed_context"),
        ("world_rank", "local_rank", "world_size"),
    ),
    _Record(
        "jax._src.distributed", ("global_state",), ("process_id", "local_rank", "num_processes")
    ),
)
_MOST_RANKS, _MOST_VARIABLES = 100_000, 4000
_FIELDS = range(16, 48, 8)
"""Where a `c10d::ProcessGroup` may have its store, before rank and size: behind the table of its
functions and one or two counts of references, as its version has them."""


def place_in(python: PythonReader) -> JobPlace | None:
    """The place that the process knows of itself; None: it knows none, or has no PyTorch."""
    try:
        with foreign_data():
            return _Reader(python).place()
    except (DamagedDataError, BudgetSpentError):
        return None


class _Reader:
    """Reads one process."""

    def __init__(self, python: PythonReader) -> None:
        self._python = python
        self._objects = python.objects
        self._containers = Containers(python.objects, python.codes)

    def place(self) -> JobPlace | None:
        """The place, by what is surest."""
        torch, recorded = self._python.module(_C10D), next(self._recorded(), None)
        if not torch and recorded is None:
            return None
        told = job.place_among(self._environment())
        own = self._of_group(torch) or self._joining() or recorded
        if own is None:
            return told
        return replace(own, local_rank=told.local_rank) if told and told.rank == own.rank else own

    def _of_group(self, module: Mapping[str, int]) -> JobPlace | None:
        """Its rank in the default process group. A group of one process is no job."""
        objects = self._objects
        group = objects.attributes(module.get("_world", 0)).get("_default_pg", 0)
        ranks = module.get("_pg_group_ranks", 0)
        if objects.kind(group) in (None, "NoneType") or objects.kind(ranks) != "dict":
            return None
        known = next((value for key, value in objects.items(ranks) if key == group), 0)
        size = self._containers.dict_size(known) if known else 0
        if not 1 < size <= _MOST_RANKS:
            return None
        rank = self._rank(objects.memory.u64(group + objects.layout.header), size)
        if rank is None:
            return None
        met = next((value for key, value in self._items(module, "_pg_map") if key == group), 0)
        port = next(filter(None, map(self._met, self._containers.sequence(met))), None)
        return JobPlace(rank, None, size, member=True, port=port)

    def _items(self, module: Mapping[str, int], name: str) -> Iterator[tuple[int, int]]:
        known = module.get(name, 0)
        return self._objects.items(known) if self._objects.kind(known) == "dict" else iter(())

    def _met(self, store: int) -> int | None:
        """The port of a store."""
        known = address_of(self._objects, store)
        return known[1] if known else None

    def _rank(self, group: int, size: int) -> int | None:
        """Of a `c10d::ProcessGroup`: the number before that of its size, behind a pointer."""
        memory = self._objects.memory
        for offset in _FIELDS:
            store, rank = memory.u64(group + offset), memory.u32(group + offset + 8)
            if memory.u32(group + offset + 12) == size and rank < size and not store & 7:
                return rank
        return None

    def _joining(self) -> JobPlace | None:
        """Its rank by the arguments of the call in which it joins the job."""
        for frames in self._python.stacks.values():
            frame = next((frame for frame in frames if _joins(frame)), None)
            if frame is None:
                continue
            variables = self._python.frames.variables(frame)
            rank, size = (
                self._containers.integer(variables.get(name, 0)) for name in ("rank", "world_size")
            )
            if rank is not None and size is not None and 0 <= rank < size and size > 1:
                return JobPlace(rank, None, size, member=True)
        return None

    def _recorded(self) -> Iterator[JobPlace]:
        """Its rank by what libraries record."""
        for record in _RECORDS:
            known = self._python.module(record.module)
            for name in record.path:
                known = self._objects.attributes(known.get(name, 0)) if known else {}
            rank, local, size = (self._containers.integer(known.get(n, 0)) for n in record.names)
            if rank is not None and size is not None and 0 <= rank < size and size > 1:
                yield JobPlace(rank, local, size, member=True)

    def _environment(self) -> Iterator[tuple[str, str]]:
        """Those variables that Python has in `os.environ` now which may tell a place."""
        objects = self._objects
        environment = self._python.module("os").get("environ", 0)
        data = objects.attributes(environment).get("_data", 0)
        if objects.kind(data) != "dict":
            return
        for number, (key, value) in enumerate(objects.items(data)):
            if number >= _MOST_VARIABLES:
                return
            try:
                name = objects.data(key).decode(errors="replace")
                if name in job.NAMES:
                    yield name, objects.data(value).decode(errors="replace")
            except MemoryReadError:
                continue


def _joins(frame: Frame) -> bool:
    return frame.code.bare_name == _JOINS and frame.code.filename.endswith(_FILE)
