"""PyTorch's DataLoader: which of its worker processes a thread waits for.

Batches are handed out in order: the iterator knows the number of the one that it waits for, and
which worker is to bring it.
"""

import os
from dataclasses import replace

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.application import application_place
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.ipc.relatives import same_namespace
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.backends.procfs.files import PROC, stat_of
from hangtui.dataclass import dataclass
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    NodeId,
    NodeKind,
    Resource,
    Source,
    Wait,
    shared_id,
    thread_id,
)

_LOADER = "/torch/utils/data/dataloader.py"
_WAITS = frozenset({"_get_data", "_try_get_data"})
_MOST_TASKS = 10_000


@dataclass(frozen=True, slots=True)
class _Turn:
    """What a thread waits for."""

    iterator: int
    index: int
    """Of the batch; it only grows."""
    worker: int
    """Which one of the workers."""
    count: int
    pid: int
    expires: bool
    place: str | None

    @property
    def batch(self) -> tuple[int, int]:
        """Which one it waits for, of which iterator."""
        return self.iterator, self.index


class LoaderResolver:
    """Resolves it for one process; without PyTorch it costs next to nothing."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python
        self._containers = Containers(python.objects, python.codes)
        self._waiting: dict[int, _Turn] = {}

    def add(self, facts: Facts) -> None:
        """Say of threads that wait for a DataLoader whose turn it is."""
        for tid, frames in self._python.stacks.items():
            turn = self._turn(frames)
            if turn is not None and self._is_child(turn.pid):
                self._waiting[tid] = turn
                self._add(facts, thread_id(self._pid, tid), turn)

    def _is_child(self, pid: int) -> bool:
        """Whether a process is a child of this one, by the kernel: who is named in its memory may
        be anybody."""
        try:
            known = same_namespace(self._pid, os.getpid())
            return known and stat_of(PROC / str(pid)).parent == self._pid
        except (OSError, IndexError, ValueError):
            return False

    def conclude(self, facts: Facts) -> None:
        """Take back waits that ended meanwhile, and mark those that did not: the number of the
        batch only grows. Who waits for another one by now waits for that."""
        if not self._waiting:
            return
        self._python.objects.memory.forget()
        for tid, before in self._waiting.items():
            thread, waiter = self._python.threads.get(tid), thread_id(self._pid, tid)
            try:
                with foreign_data():
                    frames = tuple(self._python.frames.walk(thread.state)) if thread else ()
            except DamagedDataError:
                frames = ()
            now = self._turn(frames)
            all_of_it = [wait for wait in facts.waits if wait.waiter == waiter]
            ours = [wait for wait in all_of_it if wait.target == _node(before)]
            lasting = now is not None and now.batch == before.batch
            # Who waits on for the same batch looks into the queue for some seconds at a time, to
            # see between whether the workers live: no other wait, and no end of this one.
            gone = all_of_it if lasting and ours else ours
            facts.waits[:] = [wait for wait in facts.waits if wait not in gone]
            if lasting:
                facts.waits += [replace(wait, lasting=True) for wait in ours]
            elif now is not None and self._is_child(now.pid):
                self._add(facts, waiter, now)

    def _turn(self, frames: tuple[Frame, ...]) -> _Turn | None:
        inside = [frame for frame in frames if frame.code.filename.endswith(_LOADER)]
        waits = next((f for f in inside if f.code.bare_name in _WAITS), None)
        if waits is None:
            return None
        try:
            with foreign_data():
                return self._read(waits, application_place(frames))
        except DamagedDataError:
            return None

    def _read(self, frame: Frame, place: str | None) -> _Turn | None:
        iterator = self._python.frames.variables(frame).get("self", 0)
        attributes = self._python.objects.attributes(iterator)
        index = self._containers.integer(attributes.get("_rcvd_idx", 0))
        workers = self._containers.sequence(attributes.get("_workers", 0))
        worker = self._worker(attributes.get("_task_info", 0), index)
        if index is None or worker is None or not 0 <= worker < len(workers):
            return None
        process = self._python.objects.attributes(workers[worker])
        popen = self._python.objects.attributes(process.get("_popen", 0))
        pid = self._containers.integer(popen.get("pid", 0))
        if pid is None or pid <= 0:
            return None
        limit = attributes.get("_timeout", 0)
        endless = 0 in (self._containers.integer(limit), self._containers.number(limit))
        return _Turn(iterator, index, worker, len(workers), pid, not endless, place)

    def _worker(self, tasks: int, index: int | None) -> int | None:
        """Which worker is to bring batch *index*, if it has not brought it already."""
        if self._python.objects.kind(tasks) != "dict":
            return None
        for count, (key, value) in enumerate(self._python.objects.items(tasks)):
            if count > _MOST_TASKS:
                return None
            if self._containers.integer(key) == index:
                known = self._containers.sequence(value)
                return self._containers.integer(known[0]) if len(known) == 1 else None
        return None

    def _add(self, facts: Facts, waiter: NodeId, turn: _Turn) -> None:
        node = _node(turn)
        name = f"DataLoader worker {turn.worker} (process {turn.pid})"
        text = (
            f"the DataLoader waits for batch {turn.index}, which worker {turn.worker} of "
            f"{turn.count} is to bring"
        )
        evidence = Evidence(Source.CPYTHON, Certainty.CERTAIN, text, turn.place)
        facts.waits[:] = [wait for wait in facts.waits if wait.waiter != waiter]
        wait = Wait(waiter, node, evidence, turn.expires, call="DataLoader.next")
        facts.waits.append(replace(wait, turn=turn.index))
        facts.resources[node] = Resource(
            node, NodeKind.WORKER, name, turn.pid, 0, name=name, package="torch"
        )
        text = "its main thread makes the batches"
        made = Evidence(Source.CPYTHON, Certainty.CERTAIN, text)
        facts.add_hold(Hold(node, thread_id(turn.pid, turn.pid), made))


def _node(turn: _Turn) -> NodeId:
    return shared_id(NodeKind.WORKER, f"loader-{turn.pid}")
