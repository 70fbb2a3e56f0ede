"""Waits for locks of native code, in the words of the model."""

from collections.abc import Mapping
from dataclasses import replace

from hangtui.backends.elf.demangle import demangle
from hangtui.backends.elf.images import Images
from hangtui.backends.facts import Facts
from hangtui.backends.libc.futex import FutexCall, FutexDecoder, FutexWait
from hangtui.backends.libc.futex.initialisers import Initialisers
from hangtui.backends.libc.musl import MuslDecoder
from hangtui.backends.memory.c_library import CLibrary
from hangtui.backends.memory.reader import Memory
from hangtui.backends.process.processes import has_thread
from hangtui.backends.unwind.native_stacks import NamedFrame, NativeStacks
from hangtui.backends.unwind.unwinder import RawStack
from hangtui.dataclass import dataclass
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
    clean,
    resource_id,
    thread_id,
)

_C_LIBRARY = ("libc.so", "libc-", "libpthread", "libstdc++", "ld-linux", "libgcc_s")
_CALLS_FOR_PYTHON = ("libffi.", "_ctypes.", "_cffi_backend.")
"""Beginnings of the names of modules by which Python calls C: a lock is none of theirs."""
_LENDS = frozenset({"PyThread_acquire_lock_timed", "PyThread_acquire_lock"})
"""Functions by which the interpreter lets others have locks: these are of whoever called it."""


@dataclass(frozen=True, slots=True)
class _Stranger:
    """An owner that was not among the threads when they were listed."""

    hold: Hold
    tid: int
    """As the target numbers its threads."""
    call: FutexCall
    """Of the thread that waits, with its innermost frames: what the lock was read from."""
    frames: list[NamedFrame]


def decoder_of(memory: Memory, tids: Mapping[int, int]) -> FutexDecoder | MuslDecoder:
    """The decoder of a process's futex waits; *tids*: as both decoders take them."""
    musl = memory.c_library is CLibrary.MUSL
    return MuslDecoder(memory, tids) if musl else FutexDecoder(memory, tids)


class NativeResolver:
    """Resolves the futex waits of one process's threads."""

    def __init__(
        self,
        pid: int,
        images: Images,
        native: NativeStacks,
        decoder: FutexDecoder | MuslDecoder,
        stacks: Mapping[int, RawStack],
    ) -> None:
        self._pid = pid
        self._initialisers = Initialisers(native, stacks)
        self._images = images
        self._native = native
        self._decoder = decoder
        self._strangers: list[_Stranger] = []

    def conclude(self, facts: Facts, *, moves: bool) -> None:
        """Tell owners that have ended, or were left behind by a fork, from those that are merely
        not known; the holds of the latter are forgotten.

        *moves*: the process runs, so that threads come and go. An owner has ended with a lock only
        if the lock named it, then the process had no such thread, and then the lock named it still.
        """
        for stranger in self._strangers:
            hold = stranger.hold
            if hold not in facts.holds:
                continue
            if not moves or self._has_ended(stranger):
                resource = facts.resources[hold.resource]
                facts.resources[hold.resource] = replace(resource, orphaned=True)
            else:
                facts.holds.remove(hold)

    def _has_ended(self, stranger: "_Stranger") -> bool:
        if has_thread(self._pid, stranger.tid):
            return False
        self._decoder.forget()
        again = self._decoder.decode(stranger.call, stranger.frames)
        named = again is not None and again.owner_tid == stranger.tid
        # Once more: its number may have been given to another thread, which took the lock.
        return named and not has_thread(self._pid, stranger.tid)

    def add(
        self, facts: Facts, tid: int, call: FutexCall, stack: RawStack | None, place: str | None
    ) -> None:
        """Add what a thread waits for; *place*: ``file:line`` of its innermost Python frame."""
        frames = self._native.exported_names(stack) if stack else []
        decoded = self._decoder.decode(call, frames)
        if decoded is None:
            return
        waiter = thread_id(self._pid, tid)
        evidence = Evidence(Source.FUTEX, decoded.certainty, decoded.text, place)
        if decoded.joins and decoded.owner_tid is not None:
            target = thread_id(self._pid, decoded.owner_tid)
            facts.waits.append(Wait(waiter, target, evidence, decoded.expires, "join"))
            return
        resource = self._resource(decoded, frames)
        text = f"blocked in futex(2) on the word of {resource.label}"
        text += f", {decoded.behind}" if decoded.behind else ""
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
            if not decoded.owner_is_thread:
                self._strangers.append(_Stranger(hold, decoded.owner_tid, call, frames))
        elif decoded.kind is NodeKind.ONCE:
            self._add_initialiser(facts, resource.id, self._initialisers.of(tid, frames))

    def _add_initialiser(self, facts: Facts, resource: NodeId, tid: int | None) -> None:
        if tid is None:
            return
        text = "it is the only thread inside the initialisation, which records no owner"
        evidence = Evidence(Source.UNWIND, Certainty.INFERRED, text)
        facts.add_hold(Hold(resource, thread_id(self._pid, tid), evidence))

    def _resource(self, decoded: FutexWait, frames: list[NamedFrame]) -> Resource:
        image = self._images.at(decoded.address)
        name = image.symbol_at(decoded.address) if image else None
        module = image.path if image else self._calling_module(frames)
        label = "lock" if module and not image and _is_lent(frames) else decoded.kind.value
        if name:
            label += f" {clean(demangle(name), 80)}"
        called = label if name or module else None
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
            no_holder=NoHolder.UNTOLD if decoded.untold else None,
            name=called,
        )

    def _calling_module(self, frames: list[NamedFrame]) -> str | None:
        """The first module out of the C library, whose code uses the lock; None: Python's."""
        for frame in frames:
            image = self._images.at(frame.raw.address)
            name = image.path.rsplit("/", 1)[-1] if image else ""
            if frame.names & _LENDS:
                continue
            if name.startswith(_CALLS_FOR_PYTHON):
                return None
            if image and not name.startswith(_C_LIBRARY):
                return image.path
        return None


def _is_lent(frames: list[NamedFrame]) -> bool:
    """Whether the interpreter lent the lock: a semaphore is what that is made of."""
    return any(frame.names & _LENDS for frame in frames)
