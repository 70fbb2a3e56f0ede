"""The event loop of gevent: whom its watchers wake, how many there are, what it calls next."""

import struct
from collections.abc import Iterable, Mapping
from dataclasses import field

from hangtui.backends.cpython.greenlets.awaited import Awaited
from hangtui.backends.cpython.greenlets.members import Members
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.dataclass import dataclass

_WAITER_GREENLET = 32
_CALLBACK = 16
"""Of a callback of the loop that is due."""
_W_LOOP, _W_CALLBACK, _W_DATA, _W_EV = 16, 24, 40, 64
"""Of a watcher of libev: its loop; whom it calls, with the arguments behind that; the pointer to
its libev part; that."""
_EV_FD, _EV_AT = 32, 24
"""In the libev part: of an ``io``, and of a ``timer``."""
_GREENLETS = ("greenlet", "spawned", "hub")


class Woken:
    """Tells which greenlet something wakes; *roles*: of gevent's objects, by address."""

    def __init__(self, objects: Objects, members: Members, roles: Mapping[int, str]) -> None:
        self._objects = objects
        self._members = members
        self._roles = roles

    def by(self, callback: int) -> int:
        """The greenlet that a bound ``switch``, a waiter or a greenlet stands for; 0: none."""
        target = self._objects.bound_to(callback) or callback
        if self._roles.get(target) == "waiter":
            target = self._members.reference(target, "greenlet", _WAITER_GREENLET)
        return target if self._roles.get(target) in _GREENLETS else 0


@dataclass(frozen=True, slots=True)
class _Watcher:
    kind: str
    """``io``, ``timer``, ``signal``, ``child``, ..."""
    loop: int
    callback: int
    arguments: int
    number: float | None = None
    """The file descriptor, or when the timer fires."""


@dataclass(slots=True)
class Watched:
    """What the watchers of all loops tell."""

    waits: dict[int, list[Awaited]] = field(default_factory=dict)
    """By greenlet."""
    timed: dict[int, float] = field(default_factory=dict)
    """When a timer wakes it, by ``time.monotonic()``, by greenlet."""
    counts: dict[int, dict[str, int]] = field(default_factory=dict)
    """How many watchers of each kind a loop has, by loop."""


class LoopReader:
    """Reads callbacks and watchers."""

    def __init__(self, objects: Objects, members: Members, woken: Woken) -> None:
        self._objects = objects
        self._memory = objects.memory
        self._members = members
        self._woken = woken

    def due(self, found: Mapping[str, list[int]]) -> frozenset[int]:
        """The greenlets that loops switch to at their next turn."""
        result = set()
        for role in ("callback", "ffi-callback"):
            for address in found.get(role, ()):
                try:
                    with foreign_data():
                        if role == "callback":
                            callback = self._memory.u64(address + _CALLBACK)
                        else:
                            callback = self._members.all(address).get("callback", 0)
                        result.add(self._woken.by(callback))
                except DamagedDataError:
                    continue
        return frozenset(result - {0})

    def watched(self, found: Mapping[str, list[int]]) -> Watched:
        """What all active watchers are for."""
        result = Watched()
        for role in ("watcher", "ffi-watcher"):
            for address in found.get(role, ()):
                try:
                    with foreign_data():
                        self._memory.spent.objects(1)
                        one = (
                            self._of_ffi(address) if role != "watcher" else self._of_libev(address)
                        )
                        if one is not None:
                            self._add(result, one)
                except DamagedDataError:
                    continue
        return result

    def _kind(self, address: int) -> str:
        return self._objects.type_name(address).rpartition(".")[2].rstrip("_")

    def _of_libev(self, address: int) -> _Watcher | None:
        data = self._memory.u64(address + _W_DATA)
        if data != address + _W_EV or not self._memory.i32(data):
            return None  # it is not active
        kind = self._kind(address)
        number: float | None = None
        if kind == "io":
            number = self._memory.i32(data + _EV_FD)
        elif kind == "timer":
            (number,) = struct.unpack("<d", self._memory.read(data + _EV_AT, 8))
        callback, arguments = self._memory.words(address + _W_CALLBACK, 2)
        return _Watcher(kind, self._memory.u64(address + _W_LOOP), callback, arguments, number)

    def _of_ffi(self, address: int) -> _Watcher | None:
        """A watcher of the loops that are written in Python over libev or libuv."""
        fields = self._members.all(address)
        callback = fields.get("_callback", 0)
        if self._objects.kind(callback) in (None, "NoneType"):
            return None
        arguments = fields.get("args", 0) or fields.get("_args", 0)
        return _Watcher(self._kind(address), fields.get("loop", 0), callback, arguments)

    def _add(self, result: Watched, one: _Watcher) -> None:
        """The greenlet that a timeout is for is among the arguments of its timer."""
        counts = result.counts.setdefault(one.loop, {})
        counts[one.kind] = counts.get(one.kind, 0) + 1
        callbacks: Iterable[int] = (one.callback, *self._members.sequence(one.arguments))
        for greenlet in {self._woken.by(callback) for callback in callbacks} - {0}:
            if one.kind == "timer":
                known = result.timed.get(greenlet, float("inf"))
                result.timed[greenlet] = min(one.number or 0.0, known)
            else:
                watches = one.kind == "io" and one.number is not None
                descriptor = int(one.number or 0) if watches else None
                awaited = Awaited(_words(one), descriptor=descriptor)
                result.waits.setdefault(greenlet, []).append(awaited)


def _words(one: _Watcher) -> str:
    match one.kind:
        case "io":
            return "a file descriptor" if one.number is None else f"file descriptor {one.number:g}"
        case "child":
            return "the end of a child process"
        case "signal":
            return "a signal"
    return "an event of its loop"
