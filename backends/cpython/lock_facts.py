"""Waits for objects of the interpreter, and holds of them, in the words of the model."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hangtui.backends.cpython.aio.names import names_of
from hangtui.backends.cpython.awaited import Awaited
from hangtui.backends.cpython.frames import Frame, place_of
from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.lock_hold import LockHold
from hangtui.backends.cpython.locks import Lock
from hangtui.backends.cpython.named_semaphores import NamedSemaphores
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.ipc.peer import SharedLock
from hangtui.backends.libc.futex import FutexCall
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    NodeId,
    NodeKind,
    NoHolder,
    Resource,
    Source,
    Wait,
    object_label,
    resource_id,
    thread_id,
)

_UNKNOWN_HOLDER = "it is locked, and nothing tells by whom"
_DELIVERED = {NodeKind.FUTURE, NodeKind.QUEUE, NodeKind.EVENT, NodeKind.CONDITION}
"""What nobody has: somebody has to set, fill or notify it."""
_ENDED_HOLDER = "it is locked, and the owner it records is no living thread of this process"


class PythonResolver:
    """Resolves what one process's Python threads wait for and hold."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python
        self._awaited: dict[int, Awaited] = {}

    def shared_locks(self) -> list[SharedLock]:
        """What the process knows of locks that it shares with others."""
        return [*self._of_multiprocessing(), *self._named()]

    def _named(self) -> Iterator[SharedLock]:
        """The named semaphores that threads are inside of a ``with`` on, or use as locks."""
        python = self._python
        found = NamedSemaphores(python.objects, python.frames, python.blocks)
        for one in found.entered(python.stacks):
            yield SharedLock(
                one.word,
                NodeKind.SEMAPHORE,
                "named semaphore",
                free=one.free,
                taken=1,
                last=one.tid,
                units=None,
                entered=((one.tid, one.where, Certainty.PROVEN),),
                named=True,
            )
        for used in found.locks(python.stacks):
            label = "named semaphore"
            yield SharedLock(
                used.word, NodeKind.SEMAPHORE, label, used.free, 0, None, None, named=True
            )

    def _of_multiprocessing(self) -> list[SharedLock]:
        entered, stacks = self._python.ownership.entered, self._python.stacks
        locks = self._python.shared_locks.all()
        names = {lock.address: self._python.shared_locks.wrapper(lock.address) for lock in locks}
        users = {(names[lock.address], lock.type_name): list(stacks) for lock in locks}
        called = self._python.names_of(users)
        return [
            SharedLock(
                lock.word,
                lock.kind,
                object_label(called[names[lock.address]], lock.type_name, names[lock.address]),
                free=not lock.locked,
                taken=lock.taken,
                last=self._python.idents.get(lock.owner),
                units=lock.units,
                entered=tuple(
                    (hold.tid, hold.where, hold.certainty)
                    for hold in (entered(lock, stacks) if lock.taken > 0 else ())
                ),
            )
            for lock in locks
        ]

    def add_wait(self, facts: Facts, tid: int, call: FutexCall, stack_pointer: int) -> bool:
        """Add what a thread waits for; False if its futex is none of the interpreter's."""
        thread = self._python.threads.get(tid)
        if thread is None:
            return False
        awaited = self._python.waits.awaited(thread.ident, call.address, stack_pointer)
        if awaited is None:
            return False
        evidence = Evidence(Source.CPYTHON, awaited.certainty, awaited.text, self.place(tid))
        if awaited.kind is NodeKind.THREAD:
            joined = self._python.idents.get(awaited.owners[0].ident)
            if joined is None:
                return False
            target = thread_id(self._pid, joined)
            facts.waits.append(
                Wait(
                    thread_id(self._pid, tid),
                    target,
                    evidence,
                    call.expires,
                    "join",
                    awaited.call,
                )
            )
            return True
        self._awaited[tid] = awaited
        waiter, target = thread_id(self._pid, tid), self._id(awaited)
        facts.waits.append(
            Wait(waiter, target, evidence, call.expires, awaited.operation, awaited.call)
        )
        return True

    def add_holds(self, facts: Facts) -> None:
        """Add all holds that can be told, and the objects that are awaited or held."""
        locks = {tid: found.lock for tid, found in self._awaited.items() if found.lock}
        python = self._python
        holds = python.ownership.holds(python.stacks, python.idents, locks)
        for hold in holds:
            evidence = Evidence(Source.CPYTHON, hold.certainty, hold.text, hold.where)
            node = resource_id(hold.lock.kind, self._pid, hold.lock.address)
            self._python.objects.memory.spent.objects(1 + (len(facts.holds) >> 6))
            facts.add_hold(Hold(node, thread_id(self._pid, hold.tid), evidence))
        for tid, awaited in self._awaited.items():
            self._add_owners(facts, awaited)
            if awaited.kind in _DELIVERED:
                self._add_queued(facts, tid, awaited)
        self._add_resources(facts, holds)

    def _add_owners(self, facts: Facts, awaited: Awaited) -> None:
        for owner in awaited.owners:
            tid = self._python.idents.get(owner.ident)
            if tid is not None:
                evidence = Evidence(Source.CPYTHON, owner.certainty, owner.text, self.place(tid))
                facts.add_hold(Hold(self._id(awaited), thread_id(self._pid, tid), evidence))

    def _add_queued(self, facts: Facts, tid: int, awaited: Awaited) -> None:
        """What would end the wait is to be called by a loop that this very thread runs, or another
        one does."""
        found = self._python.queued.ending(self._python.stacks.get(tid, ()), awaited.address)
        if found is not None:
            alone = found.alone or awaited.kind is NodeKind.FUTURE
            certainty = Certainty.PROVEN if alone else Certainty.INFERRED
            text = (
                f"{found.function}, which would end the wait, is queued in the {found.scheduler} "
                "that this very thread runs"
            )
            evidence = Evidence(Source.CPYTHON, certainty, text)
            facts.add_hold(Hold(self._id(awaited), thread_id(self._pid, tid), evidence))
            return
        other = self._python.queued.elsewhere(self._python.stacks, tid, awaited.address)
        if other is not None:
            runs, call = other
            text = (
                f"{call.function}, which would end the wait, is queued in the {call.scheduler} "
                "that this thread runs"
            )
            sure = awaited.kind is NodeKind.FUTURE and call.settles
            certainty = Certainty.PROVEN if sure else Certainty.INFERRED
            evidence = Evidence(Source.CPYTHON, certainty, text)
            facts.add_hold(Hold(self._id(awaited), thread_id(self._pid, runs), evidence))

    def _add_resources(self, facts: Facts, holds: list[LockHold]) -> None:
        users: dict[tuple[int, str], list[int]] = {}
        for tid, awaited in self._awaited.items():
            if awaited.name is None:
                users.setdefault((_named(awaited), awaited.type_name), []).append(tid)
        for hold in holds:
            users.setdefault((hold.lock.address, hold.lock.type_name), []).append(hold.tid)
        names = self._python.names_of(users)
        for awaited in self._awaited.values():
            if awaited.name is not None:
                made = self._resource(awaited.kind, awaited.address, awaited.name)
                made = replace(made, name=awaited.name)
            else:
                place = _named(awaited)
                name = names[place]
                if name and awaited.called:
                    name = f"{awaited.called} {name}"
                made = self._object(awaited.kind, awaited.address, place, name, awaited.type_name)
            made = replace(made, note=awaited.note)
            if awaited.parties:
                made = replace(made, size=awaited.parties.all, waiting=awaited.parties.there)
            facts.resources.setdefault(made.id, made)
        for hold in holds:
            lock = hold.lock
            name = names[lock.address]
            made = self._object(lock.kind, lock.address, lock.address, name, lock.type_name)
            facts.resources.setdefault(made.id, made)
        for awaited in self._awaited.values():
            self._note_unknown_holder(facts, awaited.lock)

    def _resource(self, kind: NodeKind, address: int, label: str) -> Resource:
        return Resource(resource_id(kind, self._pid, address), kind, label, self._pid, address)

    def _object(
        self, kind: NodeKind, address: int, place: int, name: str | None, type_name: str
    ) -> Resource:
        """*place*: the address that variables refer to."""
        made = self._resource(kind, address, object_label(name, type_name, place))
        return replace(made, name=name, type_name=type_name)

    def _note_unknown_holder(self, facts: Facts, lock: Lock | None) -> None:
        if lock is None or not lock.locked or lock.kind is NodeKind.SEMAPHORE:
            return
        node = resource_id(lock.kind, self._pid, lock.address)
        if not any(hold.resource == node for hold in facts.holds):
            note = self._python.ownership.kept.get(lock.address, _UNKNOWN_HOLDER)
            facts.resources[node] = replace(
                facts.resources[node], note=note, no_holder=NoHolder.UNTOLD
            )

    def add_holds_of_tasks(
        self, facts: Facts, suspended: Mapping[NodeId, tuple[Frame, ...]]
    ) -> None:
        """Add that a task or greenlet holds what threads wait for: it is suspended inside of
        ``with`` on it.

        *suspended*: their frames, innermost first.
        """
        nodes = {node.address or 0: node for node in suspended}
        stacks = {node.address or 0: frames for node, frames in suspended.items()}
        for awaited in self._awaited.values():
            lock, node = awaited.lock, self._id(awaited)
            if lock is None or lock.kind is not NodeKind.LOCK or not lock.locked:
                continue
            if any(hold.resource == node for hold in facts.holds):
                continue
            found = self._python.ownership.entered(lock, stacks)
            if len({hold.tid for hold in found}) != 1:
                continue
            (hold, *_) = found
            evidence = Evidence(Source.CPYTHON, hold.certainty, hold.text, hold.where)
            facts.add_hold(Hold(node, nodes[hold.tid], evidence))
            facts.resources[node] = replace(
                facts.resources[node], note=awaited.note, no_holder=None
            )

    def name_by_tasks(self, facts: Facts, suspended: Mapping[NodeId, tuple[Frame, ...]]) -> None:
        """Name what threads wait for and no variable of theirs refers to, as what was handed to an
        executor, by the variables of tasks; *suspended*: as of `add_holds_of_tasks`."""
        nameless = {
            _named(awaited): node
            for awaited in self._awaited.values()
            if (known := facts.resources.get(node := self._id(awaited)))
            and (known.type_name and not known.name)
        }
        if not nameless:
            return
        python, wanted = self._python, set(nameless)
        for place, name in names_of(
            wanted, suspended.values(), python.objects, python.frames
        ).items():
            known = facts.resources[nameless[place]]
            label = object_label(name, known.type_name or "", place)
            facts.resources[known.id] = replace(known, name=name, label=label)

    def conclude(self, facts: Facts) -> None:
        """Say of locks whose owner is no thread that it has ended, if it is so to the end.

        While a thread takes a lock, and while threads come and go, it may look so for a moment. So
        the record must name the owner still after that thread was seen to be gone, and it must not
        have come back with the same number then.
        """
        for awaited in self._awaited.values():
            node = self._id(awaited)
            resource = facts.resources.get(node)
            if awaited.recorded is None or resource is None:
                continue
            if any(hold.resource == node for hold in facts.holds):
                continue
            place, ident = awaited.recorded
            if (
                self._python.ended(ident)
                and self._still_records(awaited.kind, place, ident)
                and self._python.ended(ident)
            ):
                facts.resources[node] = replace(resource, note=_ENDED_HOLDER, orphaned=True)

    def _still_records(self, kind: NodeKind, place: int, ident: int) -> bool:
        if kind is not NodeKind.IMPORT_LOCK:
            return self._python.still_records(place, ident)
        try:
            return self._python.waits.importer(place) == ident
        except (MemoryReadError, LayoutError):
            return False

    def _id(self, awaited: Awaited) -> NodeId:
        return resource_id(awaited.kind, self._pid, awaited.address)

    def place(self, tid: int) -> str | None:
        """``file:line`` where the program stands in a thread."""
        return place_of(self._python.stacks.get(tid, ()))


def _named(awaited: Awaited) -> int:
    """The address that variables of the program refer to."""
    return awaited.object or awaited.address
