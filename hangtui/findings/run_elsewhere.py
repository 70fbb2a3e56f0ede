"""Code that would end a wait, and which another process is inside of: that has memory of its own,
so what it does there reaches nobody here. A threading.Event that a child of a fork sets is its
copy."""

from collections.abc import Iterable

from hangtui.analysis.places import function_of, short_path
from hangtui.findings.english import joined
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeId, NodeKind, Resource, Thread

_OWN_MEMORY = frozenset(
    {
        *(NodeKind.EVENT, NodeKind.CONDITION, NodeKind.SEMAPHORE, NodeKind.BARRIER),
        *(NodeKind.QUEUE, NodeKind.FUTURE),
    }
)
"""What other processes have copies of at most, unless it lies in shared memory."""
_OF_PROCESSES = {
    NodeKind.EVENT: "Event",
    NodeKind.CONDITION: "Condition",
    NodeKind.SEMAPHORE: "Semaphore",
    NodeKind.BARRIER: "Barrier",
    NodeKind.QUEUE: "Queue",
}
"""What multiprocessing has instead."""


def inside_elsewhere(places: Iterable[str], target: NodeId, words: Words) -> dict[str, Thread]:
    """Which of *places*, ``Bakery.bake (bakery.py:13)``, that would end a wait for *target*,
    threads of other processes are inside of: one thread of each."""
    if target.kind not in _OWN_MEMORY or target.shared or target.pid is None:
        return {}
    return inside_others(places, target.pid, words)


def inside_others(places: Iterable[str], pid: int, words: Words) -> dict[str, Thread]:
    """Which of *places* threads of other processes that were looked at are inside of."""
    found = dict[str, Thread]()
    others = [one for one in words.capture.processes if one.pid != pid]
    for place in places:
        for thread in (thread for process in others for thread in process.threads):
            if is_inside(thread, place):
                found.setdefault(place, thread)
    return found


def nobody_inside(places: Iterable[str], pid: int | None, words: Words) -> bool:
    """Whether no thread and no task of a process is inside of any of *places*."""
    actors: list[Actor] = [*words.capture.threads(), *words.capture.tasks]
    return not any(is_inside(one, place) for one in actors if one.pid == pid for place in places)


def is_inside(thread: Actor, place: str) -> bool:
    """Whether a thread runs the function of ``Bakery.bake (bakery.py:13)``, or what it calls."""
    function, _, rest = place.partition(" (")
    file = rest.partition(":")[0]
    stack = thread.python_stack or ()
    return any(function_of(f) == function and short_path(f.filename) == file for f in stack)


def code_by_name(resource: Resource | None, actor: Actor) -> list[str]:
    """Where only code that goes by its name would end a wait, and *actor*, who waits, is inside of
    all of that: each of it; else none."""
    if resource is None or resource.enders or resource.called_back:
        return []
    inside = [one for one in resource.alike if is_inside(actor, one)]
    return inside if len(inside) == len(resource.alike) else []


def elsewhere(target: NodeId, words: Words) -> dict[str, Thread]:
    """The same of all code that is known to end a wait for *target*."""
    resource = words.resource(target)
    return inside_elsewhere(resource.enders, target, words) if resource else {}


def told_elsewhere(places: Iterable[str], target: NodeId, words: Words) -> str:
    """`` The program does so in Bakery.bake (bakery.py:13), which MainThread of process 12 is
    inside of: ...``; empty: no other process is."""
    found = inside_elsewhere(places, target, words)
    if not found:
        return ""
    names = joined(list(dict.fromkeys(map(words.thread_name, found.values()))))
    return (
        f" The program does so in {joined(list(found))}, which {names} is inside of: that process "
        f"has memory of its own, and in it another {words.name(target)}. What is done to that is "
        f"not seen in process {target.pid}."
    )


def sharing_advice(target: NodeId, words: Words) -> list[str]:
    """What to take instead of what each process has its own of; empty: nothing of that is seen."""
    kind = _OF_PROCESSES.get(target.kind)
    if kind is None or not elsewhere(target, words):
        return []
    name = words.name(target)
    return [
        (
            f"Make {name} a multiprocessing.{kind}() before the process is started that is to use "
            "it, and give it to that as an argument: what threading, queue and asyncio make is "
            "copied into another process, not shared with it."
        )
    ]
