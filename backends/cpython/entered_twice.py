"""Threads and tasks that wait to enter a package's context manager which they, or others, have
entered already, or another one of its class that goes by the same name: a lock in a database."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.every_stack import every_stack
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import EnteredTwice, NodeId, clean

_ENTERS = frozenset({"__enter__", "__aenter__", "acquire"})
_NAMES = (
    *("name", "key", "path", "resource", "lock_name", "lock_key", "lock_file", "lockfile"),
    *("_name", "_key", "_path", "_lockfile", "_lock_file"),
)
"""Attributes by which a lock that lies elsewhere is known there."""
_MOST_ENTERING = 50


def add_entered_twice(
    pid: int, python: PythonReader, suspended: Mapping[NodeId, tuple[Frame, ...]], facts: Facts
) -> None:
    """Add them. *suspended*: the frames of tasks and greenlets that do not run, innermost first.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    stacks = every_stack(pid, python, suspended)
    entering: dict[NodeId, tuple[int, int]] = {}
    for node, frames in stacks.items():
        with suppress(DamagedDataError, MemoryReadError), foreign_data():
            if inner := _entering(frames, python):
                entering[node] = inner
    managers: dict[NodeId, list[_Manager]] = {}
    for node, frames in stacks.items() if entering else ():
        with suppress(DamagedDataError, MemoryReadError), foreign_data():
            managers[node] = list(_managers(frames, python))
    for node, (index, address) in islice(entering.items(), _MOST_ENTERING):
        with suppress(DamagedDataError, MemoryReadError), foreign_data():
            own = [one for one in managers.get(node, ()) if one.depth > index]
            found = next(_entered(address, own, python), None)
            by = (
                None if found else next(_by_others(node, address, managers, entering, python), None)
            )
            if known := found or (by[1] if by else None):
                entered = EnteredTwice(node, *known, by=by[0] if by else None)
                facts.entered_twice.append(entered)


class _Manager(NamedTuple):
    """What a frame of the application has entered."""

    depth: int
    """Of the frame, the innermost being 0."""
    address: int
    place: str
    """``main.py:24 (Pantry.take)``."""


def _managers(frames: Sequence[Frame], python: PythonReader) -> Iterator[_Manager]:
    for index, frame in enumerate(frames):
        for block in python.blocks.of(frame) if of_application(frame) else ():
            if block.manager:
                line = block.line or frame.line or "?"
                place = f"{frame.code.filename.rpartition('/')[2]}:{line} ({frame.code.function})"
                yield _Manager(index, block.manager, clean(place, 160))


def _by_others(
    node: NodeId,
    address: int,
    managers: Mapping[NodeId, Sequence[_Manager]],
    entering: Mapping[NodeId, tuple[int, int]],
    python: PythonReader,
) -> Iterator[tuple[NodeId, tuple[str, str, bool]]]:
    """Who else has entered what `_entered` tells of, rather than waits to."""
    for other, those in managers.items():
        index, waits_for = entering.get(other, (-1, 0))
        had = [one for one in those if one.depth > index and one.address != waits_for]
        for found in _entered(address, had, python) if other != node else ():
            yield other, found


def _entered(
    address: int, managers: Sequence[_Manager], python: PythonReader
) -> Iterator[tuple[str, str, bool]]:
    """The class of the manager at *address*, where the like of it was entered, and whether that is
    the same object."""
    objects = python.objects
    kind, own = objects.type_of(address), objects.attributes(address) if managers else {}
    name = clean((objects.kind(address) or "manager").rpartition(".")[2], 80)
    for one in managers:
        if objects.type_of(one.address) != kind:
            continue
        same = one.address == address
        if same or _alike(own, objects.attributes(one.address), python):
            yield name, one.place, same


def _entering(frames: Sequence[Frame], python: PythonReader) -> tuple[int, int] | None:
    """The outermost frame of a package that enters something, below those of the application, and
    what that is."""
    found = None
    for index, frame in enumerate(frames):
        if of_application(frame):
            break
        if frame.installed and frame.code.bare_name in _ENTERS:
            address = python.frames.variables(frame).get("self", 0)
            found = (index, address) if address else found
    return found


def _alike(one: Mapping[str, int], other: Mapping[str, int], python: PythonReader) -> bool:
    """Whether both go by the same names, of which there is one."""
    named = [name for name in _NAMES if name in one]
    return bool(named) and all(
        name in other and _text(one[name], python) == _text(other[name], python) is not None
        for name in named
    )


def _text(value: int, python: PythonReader) -> str | None:
    return python.objects.text(value) if python.objects.kind(value) == "str" else None
