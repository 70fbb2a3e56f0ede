"""Memory read as a lock of the C library, field by field, without its debug information.

The layouts are glibc's on 64-bit processors, 2.28 to 2.43: struct_mutex.h and struct_rwlock.h in
sysdeps/x86/nptl/bits, thread-shared-types.h, internaltypes.h and semaphore.h in nptl.
"""

import struct
from collections.abc import Callable, Mapping

from hangtui.backends.libc.futex.structures import Rwlock, mutex_owner
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.dataclass import dataclass
from hangtui.debugger import Field, LockKind, LockReading
from hangtui.model import TargetError

_INT, _UINT, _ULONG, _SHORT, _BYTE = "<i", "<I", "<Q", "<h", "<b"


@dataclass(frozen=True, slots=True)
class _Slot:
    name: str
    offset: int
    format: str = _UINT


_MUTEX = (
    _Slot("__lock", 0, _INT),
    _Slot("__count", 4),
    _Slot("__owner", 8, _INT),
    _Slot("__nusers", 12),
    _Slot("__kind", 16, _INT),
    _Slot("__spins", 20, _SHORT),
    _Slot("__elision", 22, _SHORT),
)
_RWLOCK = (
    _Slot("__readers", 0),
    _Slot("__writers", 4),
    _Slot("__wrphase_futex", 8),
    _Slot("__writers_futex", 12),
    _Slot("__cur_writer", 24, _INT),
    _Slot("__shared", 28, _INT),
    _Slot("__rwelision", 32, _BYTE),
    _Slot("__flags", 48),
)
_CONDITION = (
    _Slot("__wseq", 0, _ULONG),
    _Slot("__g1_start", 8, _ULONG),
    _Slot("__g_refs[0]", 16),
    _Slot("__g_refs[1]", 20),
    _Slot("__g_size[0]", 24),
    _Slot("__g_size[1]", 28),
    _Slot("__g1_orig_size", 32),
    _Slot("__wrefs", 36),
    _Slot("__g_signals[0]", 40),
    _Slot("__g_signals[1]", 44),
)
_CONDITION_WITHOUT_REFS = (
    _Slot("__wseq", 0, _ULONG),
    _Slot("__g1_start", 8, _ULONG),
    _Slot("__g_size[0]", 16),
    _Slot("__g_size[1]", 20),
    _Slot("__g1_orig_size", 24),
    _Slot("__wrefs", 28),
    _Slot("__g_signals[0]", 32),
    _Slot("__g_signals[1]", 36),
)
"""After "nptl: Remove g_refs from condition variables" (2.41, and in updates of older releases)."""
_SEMAPHORE = (_Slot("value", 0), _Slot("nwaiters", 4), _Slot("private", 8, _INT))
_BARRIER = (
    _Slot("in", 0),
    _Slot("current_round", 4),
    _Slot("count", 8),
    _Slot("shared", 12, _INT),
    _Slot("out", 16),
)
SIZES = {
    LockKind.MUTEX: 40,
    LockKind.RWLOCK: 56,
    LockKind.CONDITION: 48,
    LockKind.SEMAPHORE: 32,
    LockKind.BARRIER: 32,
}
"""sizeof, bits/pthreadtypes-arch.h."""
FUTEX_OFFSETS = {
    LockKind.MUTEX: (0,),
    LockKind.RWLOCK: (12, 8, 0),
    LockKind.CONDITION: (40, 44, 32, 36),
    LockKind.SEMAPHORE: (0,),
    LockKind.BARRIER: (4, 16, 0),
}
"""Where in the lock the words lie that threads sleep on."""
_MAX_WAITERS = 1 << 16
"""More threads than wait in practice; garbage has more."""
_MUTEX_KINDS = {0: "normal", 1: "recursive", 2: "error-checking", 3: "adaptive"}
Values = Mapping[str, int]
Owners = Callable[[int], tuple[int, str]]
"""From a TID as the target counts to the host's, and the thread's name (empty: no thread)."""


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What the values of a lock mean."""

    sentence: str
    meanings: Mapping[str, str]
    owner: int = 0
    plausible: bool = True


def read(memory: Memory, address: int, kind: LockKind, owners: Owners, name: str) -> LockReading:
    """The lock at *address*.

    Raises:
        TargetError: there is no memory.
    """
    try:
        raw = memory.fresh(address, SIZES[kind])
    except MemoryReadError as error:
        raise TargetError(f"no memory at {address:#x} for a {kind.value}") from error
    slots = _slots(kind, raw)
    values = {slot.name: struct.unpack_from(slot.format, raw, slot.offset)[0] for slot in slots}
    verdict = _JUDGES[kind](values, raw)
    tid, owner_name = owners(verdict.owner) if verdict.owner else (0, "")
    who = owner_name and f"{owner_name} (TID {tid})"
    fields = tuple(_field(slot, values[slot.name], verdict, who) for slot in slots)
    holder = who or (f"TID {verdict.owner}, no thread of this process" if verdict.owner else "")
    return LockReading(
        kind=kind,
        address=address,
        name=name,
        sentence=verdict.sentence.replace("{owner}", holder),
        fields=fields,
        owner=tid if owner_name else None,
        owner_name=owner_name,
        plausible=verdict.plausible,
    )


def fits(memory: Memory, address: int, kind: LockKind, owners: Owners) -> bool:
    """Whether a lock of this kind that somebody uses lies at *address*."""
    try:
        reading = read(memory, address, kind, owners, "")
    except TargetError:
        return False
    used = reading.owner is not None or any(field.value != "0" for field in reading.fields)
    return reading.plausible and used


def _slots(kind: LockKind, raw: bytes) -> tuple[_Slot, ...]:
    if kind is LockKind.CONDITION:
        newer = _waiters(raw, 28) and not _waiters(raw, 36)
        return _CONDITION_WITHOUT_REFS if newer else _CONDITION
    return {
        LockKind.MUTEX: _MUTEX,
        LockKind.RWLOCK: _RWLOCK,
        LockKind.SEMAPHORE: _SEMAPHORE,
        LockKind.BARRIER: _BARRIER,
    }[kind]


def _waiters(raw: bytes, offset: int) -> int:
    """``__wrefs``: the number of waiters above three bits of flags."""
    count: int = struct.unpack_from("<I", raw, offset)[0] >> 3
    return count if count < 1 << 16 else 0


def _field(slot: _Slot, value: int, verdict: _Verdict, who: str) -> Field:
    meaning = verdict.meanings.get(slot.name, "").replace("{owner}", who or "no thread of it")
    return Field(slot.name, slot.offset, str(value), meaning)


def _mutex(values: Values, raw: bytes) -> _Verdict:
    kind, lock, owner = values["__kind"], values["__lock"], values["__owner"]
    meanings = {"__kind": _MUTEX_KINDS[kind & 3] + _mutex_flags(kind)}
    if lock in (0, 1, 2):
        words = ("free", "locked, nobody sleeps on it", "locked, threads may sleep on it")
        meanings["__lock"] = words[lock]
    robust_or_pi = bool(kind & 0x30)
    if owner:
        meanings["__owner"] = "{owner}"
    held = mutex_owner(raw[:20]) is not None
    free = not lock and not owner and not values["__count"] and not kind & ~0x3FF
    if held:
        return _Verdict("locked by {owner}", meanings, owner, plausible=lock != 0 or robust_or_pi)
    if free:
        return _Verdict("free", meanings)
    taking = lock in (1, 2) and not owner and not kind & ~0x3FF and values["__nusers"] < 1 << 20
    return _Verdict(
        "locked, but it names no owner" if taking else "not a mutex, by its fields",
        meanings,
        owner,
        plausible=taking,
    )


def _mutex_flags(kind: int) -> str:
    flags = ((0x10, "robust"), (0x20, "priority-inheriting"), (0x40, "priority-protected"))
    return "".join(f", {name}" for bit, name in flags if kind & bit)


def _rwlock(values: Values, raw: bytes) -> _Verdict:
    readers, writer = values["__readers"], values["__cur_writer"]
    count = readers >> 3
    states = ((1, "a writer's turn"), (2, "a writer has it or waits"), (4, "readers wait"))
    meanings = {
        "__readers": ", ".join(
            [f"{count} readers", *(text for bit, text in states if readers & bit)]
        ),
        "__writers": f"{values['__writers']} writers wait" if values["__writers"] else "",
        "__cur_writer": "{owner}" if writer else "",
    }
    shape = Rwlock.parse(raw[:32])
    if shape is None:
        return _Verdict("not a rwlock, by its fields", meanings, writer, plausible=False)
    if writer:
        waiting = f"; {values['__writers']} more wait to write" if values["__writers"] else ""
        return _Verdict("held to write by {owner}" + waiting, meanings, writer)
    if count:
        text = f"held by {count} readers, which glibc does not record"
        return _Verdict(text, meanings)
    return _Verdict("free", meanings)


def _condition(values: Values, raw: bytes) -> _Verdict:  # noqa: ARG001
    waiters, flags = values["__wrefs"] >> 3, values["__wrefs"] & 7
    clock = "the monotonic clock" if flags & 2 else "the realtime clock"
    text = _waiting(waiters) + (", one destroys it" if flags & 4 else "")
    meanings = {
        "__wseq": f"{values['__wseq'] >> 1} waits so far",
        "__wrefs": f"{text}; timeouts by {clock}",
    }
    sane = waiters < _MAX_WAITERS and values["__g1_start"] >> 1 <= values["__wseq"] >> 1
    sentence = f"{text}; nobody owns a condition" if sane else "not a condition, by its fields"
    return _Verdict(sentence, meanings, plausible=sane)


def _waiting(count: int) -> str:
    return "1 thread waits" if count == 1 else f"{count} threads wait"


def _semaphore(values: Values, raw: bytes) -> _Verdict:  # noqa: ARG001
    waiters = values["nwaiters"]
    meanings = {
        "value": "may be taken so often" if values["value"] else "none left",
        "nwaiters": _waiting(waiters),
        "private": "shared between processes" if values["private"] else "of one process",
    }
    sane = waiters < _MAX_WAITERS and values["private"] in (0, 128) and values["value"] < 1 << 31
    sentence = f"value {values['value']}, {_waiting(waiters)}; it records no owner"
    return _Verdict(
        sentence if sane else "not a semaphore, by its fields", meanings, plausible=sane
    )


def _barrier(values: Values, raw: bytes) -> _Verdict:  # noqa: ARG001
    count = values["count"]
    here = values["in"] - values["current_round"]
    meanings = {
        "count": f"opens for {count} threads",
        "in": f"{here} threads are there",
    }
    sane = 0 < count < 1 << 16 and 0 <= here < count
    sentence = f"{here} of {count} threads have come" if sane else "not a barrier, by its fields"
    return _Verdict(sentence, meanings, plausible=sane)


_JUDGES: Mapping[LockKind, Callable[[Values, bytes], _Verdict]] = {
    LockKind.MUTEX: _mutex,
    LockKind.RWLOCK: _rwlock,
    LockKind.CONDITION: _condition,
    LockKind.SEMAPHORE: _semaphore,
    LockKind.BARRIER: _barrier,
}
