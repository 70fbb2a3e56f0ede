"""Whose tasks of an event loop the application is in: itself, or by others that wait for them."""

from collections.abc import Iterable, Mapping, Sequence

from hangtui.analysis.places import line_and_function, package_of
from hangtui.findings.english import listed
from hangtui.findings.package_queries import package_entry
from hangtui.findings.pools import position
from hangtui.findings.stack_queries import below_application
from hangtui.findings.words import Words
from hangtui.model import NodeId, Task

_MOST_STEPS = 20
_MOST_GROUPS = 2
"""Lines that are told."""


def waiting_behind(task: Task, words: Words) -> list[Task]:
    """The nearest tasks below a line of the application that wait, in the end, for *task*."""
    found: dict[NodeId, Task] = {}
    seen, level = {task.id}, [task.id]
    for _ in range(_MOST_STEPS):
        waiting = [edge.source for node in level for edge in words.graph.waiters_of(node)]
        level = [node for node in dict.fromkeys(waiting) if node not in seen]
        seen.update(level)
        tasks = [one for one in map(words.actor, level) if isinstance(one, Task)]
        found |= {one.id: one for one in tasks if below_application(one)}
        if found or not level:
            break
    return list(found.values())


def of_application(tasks: Sequence[Task], words: Words) -> list[Task]:
    """Those of *tasks* that are below a line of the application; of the others, who is and waits
    for them. All, if nobody is: what a library runs for itself tells little."""
    behind = {task.id: waiting_behind(task, words) for task in tasks if not below_application(task)}
    found = [one for task in tasks for one in behind.get(task.id, [task])]
    return list({one.id: one for one in found}.values()) or list(tasks)


def told_behind(tasks: Iterable[Task], words: Words) -> str:
    """``, for which 2 tasks pack_folder wait at main.py:16 (pack_folder), in aiojobs (_job.py:100
    (Job.wait))``, of tasks that stand alike; empty: they are below a line of the application, or
    nobody is that waits."""
    groups: dict[tuple[str, str], dict[NodeId, Task]] = {}
    for task in tasks:
        for one in [] if below_application(task) else waiting_behind(task, words):
            alike = groups.setdefault((one.function or one.id, position(one)), {})
            alike[one.id] = one
    told = [_waits(group, where, words) for (_, where), group in groups.items()]
    return f", for which {listed(told[:_MOST_GROUPS])}" if told else ""


def _waits(group: Mapping[NodeId, Task], where: str, words: Words) -> str:
    one = next(iter(group.values()))
    entry = package_entry(one)
    inside = f", in {package_of(entry)} ({line_and_function(entry)})" if entry else ""
    if len(group) == 1:
        return f"{words.actor_name(one)} waits at {where}{inside}"
    return f"{len(group)} {one.kind.value}s {one.function or one.name} wait at {where}{inside}"
