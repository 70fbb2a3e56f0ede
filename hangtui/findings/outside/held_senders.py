"""Tasks of other processes that wait until a process reads what they have sent, and what these have
meanwhile: where that process reads no more, who waits for what they have waits for it as well."""

from collections.abc import Iterator

from hangtui.findings.english import clauses, listed
from hangtui.findings.outside.traffic import reading_paused, unread
from hangtui.findings.pools import position
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words
from hangtui.model import Pid, Task


def told_unread(pid: Pid, words: Words, package: str | None) -> str:
    """What lies unread in a process, and who waits at the other end until that is read."""
    text = unread(pid, words.capture, package)
    return f"{text}{_told_senders(pid, words)}" if text else ""


def _told_senders(pid: Pid, words: Words) -> str:
    """`` There task serve of process 7 awaits at app.py:25 (generate) its peer ... to read what it
    has sent, and holds Model.free, for which task serve waits at app.py:23 (generate).``"""
    if not reading_paused(pid, words.capture):
        return ""
    doing = [
        f"{words.actor_name(task)} of {words.process_name(task.pid)} awaits{_at(task)} "
        f"{task.awaits}{_holding(task, words)}"
        for task in _senders(pid, words)
    ]
    if not doing:
        return ""
    return (
        f" At the other end {clauses(doing[:NAMES_LISTED], len(doing))}. If what is waited for "
        "here has to come from there first, neither goes on."
    )


def _senders(pid: Pid, words: Words) -> Iterator[Task]:
    """The tasks of other processes whose connection to *pid* takes no more."""
    for task in words.capture.tasks:
        if task.pid == pid or not task.sends or task.ends is None:
            continue
        if any(
            watched.leads_to(task.ends.remote) and pid in watched.peers
            for watched in words.capture.watched
            if (owner := words.thread(watched.thread)) and owner.pid == task.pid
        ):
            yield task


def _holding(task: Task, words: Words) -> str:
    """What a task has that others wait for, and who these are."""
    held = [hold.source for hold in words.graph.held_by(task.id)]
    told = []
    for node in held:
        waiting = [words.actor(wait.source) for wait in words.graph.waiters_of(node)]
        names = [f"{words.actor_name(one)} waits{_at(one)}" for one in waiting if one is not None]
        if names:
            told.append(f"{words.name(node)}, for which {listed(names)}")
    return f", and holds {clauses(told)}" if told else ""


def _at(actor: Actor) -> str:
    where = position(actor)
    return f" at {where}" if where else ""
