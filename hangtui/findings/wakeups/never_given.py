"""What shows of the tasks of a loop why what they wait for is not given to them: coroutines that
nobody has begun, and other ends of channels that nobody but they themselves could close."""

from collections.abc import Iterable, Iterator
from itertools import islice

from hangtui.analysis.places import program_frame, short_path
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import joined
from hangtui.findings.stack_queries import at
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Resource, Task, Unbegun

_CHANNELS = ("trio", "anyio.streams.memory")
"""Modules of the types of channels that have ends."""


def unbegun(tasks: Iterable[Task], words: Words) -> list[Unbegun]:
    """Coroutines that would end their waits, and that nobody has begun; generators that nobody goes
    on with."""
    targets = [wait.target for task in tasks for wait in words.graph.waits_of(task.id)]
    known = (words.resource(target) for target in dict.fromkeys(targets))
    found = dict.fromkeys(resource.unbegun for resource in known if resource)
    return [one for one in found if one is not None][:NAMES_LISTED]


def kept(tasks: Iterable[Task], words: Words) -> Iterator[tuple[Task, Edge, str]]:
    """The tasks that wait at a channel of whose other ends only they themselves have open ones, and
    which these are."""
    if not any(one.kept for one in words.capture.resources):
        return
    for task in tasks:
        for wait in words.graph.waits_of(task.id):
            resource = words.resource(wait.target)
            if resource is not None and resource.kept:
                yield task, wait, joined(resource.kept[:NAMES_LISTED])


def told_kept(tasks: Iterable[Task], words: Words) -> Iterator[str]:
    """A sentence of each, with a space before it."""
    for task, wait, ends in islice(kept(tasks, words), NAMES_LISTED):
        what = "sending" if words.operation(wait) == "get" else "receiving"
        yield (
            f" Of the {what} ends of {words.name(wait.target)} only what {words.actor_name(task)} "
            f"has itself is still open: {ends}. It would have to close that."
        )


def open_elsewhere(tasks: Iterable[Task], words: Words) -> Iterator[tuple[Task, Edge, Task]]:
    """The tasks that wait at a channel, with another one that refers to it and waits until they
    have ended: whatever it has of the other ends, it does not come to close that before."""
    for task in tasks:
        for wait in words.graph.waits_of(task.id):
            resource = words.resource(wait.target)
            if resource is None or resource.kept or not _is_channel(resource):
                continue
            for waker in words.graph.wakers_of(wait.target):
                other = words.actor(waker.candidate)
                behind = words.graph.waits_of(waker.candidate)
                if isinstance(other, Task) and any(edge.target == task.id for edge in behind):
                    yield task, wait, other


def _is_channel(resource: Resource) -> bool:
    """Whether the last of its other ends that is closed ends a wait."""
    return resource.kind is NodeKind.QUEUE and resource.type_module in _CHANNELS


def told_open(tasks: Iterable[Task], words: Words) -> Iterator[str]:
    """A sentence of each, with a space before it."""
    for task, wait, other in islice(open_elsewhere(tasks, words), NAMES_LISTED):
        resource = words.resource(wait.target)
        note = (resource.note if resource else None) or ""
        where = at(program_frame(other.python_stack or ()))
        yield (
            f" {note[:1].upper()}{note[1:]}. {words.actor_name(other).capitalize()} refers to the "
            f"channel, and waits{where} for {words.actor_name(task)} to end: if it has that end, "
            "it would have to close it before."
        )


def told_unbegun(one: Unbegun) -> str:
    """A sentence of it, with a space before it."""
    where = f" ({short_path(one.place)})" if one.place else ""
    if one.begun:
        return (
            f" {one.function}() has code that would end it, but is a generator that is suspended"
            f"{where}: {one.kept} has it, and does not go on with it."
        )
    return (
        f" {one.function}(){where} would come to it, but has not begun: its coroutine is "
        f"{one.kept}, which nobody awaits and no task runs."
    )
