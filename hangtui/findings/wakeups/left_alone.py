"""What a task waits for to which nothing leads but variables of those that wait: nobody can
set it, put into it or notify it, whatever else goes on."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.lookers import lasted_s
from hangtui.findings.pools import position
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.wakeups.nobody_left_advice import act
from hangtui.findings.words import Words, ref
from hangtui.findings.written import nobody_comes, told_written
from hangtui.model import Certainty, Finding, NodeKind, Resource, Severity, Task

_ITS_OWN = frozenset(
    {NodeKind.EVENT, NodeKind.FUTURE, NodeKind.QUEUE, NodeKind.SEMAPHORE, NodeKind.CONDITION}
)
_MOST_BEHIND = 100
"""Tasks that wait for each other's end."""
Waits = Sequence[tuple[Task, Edge]]


def is_lost(resource: Resource, waits: Waits, words: Words) -> bool:
    """Whether nobody but those that wait has it; *waits*: for it, of tasks that stand still. Who
    waits in no loop, or in one that does nothing else, may be there to stay."""
    if not resource.unshared or resource.kind not in _ITS_OWN:
        return False
    if any(task.cancels for task, _ in waits):
        return False  # it is to end, and that it does not is told
    waiters = {task.id for task, _ in waits}
    others = {one.candidate for one in words.graph.wakers_of(resource.id)} - waiters
    return not others and all(
        _goes_on(task, words) and nobody_comes(wait, words) and lasted_s(task, words) >= STILL_S
        for task, wait in waits
    )


def _goes_on(task: Task, words: Words) -> bool:
    """Whether its wait is one step of many, or somebody waits for its end as one step of many."""
    seen, ahead = {task.id}, [task]
    while ahead and len(seen) < _MOST_BEHIND:
        one = ahead.pop()
        if one.is_part:
            return True
        for edge in words.graph.waiters_of(one.id):
            behind = words.actor(edge.source)
            if isinstance(behind, Task) and behind.id not in seen:
                seen.add(behind.id)
                ahead.append(behind)
    return False


def told_lost(resource: Resource, waits: Waits, words: Words) -> Finding:
    """What is told of that."""
    tasks = [task for task, _ in waits]
    first, wait = waits[0]
    name, does = words.name(resource.id), act(wait, words)
    called = name if resource.name else "it"
    lasted = max(lasted_s(task, words) for task in tasks)
    waiting = f"{words.actor_name(first)} {words.waiting(wait)}"
    return Finding(
        id="left-behind",
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=f"{waiting}: nobody else has that any more who could {does} it{_of(resource)}",
        sentence=(
            f"{waiting}, without a timeout. Nothing leads to {called} any more but variables of "
            f"who waits for it: no other task or thread, no attribute, list, callback or timer. So "
            f"nobody can {does} it, whatever else goes on.{told_written(resource, first, words)}"
        ),
        threads=tuple(ref(thread) for thread in words.carriers(tasks)),
        tasks=tuple(task.id for task in tasks),
        subject=first.id,
        resources=(resource.id,),
        owed=True,
        evidence=(
            *(words.reading(edge) for _, edge in waits[:NAMES_LISTED]),
            f"all that refers to {called} are variables{_at(first)}",
            f"it stood still for {lasted:.0f} s or more",
        ),
        unknown=("who was to do that: nothing records it",),
        advice=(
            (
                "Look for who was given it: a task that nothing refers to is collected as garbage "
                "(keep what create_task() returns); what was taken out of a dictionary, or "
                "replaced by another one, is not set any more."
            ),
        ),
    )


def _of(resource: Resource) -> str:
    """``; Office.deliver (office.py:9) would``, by what its code says."""
    known = resource.enders or resource.alike
    return f"; by its name {known[0]} would" if known else ""


def _at(task: Task) -> str:
    where = position(task)
    return f" at {where}" if where else ""
