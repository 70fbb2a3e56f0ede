"""Which method of an extension's object a thread is inside of.

Functions that are written in C leave no Python frame; where a thread runs, as one that waits by
asking again and again does, its native stack is not read without a stop either. But the bytecode
of its innermost Python frame tells the name of what it called, and the object whose method that is
lies on the frame's value stack until the call returns. Of objects of one type that differ in what
they are for, an attribute may say that.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from hangtui.backends.cpython.bytecode import Bytecode
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.mentions import Mentions
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import clean

_MOST_SORT = 20
"""Characters of what an object says that it is for."""


class ExtensionCalls:
    """Reads the frames of one interpreter."""

    def __init__(self, objects: Objects, frames: Frames) -> None:
        self._objects = objects
        self._frames = frames
        spent = objects.memory.spent
        self._bytecode = Bytecode(objects.layout.version, spent)
        self._mentions = Mentions(self._bytecode, spent)

    def of(self, frames: Sequence[Frame]) -> str | None:
        """``mpi4py.MPI.Intracomm.allreduce``: what the innermost of *frames* has called and what
        has not returned, if that is known of a library; None: nothing of that kind. Never raises.
        """
        if not frames or _wanted().keys().isdisjoint(frames[0].code.names):
            return None
        failures = (BudgetSpentError, DamagedDataError, MemoryReadError)
        with suppress(*failures), self._objects.memory.spent.clock(), foreign_data():
            return self._called(frames[0])
        return None

    def _called(self, frame: Frame) -> str | None:
        wanted = _wanted()
        starts = (one.start for one in self._bytecode.instructions(frame.code))
        here = max((start for start in starts if start <= frame.instruction), default=0)
        for one in self._mentions.of(frame.code):
            if one.name in wanted and one.start < here == one.called < one.until:
                owner = self._owner(frame, wanted[one.name])
                return f"{owner}.{one.name}" if owner else None
        return None

    def _owner(self, frame: Frame, types: Mapping[str, str]) -> str | None:
        """The type, with its module, of an object on the frame's stack that is of one of these."""
        for slot in self._frames.stack_slots(frame):
            if slot and (found := types.get(self._objects.kind(slot) or "")):
                return self._with_sort(slot, found)
        return None

    def _with_sort(self, owner: int, whole: str) -> str | None:
        """``zmq.Socket(PULL)``; None: it does not say what it is for, and so is another one's."""
        attribute = _sorts().get(whole)
        if attribute is None:
            return whole
        sort = self._objects.attributes(owner).get(attribute, 0)
        if not sort or self._objects.kind(sort) != "str":
            return None
        return f"{whole}({clean(self._objects.text(sort), _MOST_SORT)})"


@cache
def _wanted() -> Mapping[str, Mapping[str, str]]:
    """By the name of a method: the types that have it, by how the interpreter calls them, each with
    its module."""
    found: dict[str, dict[str, str]] = {}
    for library in _libraries():
        whole = {kind: f"{library['module']}.{kind}" for kind in library["types"]}
        types = whole | {name: name for name in whole.values()}
        for method in library["methods"]:
            found.setdefault(method, {}).update(types)
    return found


@cache
def _sorts() -> Mapping[str, str]:
    """By a type with its module: the attribute that says what such an object is for."""
    known = ((one, one.get("sort")) for one in _libraries())
    return {f"{one['module']}.{kind}": sort for one, sort in known if sort for kind in one["types"]}


@cache
def _libraries() -> tuple[Mapping[str, Any], ...]:
    path = Path(__file__).with_name("extension_calls.json")
    return tuple(json.loads(path.read_text()).values())
