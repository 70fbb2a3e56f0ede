"""Threads and tasks that wait in an object of a package, below a loop of the same object that takes
what comes and has called the application for it: an answer may lie behind the message in hand."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from hangtui.backends.cpython.application import before_application, of_application
from hangtui.backends.cpython.every_stack import every_stack
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import Dispatched, NodeId, clean

_OWN = "self"


def add_dispatched(
    pid: int, python: PythonReader, suspended: Mapping[NodeId, tuple[Frame, ...]], facts: Facts
) -> None:
    """Add them. *suspended*: the frames of tasks and greenlets that do not run, innermost first.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    stacks = every_stack(pid, python, suspended)
    for node, frames in stacks.items():
        with suppress(DamagedDataError, MemoryReadError), foreign_data():
            for owner, loop, called in _dispatches(frames, python):
                others = (its for other, its in stacks.items() if other != node)
                alone = not any(_takes(owner, its, python) for its in others)
                package = loop.code.filename.rpartition("-packages/")[2].partition("/")[0]
                facts.dispatched.append(
                    Dispatched(node, clean(package, 80), _place(called), _place(loop), alone)
                )
                break


def _dispatches(
    frames: Sequence[Frame], python: PythonReader
) -> Iterator[tuple[int, Frame, Frame]]:
    """The object, the frame of its loop, and what that has called of the application."""
    inside = before_application(frames)
    owners = _objects(inside, python)
    called = None
    for frame in frames[len(inside) :] if owners else ():
        if of_application(frame):
            called = frame
        elif called and frame.installed and python.message_loops.has_taken(frame):
            own = python.frames.variables(frame).get(_OWN, 0)
            if own in owners:
                yield own, frame, called


def _takes(owner: int, frames: Sequence[Frame], python: PythonReader) -> bool:
    """Whether others take what comes for the same object, or wait for it."""
    return any(
        owner in _objects([one], python) and python.message_loops.takes_there(one) for one in frames
    )


def _objects(frames: Sequence[Frame], python: PythonReader) -> set[int]:
    """What the methods of installed packages among *frames* are called on."""
    own = (python.frames.variables(one).get(_OWN, 0) for one in frames if one.installed)
    return {one for one in own if one}


def _place(frame: Frame) -> str:
    """``client.py:412 (Client.handle_forever)``."""
    name = f"{frame.code.file}:{frame.line or '?'} ({frame.code.function})"
    return clean(name, 160)
