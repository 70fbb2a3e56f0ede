"""Which tasks of two looks are the same though asyncio has not numbered them, as those that anyio
runs: they run a function nested in one that other tasks have not come out of since."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hangtui.model import NodeId, PythonFrame

Wait = tuple[str, tuple[PythonFrame, ...], frozenset[NodeId]]
"""A task's name, its stack, innermost first, and what it waits for."""

_NESTED = ".<locals>."
_OUTERMOST = 2
"""Calls: anyio runs what it is given in ``TaskHandle._run_coro`` (4.16, _core/_tasks.py)."""


class _Function(NamedTuple):
    """By its ``co_qualname``, which says what it is nested in from CPython 3.11 on."""

    filename: str
    name: str


def made_anew_by_nobody(
    before: Mapping[NodeId, Wait], after: Mapping[NodeId, Wait], known: set[NodeId]
) -> set[NodeId]:
    """Those of the tasks of both looks, in the same wait each, that are not *known* to be the same,
    and could have been made only by tasks that are the same, and in the same wait, in both.

    A new task may have the place in memory, and the name, of one that has ended; but a function
    nested in another one is made, as a rule, by who runs that: if all of them stand where they
    stood, and none of them has made several, none has made another one since.
    """
    nested = {
        task: made_in
        for task, wait in after.items()
        if task not in known and before.get(task) == wait and (made_in := _made_in(wait))
    }
    makers: dict[_Function, set[NodeId]] = {one: set() for one in nested.values()}
    made: dict[_Function, list[set[NodeId]]] = {one: [] for one in makers}
    for look in (before, after) if nested else ():
        for those in made.values():
            those.append(set())
        for task, wait in look.items():
            if (made_in := _made_in(wait)) in made:
                made[made_in][-1].add(task)
            for function in _running(wait):
                if function in makers:
                    makers[function].add(task)
    alone = {
        one
        for one, those in makers.items()
        if those and all(len(tasks) <= len(those) for tasks in made[one])
    }
    same = {task for task, made_in in nested.items() if made_in in alone}
    while moved := {task for task in same if not makers[nested[task]] <= known | same}:
        same -= moved
    return same


def _made_in(wait: Wait) -> _Function | None:
    """The function that its outermost one is nested in, or the one that this was handed to run."""
    _, stack, targets = wait
    for frame in reversed(stack[-_OUTERMOST:] if targets else ()):
        if name := frame.function.rpartition(_NESTED)[0]:
            return _Function(frame.filename, name)
    return None


def _running(wait: Wait) -> Iterator[_Function]:
    _, stack, _ = wait
    return (_Function(frame.filename, frame.function) for frame in stack)
