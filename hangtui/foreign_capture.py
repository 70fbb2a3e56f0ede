"""A capture from a stranger: how much it may hold, and its texts made fit to be shown.

The numbers are several times what the largest honest captures hold: 2,000 threads with 55 frames
each are 13 MB, 110,000 frames. They keep what is concluded and shown of any capture within
a minute, and within 1 GiB of memory.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any, Final

from hangtui import model
from hangtui.model import (
    Capture,
    Child,
    Collective,
    CouldWake,
    Crash,
    EventLoop,
    FrameMark,
    Gap,
    GpuUse,
    Growth,
    Handover,
    Hold,
    HostPid,
    InputError,
    Instruction,
    NativeFrame,
    Network,
    NodeId,
    Notice,
    Process,
    Progress,
    PythonFrame,
    Region,
    Register,
    Resource,
    Task,
    TcpEnd,
    Thread,
    Visit,
    Wait,
    clean,
)

MAX_BYTES: Final = 128 * 2**20
"""The most that a file may hold after decompression."""
MAX_OBJECTS: Final = 1_500_000
"""How many JSON objects; counted before they are made."""
MAX_VALUES: Final = 8_000_000
"""How many values in objects and lists; counted in the same way."""

_MOST: dict[type, tuple[int, str]] = {
    Process: (2_000, "processes"),
    Thread: (20_000, "threads"),
    PythonFrame: (250_000, "Python frames"),
    NativeFrame: (250_000, "native frames"),
    FrameMark: (500_000, "marks of native frames"),
    Resource: (50_000, "resources"),
    Wait: (50_000, "waits"),
    Hold: (50_000, "holds"),
    CouldWake: (100_000, "possible ends of waits"),
    Task: (20_000, "tasks"),
    Collective: (700_000, "collective operations"),
    TcpEnd: (50_000, "ends of connections"),
    Network: (5_000, "network namespaces"),
    EventLoop: (1_000, "event loops"),
    Child: (50_000, "child processes"),
    GpuUse: (10_000, "uses of GPUs"),
    Gap: (50_000, "things that were not read"),
    Notice: (10_000, "notices"),
    Progress: (20_000, "threads with a history"),
    Visit: (100_000, "places"),
    Handover: (50_000, "locks that changed hands"),
    Growth: (2_000, "processes that grew"),
    Crash: (1, "crashes"),
    Region: (5_000, "mappings"),
    Register: (1_000, "registers"),
    Instruction: (5_000, "lines of disassembly"),
}
_UNREADABLE = "not a readable capture"
_PAIRS = 1_000_000
"""How many pairs of one who waits and one who holds what that one waits for: 1,000 processes that
all have both ends of one pipe."""
_TEXTS = 500_000
"""How many texts that stand in a list by themselves: arguments, functions, signals."""
_INTEGERS = range(-(2**63), 2**64)
_CLASSES = frozenset(
    one for one in vars(model).values() if isinstance(one, type) and dataclasses.is_dataclass(one)
)
_IDS = range(-(2**31), 2**31)
_ID_NAMES = frozenset(
    "pid tid ppid ns_pid ns_tid tracer_pid sender_pid loop_tid forked_from signal".split()
)
_YEARS = range(1970, 9999)
_FLOAT = 1e18
"""The largest amount of anything: nanoseconds of 30 years."""


def require_few(data: bytes | bytearray) -> None:
    """Refuse JSON that has too many values, before any of them is made.

    Brackets and commas within texts count as well: honest ones have few.

    Raises:
        InputError: it has.
    """
    if data.count(b"{") > MAX_OBJECTS or data.count(b",") > MAX_VALUES:
        raise InputError("it holds more values than any capture")


def fit(capture: Capture) -> Capture:
    """*capture* with all of its texts cleaned.

    Raises:
        InputError: it holds too much of something, or a number that cannot be.
    """
    return _Fitting().capture(capture)


class _Fitting:
    """One walk over a capture."""

    def __init__(self) -> None:
        self._counts: Counter[type] = Counter()
        self._known: dict[str, str] = {}
        """Texts as they were and as they are shown: the same ones stand in thousands of frames."""
        self._frames: dict[type, dict[tuple[Any, ...], Any]] = {PythonFrame: {}, NativeFrame: {}}
        """Frames by what is in them, and as they are shown, None: as they are; threads that do the
        same have the same ones."""

    def capture(self, capture: Capture) -> Capture:
        """All of it."""
        _require_time(capture.taken_at)
        _require_few_pairs(capture)
        fitted = self._object(capture)
        assert isinstance(fitted, Capture)
        return fitted

    def _object(self, value: Any) -> Any:
        whole: Any = type(value)
        names, values = _fields(whole)
        changed = {}
        for name, old in zip(names, values(value), strict=True):
            kind = type(old)
            if kind is str:
                new: Any = self._text(old)
            elif kind is NodeId:
                _require_valid(old, name)
                continue
            elif kind is tuple:
                new = self._items(old, name)
            elif kind is int or kind is float:
                _require_possible(old, name)
                continue
            elif kind in _CLASSES:
                new = self._object(old)
            else:
                continue
            if new is not old:
                changed[name] = new
        return dataclasses.replace(value, **changed) if changed else value

    def _items(self, items: tuple[Any, ...], name: str) -> tuple[Any, ...]:
        if not items:
            return items
        kind = next((type(item) for item in items if item is not None), str)
        self._count(kind, len(items))
        if kind is NodeId:
            for item in items:
                _require_valid(item, name)
            return items
        if kind in (int, HostPid):  # all that stand in lists are PIDs
            for item in items:
                _require_possible(item, "pid")
            return items
        if kind in self._frames:
            return self._stack(items, kind)
        fit: Callable[[Any], Any] = self._object if kind in _CLASSES else self._text
        fit = self._amount if kind is tuple else fit
        fitted = tuple([None if item is None else fit(item) for item in items])
        same = all(one is other for one, other in zip(items, fitted, strict=True))
        return items if same else fitted

    def _stack(self, frames: tuple[Any, ...], kind: Any) -> tuple[Any, ...]:
        """A stack; most of them need no change, and hundreds of thousands of frames are few."""
        known, content_of = self._frames[kind], _fields(kind)[1]
        changed = False
        for frame in frames:
            content = content_of(frame)
            if content not in known:
                fitted = self._object(frame)
                known[content] = None if fitted is frame else fitted
            changed = changed or known[content] is not None
        return tuple([known[content_of(one)] or one for one in frames]) if changed else frames

    def _amount(self, told: tuple[str, int]) -> tuple[str, int]:
        """How many of something there are."""
        what, many = told
        _require_possible(many, "amount")
        fitted = self._text(what)
        return told if fitted is what else (fitted, many)

    def _text(self, text: str) -> str:
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = clean(text)
        return text if found == text else found

    def _count(self, kind: type, number: int) -> None:
        self._counts[kind] += number
        most, name = _MOST.get(kind, (_TEXTS, "texts"))
        if self._counts[kind] > most:
            raise InputError(f"it holds more than {most:,} {name}")


def _require_valid(node: NodeId, name: str) -> None:
    if not node.valid:
        raise InputError(f"{_UNREADABLE}: no node can have that name ({name})")


def _require_possible(value: float, name: str) -> None:
    if type(value) is int:
        possible = value in (_IDS if name in _ID_NAMES else _INTEGERS)
    else:
        possible = -_FLOAT <= value <= _FLOAT
    if not possible:
        raise InputError(f"{_UNREADABLE}: a number out of range ({name})")


@cache
def _fields(kind: Any) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """The names of a class's fields, and what gets all of their values."""
    names = tuple(field.name for field in dataclasses.fields(kind))
    if len(names) == 1:
        return names, lambda value: (getattr(value, names[0]),)
    return names, attrgetter(*names)


def _require_few_pairs(capture: Capture) -> None:
    holders = Counter(hold.resource for hold in capture.holds)
    if sum(holders[wait.target] for wait in capture.waits) > _PAIRS:
        raise InputError(f"it holds more than {_PAIRS:,} pairs of waits and holds")


def _require_time(text: str) -> None:
    """Some times cannot be shown in another time zone."""
    try:
        year = datetime.fromisoformat(text).year
    except ValueError:
        return  # it is shown as it is
    if year not in _YEARS:
        raise InputError(f"{_UNREADABLE}: taken in the year {year}")
