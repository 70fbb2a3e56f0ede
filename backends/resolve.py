"""From blocked threads to waits, holds and resources, in the words of the model."""

from collections.abc import Mapping
from dataclasses import replace

from hangtui.backends.blocked import Blocked
from hangtui.backends.cpython.locks import Lock
from hangtui.backends.cpython.ownership import LockHold
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.elf import Images
from hangtui.backends.facts import Facts
from hangtui.backends.futex import FutexCall, FutexDecoder, FutexWait
from hangtui.backends.native import NamedFrame, NativeStacks
from hangtui.backends.unwind import RawStack
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    NodeKind,
    Resource,
    Source,
    Wait,
    resource_id,
    thread_id,
)

_C_LIBRARY = ("libc.so", "libc-", "libpthread", "libstdc++", "ld-linux", "libgcc_s")


class Resolver:
    """Resolves the waits of one process's threads."""

    def __init__(
        self,
        pid: int,
        images: Images,
        native: NativeStacks,
        decoder: FutexDecoder,
        python: PythonReader | None,
    ) -> None:
        self._pid = pid
        self._images = images
        self._native = native
        self._decoder = decoder
        self._python = python

    def resolve(
        self, facts: Facts, blocked: Mapping[int, Blocked], stacks: Mapping[int, RawStack]
    ) -> None:
        """Add the waits of threads *blocked* in a futex, and all holds that can be told."""
        users: dict[Lock, list[int]] = {}
        for tid, where in blocked.items():
            call = where.futex
            if call is None:
                continue
            lock = self._python_wait(facts, tid, call, where)
            if lock is not None:
                users.setdefault(lock, []).append(tid)
            elif not facts.waits_of(thread_id(self._pid, tid)):
                self._native_wait(facts, tid, call, stacks.get(tid))
        if self._python is not None:
            for hold in self._python.holds(list(users)):
                users.setdefault(hold.lock, []).append(hold.tid)
                facts.holds.append(self._python_hold(hold))
            for lock, label in self._python.lock_labels(users).items():
                self._add_lock(facts, lock, label)

    def place(self, tid: int) -> str | None:
        """``file:line`` of a thread's innermost Python frame."""
        frames = self._python.stacks.get(tid, ()) if self._python else ()
        return frames[0].place if frames else None

    # -- Python locks ---------------------------------------------------------------------------

    def _lock_id(self, lock: Lock) -> str:
        return resource_id(lock.kind, self._pid, lock.address)

    def _python_wait(self, facts: Facts, tid: int, call: FutexCall, where: Blocked) -> Lock | None:
        """Add the wait for a lock, a condition or a thread's end; the lock, if it is one."""
        if self._python is None or tid not in self._python.threads:
            return None
        lock, joined = self._python.awaited(tid, call.address, where.stack_pointer)
        waiter, expires = thread_id(self._pid, tid), call.expires
        if joined is not None and joined.ident in self._python.idents:
            target = thread_id(self._pid, self._python.idents[joined.ident])
            evidence = self._evidence(Certainty.PROVEN, joined.text, tid)
            facts.waits.append(Wait(waiter, target, evidence, expires))
            return None
        if lock is None:
            return None
        condition = self._python.condition(tid, lock)
        if condition is not None:
            self._condition_wait(facts, tid, condition, expires)
            return None
        text = f"its futex is the word of the {lock.type_name} at {lock.address:#x}"
        evidence = self._evidence(Certainty.CERTAIN, text, tid)
        facts.waits.append(Wait(waiter, self._lock_id(lock), evidence, expires, "acquire"))
        return lock

    def _condition_wait(self, facts: Facts, tid: int, condition: int, expires: bool) -> None:
        assert self._python is not None
        node = resource_id(NodeKind.CONDITION, self._pid, condition)
        label = self._python.condition_label(condition, tid)
        facts.resources[node] = Resource(
            node,
            NodeKind.CONDITION,
            label,
            self._pid,
            condition,
            note="a condition has no owner: any thread may notify it",
        )
        text = "Condition.wait: it waits for a lock that only notify() releases"
        evidence = self._evidence(Certainty.PROVEN, text, tid)
        facts.waits.append(Wait(thread_id(self._pid, tid), node, evidence, expires, "wait"))

    def _python_hold(self, hold: LockHold) -> Hold:
        evidence = Evidence(Source.CPYTHON, hold.certainty, hold.text, hold.where)
        return Hold(self._lock_id(hold.lock), thread_id(self._pid, hold.tid), evidence)

    def _add_lock(self, facts: Facts, lock: Lock, label: str) -> None:
        node = self._lock_id(lock)
        note = None
        if lock.locked and not any(hold.resource == node for hold in facts.holds):
            note = "it is locked, and its holder is not recorded"
        facts.resources[node] = Resource(node, lock.kind, label, self._pid, lock.address, note=note)

    def _evidence(self, certainty: Certainty, text: str, tid: int) -> Evidence:
        return Evidence(Source.CPYTHON, certainty, text, self.place(tid))

    # -- native locks ---------------------------------------------------------------------------

    def _native_wait(self, facts: Facts, tid: int, call: FutexCall, stack: RawStack | None) -> None:
        frames = self._native.exported_names(stack) if stack else []
        decoded = self._decoder.decode(call, frames)
        if decoded is None:
            return
        waiter = thread_id(self._pid, tid)
        evidence = Evidence(Source.FUTEX, decoded.certainty, decoded.text, self.place(tid))
        if decoded.joins and decoded.owner_tid is not None:
            target = thread_id(self._pid, decoded.owner_tid)
            facts.waits.append(Wait(waiter, target, evidence, decoded.expires, "join"))
            return
        resource = self._native_resource(decoded, frames)
        text = f"blocked in futex(2) on the word of {resource.label}"
        facts.resources.setdefault(resource.id, resource)
        facts.waits.append(
            Wait(
                waiter,
                resource.id,
                replace(evidence, text=text),
                decoded.expires,
                decoded.operation,
            )
        )
        if decoded.owner_tid is not None:
            holder = thread_id(self._pid, decoded.owner_tid)
            hold = Hold(resource.id, holder, replace(evidence, where=None))
            facts.add_hold(hold)

    def _native_resource(self, decoded: FutexWait, frames: list[NamedFrame]) -> Resource:
        image = self._images.at(decoded.address)
        name = image.symbol_at(decoded.address) if image else None
        module = image.path if image else self._calling_module(frames)
        label = decoded.kind.value
        if name:
            label += f" {name}"
        if module:
            label += f" in {module.rsplit('/', 1)[-1]}"
        else:
            label += f" at {decoded.address:#x}"
        return Resource(
            resource_id(decoded.kind, self._pid, decoded.address),
            decoded.kind,
            label,
            self._pid,
            decoded.address,
            module=module,
            note=decoded.note,
        )

    def _calling_module(self, frames: list[NamedFrame]) -> str | None:
        """The first module out of the C library: the one whose code uses the lock."""
        for frame in frames:
            image = self._images.at(frame.raw.address)
            if image and not image.path.rsplit("/", 1)[-1].startswith(_C_LIBRARY):
                return image.path
        return None
