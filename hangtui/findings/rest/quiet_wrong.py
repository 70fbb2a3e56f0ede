"""What shows that who stands first in a process in which nothing gets on does not merely rest."""

from collections.abc import Callable, Sequence

from hangtui.findings.backlog import knocks_at_itself
from hangtui.findings.beyond_doubt import task_no_rest
from hangtui.findings.dispatched import dispatches_itself
from hangtui.findings.joined_in_vain import joined_in_vain
from hangtui.findings.loop_wakers import left_undone
from hangtui.findings.other_end import hears_itself
from hangtui.findings.outside.package_jobs import heard_at_work
from hangtui.findings.polled import polls_in_package
from hangtui.findings.rest.asked_across import asked_across
from hangtui.findings.rest.kept_on import kept_on
from hangtui.findings.rest.left_open import left_open
from hangtui.findings.rest.out_of_reach import out_of_reach
from hangtui.findings.rest.owed import (
    asks_itself,
    ended_by_itself,
    never_heard,
    retries_for_long,
    sleeps_for_ages,
)
from hangtui.findings.rest.unarmed import never_expires
from hangtui.findings.stack_queries import way_of
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind, Task

_SHOWS: Sequence[Callable[[NodeId, Words], object]] = (
    retries_for_long,
    never_heard,
    sleeps_for_ages,
    ended_by_itself,
    asks_itself,
    left_open,
    left_undone,
    hears_itself,
    knocks_at_itself,
    dispatches_itself,
    asked_across,
    out_of_reach,
    kept_on,
    never_expires,
    joined_in_vain,
)


def waits_in_vain(first: NodeId, words: Words) -> bool:
    """Whether one of these shows so, or it looks again and again, in a package whose other threads
    and processes are not at work, for what that was asked for."""
    polls = polls_in_package(first, words) and not heard_at_work(first.pid, words)
    return bool(polls) or any(one(first, words) for one in _SHOWS)


def is_owed(first: NodeId, tasks: Sequence[Task], words: Words) -> bool:
    """Whether it is a task that waits for a lock which another one has, or one of *tasks* waits for
    room in a channel: it does not rest there."""
    puts = (
        wait.target.kind is NodeKind.QUEUE and task_no_rest(wait, way_of(wait, words), words)
        for task in tasks
        for wait in words.graph.waits_of(task.id)
        if not wait.expires
    )
    if any(puts):
        return True
    wait = words.graph.wait_of(first)
    if wait is None or wait.expires or not isinstance(words.actor(first), Task):
        return False
    return wait.target.kind is NodeKind.LOCK and bool(words.graph.holders_of(wait.target))
