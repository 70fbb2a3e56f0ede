"""What shows of the tasks of a loop why what they wait for is not given to them: coroutines that
nobody has begun, and other ends of channels that nobody but they themselves could close."""

from collections.abc import Iterable, Iterator
from itertools import islice

from hangtui.analysis.places import short_path
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import joined
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import Task, Unbegun


def unbegun(tasks: Iterable[Task], words: Words) -> list[Unbegun]:
    """Coroutines that would end their waits, and that nobody has begun."""
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


def told_unbegun(one: Unbegun) -> str:
    """A sentence of it, with a space before it."""
    where = f" ({short_path(one.place)})" if one.place else ""
    return (
        f" {one.function}(){where} would come to it, but has not begun: its coroutine is "
        f"{one.kept}, which nobody awaits and no task runs."
    )
