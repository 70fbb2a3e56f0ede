"""What refers to things that are waited for besides variables of frames, and is part of the waits
themselves."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.trio.fields import Fields
from hangtui.backends.cpython.trio.runners import LIBRARY
from hangtui.backends.facts import Facts
from hangtui.model import NodeId, NodeKind

_INNERMOST = 12
"""Frames of one that waits in which such objects are looked for."""
_ABORTS = "_abort_func"
"""What a task of trio calls if it is cancelled: it takes the task out of what it waits for."""


def used_by_waits(
    facts: Facts,
    stacks: Mapping[NodeId, Sequence[Frame]],
    wanted: Collection[int],
    python: PythonReader,
) -> Iterator[int]:
    """The objects that waits refer to, each as often as they do: those of *wanted*, or functions
    that lead on to them."""
    for wait in facts.waits:
        address, stack = wait.target.address, stacks.get(wait.waiter)
        if address not in wanted or address is None or not stack:
            continue
        if wait.waiter.kind is NodeKind.TASK and wait.target.kind is NodeKind.FUTURE:
            # The task, and the iterator by which its coroutine awaits it (Modules/_asynciomodule.c)
            yield from (address, address)
        elif wait.waiter.kind is NodeKind.GREENLET:
            # Its frame has called a method of that in C, which waits.
            yield from (address,) if address in python.frames.stack_slots(stack[0]) else ()
    yield from _told_of_cancelling(facts, python)


def _told_of_cancelling(facts: Facts, python: PythonReader) -> Iterator[int]:
    """The functions that tasks of trio which wait would call if they were cancelled, twice each:
    the task refers to it, and so does the message that it has sent to its runner."""
    trio = {(one.pid, one.address) for one in facts.event_loops if one.library == LIBRARY}
    tasks = [one for one in facts.tasks if (one.pid, one.loop) in trio]
    if tasks:
        fields = Fields(python.objects, python.frames, Containers(python.objects, python.codes))
        for task in tasks:
            if function := fields.of(task.address, _ABORTS):
                yield from (function, function)


def owners_in_waits(
    facts: Facts,
    stacks: Mapping[NodeId, Sequence[Frame]],
    wanted: Collection[int],
    python: PythonReader,
) -> dict[int, list[int]]:
    """The instances in variables of those that wait which have what is waited for as attributes,
    and what: a call's own record, say, that has an event or a future.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    found: dict[int, list[int]] = {}
    seen = set[int]()
    for wait in facts.waits:
        if wait.target.address not in wanted or wait.waiter.kind is not NodeKind.TASK:
            continue
        for frame in list(stacks.get(wait.waiter, ()))[:_INNERMOST]:
            for value in python.frames.variables(frame).values():
                if value in seen or value in wanted:
                    continue
                seen.add(value)
                attributes = python.objects.attributes(value).values()
                if known := [one for one in attributes if one in wanted]:
                    found[value] = known
    return found
