"""Threads and tasks that wait to enter a package's context manager which they have entered
already, or another one of its class that goes by the same name: a lock in a database, say."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice

from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import EnteredTwice, NodeId, clean, thread_id

_ENTERS = frozenset({"__enter__", "__aenter__", "acquire"})
_NAMES = ("name", "key", "path", "resource", "lock_name", "lock_key", "lock_file")
"""Attributes by which a lock that lies elsewhere is known there."""
_MOST_STACKS, _MOST_FRAMES = 200, 60


def add_entered_twice(
    pid: int, python: PythonReader, suspended: Mapping[NodeId, tuple[Frame, ...]], facts: Facts
) -> None:
    """Add them. *suspended*: the frames of tasks and greenlets that do not run, innermost first.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    threads = ((thread_id(pid, tid), frames) for tid, frames in python.stacks.items())
    for node, frames in islice(chain(threads, suspended.items()), _MOST_STACKS):
        with suppress(DamagedDataError, MemoryReadError), foreign_data():
            for manager, frame, line, same in _twice(frames[:_MOST_FRAMES], python):
                place = f"{frame.code.filename.rpartition('/')[2]}:{line or frame.line or '?'}"
                entered = clean(f"{place} ({frame.code.function})", 160)
                facts.entered_twice.append(EnteredTwice(node, clean(manager, 80), entered, same))
                break


def _twice(
    frames: Sequence[Frame], python: PythonReader
) -> Iterator[tuple[str, Frame, int | None, bool]]:
    """The class of what is entered, the frame of the application that has entered the like, where,
    and whether that is the same object."""
    objects = python.objects
    inner = _entering(frames, python)
    if inner is None:
        return
    index, address = inner
    kind, own = objects.type_of(address), objects.attributes(address)
    for frame in frames[index + 1 :]:
        for block in python.blocks.of(frame) if of_application(frame) else ():
            if block.manager and objects.type_of(block.manager) == kind:
                same = block.manager == address
                if same or _alike(own, objects.attributes(block.manager), python):
                    name = (objects.kind(address) or "manager").rpartition(".")[2]
                    yield name, frame, block.line, same


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
