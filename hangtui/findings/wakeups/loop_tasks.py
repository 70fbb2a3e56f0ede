"""The tasks of an event loop that nothing can wake, and the threads that wait for them, in words.

Those alike are told once: ``4 tasks load_entry await ...``.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from hangtui.analysis.places import (
    application_index,
    line_and_function,
    package_of,
    place,
)
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import listed
from hangtui.findings.package_queries import package_entry
from hangtui.findings.pools import held, lent_by, pool_of, position, until_back
from hangtui.findings.stack_queries import (
    at,
    below_application,
    block_left,
    callers,
    own_frame,
)
from hangtui.findings.wakeups.beside_loop import Beside, awaited_of
from hangtui.findings.wakeups.for_whom import told_behind, waiting_behind
from hangtui.findings.wakeups.told_to_end import told_to_end
from hangtui.findings.wakeups.who_has import who_has
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind, Task, Thread

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_MOST_GROUPS = 2
"""Groups of those behind that are told."""
_MOST_TASKS = 50
"""Tasks of which it is asked who waits for them."""


class _Told(NamedTuple):
    """What a task does, without its name."""

    verb: str
    """``wait`` or ``await``."""
    what: str


def told(tasks: Iterable[Task], beside: Sequence[Beside], words: Words) -> list[str]:
    """A clause for each task, or for each group of tasks that stand and wait alike."""
    tasks = list(tasks)
    places = {id(one.python_stack): position(one) for one in one_of_each_stack(tasks)}
    groups: dict[tuple[object, ...], list[Task]] = {}
    for task in tasks:
        alike = _alike(task, places[id(task.python_stack)], words)
        groups.setdefault(alike, []).append(task)
    found = []
    for members in groups.values():
        one = members[0]
        does = _does(one, members, beside, words)
        behind = told_behind(members, words)
        if len(members) == 1:
            found.append(f"{words.actor_name(one)} {does.verb}s {does.what}{behind}")
        else:
            what = _without_address(does.what)
            found.append(f"{_several(one, len(members))} {does.verb} {what}{behind}")
    return found


def one_of_each_stack(tasks: Iterable[Task]) -> Iterable[Task]:
    """Those that tell all there is to tell of stacks: thousands of tasks share a few."""
    return {id(task.python_stack): task for task in tasks}.values()


@lru_cache(1024)
def _without_address(awaits: str) -> str:
    return _ADDRESS.sub("", awaits)


def _alike(task: Task, where_it_is: str, words: Words) -> tuple[object, ...]:
    """What tasks have in common that one clause tells of."""
    awaits = _without_address(task.awaits or "")
    wait = words.graph.wait_of(task.id)
    holds = words.graph.holders_of(wait.target) if wait else ()
    itself = any(hold.target == task.id for hold in holds)
    holders = () if itself else tuple(hold.target for hold in holds)
    where = wait.evidence.where if wait else None
    called = _called(task, wait)
    return task.kind, task.function or task.id, awaits, where, where_it_is, itself, holders, called


def names(tasks: Iterable[Task], words: Words) -> str:
    """``task main``, ``4 tasks load_entry, task main``."""
    groups: dict[tuple[str, str | None], list[Task]] = {}
    for task in tasks:
        groups.setdefault((task.kind.value, task.function), []).append(task)
    return listed(
        [
            words.actor_name(alike[0]) if len(alike) == 1 else _several(alike[0], len(alike))
            for alike in groups.values()
        ]
    )


def _several(task: Task, count: int) -> str:
    return f"{count} {task.kind.value}s {task.function or task.name}"


def threads_behind(threads: Iterable[Thread], words: Words) -> list[str]:
    """Where those stand that wait for the tasks: ``a and b wait at main.py:19 (render) for these
    tasks``, those of the application."""
    return [
        f"{words.listed(alike)} wait{'s' if len(alike) == 1 else ''}{where} for these tasks"
        for where, alike in _behind(threads, words)
    ]


def shown_behind(threads: Iterable[Thread], words: Words) -> list[Thread]:
    """Those that `threads_behind` tells of."""
    return [one for _, alike in _behind(threads, words) for one in alike]


def _behind(threads: Iterable[Thread], words: Words) -> list[tuple[str, list[Thread]]]:
    groups: dict[str, list[Thread]] = {}
    for thread in threads:
        below = below_application(thread)
        if below and words.graph.wait_of(thread.id):
            groups.setdefault(at(own_frame(thread)), []).append(thread)
    return list(groups.items())[:_MOST_GROUPS]


def goal(tasks: Iterable[Task], words: Words) -> str:
    """`` for jobs``, if all of *tasks* wait for one thing; empty for a future, whose name says no
    more than where it is awaited."""
    waits = [wait for task in tasks if (wait := words.graph.wait_of(task.id))]
    resources = [words.resource(wait.target) for wait in waits]
    named = all(one is None or one.kind is not NodeKind.FUTURE for one in resources)
    goals = {words.goal(wait) for wait in waits}
    return f" {goals.pop()}" if named and len(goals) == 1 else ""


def tasks_behind(tasks: Sequence[Task], words: Words) -> list[str]:
    """``task main waits at main.py:33 (main) for these tasks``: who waits for those of *tasks* that
    are below a line of the application, and is not one of them."""
    shown = {task.id for task in tasks}
    groups: dict[str, dict[NodeId, Task]] = {}
    for task in tasks[:_MOST_TASKS]:
        for one in waiting_behind(task, words) if below_application(task) else ():
            if one.id not in shown:
                groups.setdefault(f"{position(one)}{block_left(one)}", {})[one.id] = one
    them = "these tasks" if len(tasks) > 1 else "that task"
    return [
        f"{names(alike.values(), words)} wait{'s' if len(alike) == 1 else ''} at {where} for {them}"
        for where, alike in list(groups.items())[:_MOST_GROUPS]
    ]


def _does(task: Task, alike: Sequence[Task], beside: Sequence[Beside], words: Words) -> _Told:
    """*alike*: those of whom this one stands for all."""
    wait = words.graph.wait_of(task.id)
    pool = pool_of(wait, words) if wait else None
    only = task.id if len(alike) == 1 else None
    index = application_index(task.python_stack or ())
    alone = only is not None and index is not None
    called = callers(task, index or 0) if alone else _called(task, wait)
    if pool is not None and wait:
        joins = words.operation(wait) == "join"
        goal_ = until_back(pool) if joins else f"for {lent_by(pool)}"
        comma = "," if called else ""
        at_line = f"at {position(task)}{called}{comma}"
        return _Told("wait", f"{at_line} {goal_}{held(pool, words, only)}")
    where = place(task, wait.evidence.where if wait else None)
    awaited = awaited_of(task, beside, words)
    cancelled = told_to_end(task, words)
    if awaited is not None:
        at_place = f"at {where}{',' * (', ' in where)} " if where else ""
        return _Told("wait", f"{at_place}{awaited}{cancelled}")
    have = who_has(alike, wait, words)
    if entry := package_entry(task):
        inside = f"{package_of(entry)} ({line_and_function(entry)})"
        until = "waiting" if str(task.awaits).startswith("to be ") else "for"
        for_ = f", {until} {task.awaits}" if task.awaits else ""
        return _Told("wait", f"at {position(task)}{called}, in {inside}{for_}{have}{cancelled}")
    if not task.awaits and where:
        return _Told("wait", f"at {where}{have}{cancelled}")
    at_line = f" at {where}{called}{',' if called and have[:1] == ' ' else ''}" if where else ""
    what = f"{task.awaits}{at_line}{have}{cancelled}"
    return _Told("await", what)


def _called(task: Task, wait: Edge | None) -> str:
    """``, called from main.py:37 (reading), from main.py:57 (look_up)``, of one that waits for a
    future, or in a package: where that is awaited may be in a helper that all share."""
    index = application_index(task.python_stack or ())
    future = wait is not None and wait.target.kind is NodeKind.FUTURE
    return callers(task, index) if index is not None and (future or package_entry(task)) else ""
