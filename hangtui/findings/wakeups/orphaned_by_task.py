"""A lock whose owner is a greenlet or a task that has ended: others wait for it."""

from collections.abc import Iterator

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.english import joined
from hangtui.findings.pools import position
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words, ref
from hangtui.model import Capture, Certainty, Finding, NodeKind, Resource, Severity, Task


def orphaned_by_tasks(identifier: str, capture: Capture, words: Words) -> Iterator[Finding]:
    """One finding, with this id, for each such lock."""
    for resource in capture.resources:
        waits = list(_waits(resource, words)) if resource.orphaned else []
        if waits:
            yield _finding(identifier, resource, waits, words)


def _waits(resource: Resource, words: Words) -> Iterator[tuple[Task, Edge]]:
    for edge in words.graph.waiters_of(resource.id):
        task = words.actor(edge.source)
        if isinstance(task, Task) and edge.stable and not edge.expires:
            yield task, edge


def _finding(
    identifier: str, resource: Resource, waits: list[tuple[Task, Edge]], words: Words
) -> Finding:
    (task, wait), tasks = waits[0], [one for one, _ in waits]
    lock, who = words.name(resource.id), words.actor_name(task)
    where = f" at {position(task)}" if position(task) else ""
    others = [words.actor_name(one) for one in tasks[1 : NAMES_LISTED + 1]]
    too = f", as {joined(others)} {'does' if len(others) == 1 else 'do'}" if others else ""
    return Finding(
        id=identifier,
        severity=Severity.ERROR,
        certainty=as_sure_as(Certainty.CERTAIN, wait),
        title=f"Orphaned lock: {who} waits for {lock}, whose owner has ended",
        sentence=(
            f"{who} waits{where} for {resource.label}{too}. {_owner(resource)} without releasing "
            "it, and nobody else may do so."
        ),
        threads=tuple(ref(thread) for thread in words.carriers(tasks)),
        tasks=tuple(one.id for one in tasks),
        subject=resource.id,
        resources=(resource.id,),
        evidence=(
            *(words.reading(edge) for _, edge in waits[:NAMES_LISTED]),
            *((resource.note,) if resource.note else ()),
        ),
        unknown=("where that one took it: of what has ended, no frame is left",),
        advice=(_advice(task, lock),),
    )


def _owner(resource: Resource) -> str:
    note = resource.note or "it records its owner, which has ended"
    return note[0].upper() + note[1:]


def _advice(task: Task, lock: str) -> str:
    if task.kind is NodeKind.GREENLET:
        return f"Take {lock} with `with`, so that an exception, a return or kill() releases it."
    return (
        f"Let the task that takes {lock} leave its `async with` itself: a generator inside of it "
        "that another task closes, or nobody, releases nothing."
    )
