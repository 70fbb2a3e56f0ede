"""What an event loop watches although nothing that comes there has anything done, and what else
there is to say of a loop that nothing can wake."""

from collections.abc import Iterable, Iterator, Sequence

from hangtui.findings.english import counted
from hangtui.findings.inert import has_no_source
from hangtui.findings.pools import lost, pool_of
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import EventLoop, NodeKind, Task


def only_buffers(loop: EventLoop, words: Words) -> bool:
    """Whether all that it watches are streams at which nobody waits, while of each task is known
    what it waits for."""
    if not loop.buffered or not has_no_source(loop, loop.buffered):
        return False
    return all(words.graph.waits_of(task.id) for task in words.tasks_of(loop))


def timer(loop: EventLoop) -> str:
    """What it has none of."""
    return "a timer that ends a wait" if loop.upkeep else "a timer"


def timers(loop: EventLoop) -> str:
    """What it has."""
    if not loop.upkeep:
        return "0 timers"
    told = "a timer" if loop.upkeep == 1 else f"{loop.upkeep} timers"
    return f"no timers but {told} by which a library looks after connections at rest"


def connection(loop: EventLoop) -> str:
    if loop.watched and loop.buffered == loop.watched:
        return "a connection at which a task waits"
    return "a connection to anybody else" if loop.watched else "a connection"


def connections(loop: EventLoop) -> str:
    if not loop.watched:
        return "0 connections"
    if loop.buffered == loop.watched:
        return f"{counted(loop.watched, 'connection')}, at which no task waits"
    ends = "both ends are" if loop.watched == 1 else "all their ends are"
    return f"{counted(loop.watched, 'connection')}, of which {ends} open in this process alone"


def dropped(loop: EventLoop) -> str:
    """`` The loop holds 1 more connection to be watched ...``, that the kernel watches no more."""
    if not loop.dropped:
        return ""
    one = loop.dropped == 1
    return (
        f" The loop holds {counted(loop.dropped, 'connection')} to be watched that the kernel's "
        f"epoll does not watch any more: what comes there wakes nobody. Either "
        f"{'it was' if one else 'they were'} closed without the loop, or a forked child, which "
        f"shares the epoll object, closed its copy by the loop and so took "
        f"{'it' if one else 'them'} out."
    )


def lost_of(tasks: Sequence[Task], words: Words) -> Iterator[str]:
    """What of a pool that tasks wait for no frame refers to."""
    waits = [words.graph.wait_of(task.id) for task in tasks[:NAMES_LISTED]]
    pools = [pool for wait in waits if wait and (pool := pool_of(wait, words))]
    for pool in {one.id: one for one in pools}.values():
        if text := lost(pool):
            yield f" {text}"


def notes_of(tasks: Iterable[Task], words: Words) -> Iterator[str]:
    """What is known beyond that of what they wait for."""
    targets = [wait.target for task in tasks for wait in words.graph.waits_of(task.id)]
    for target in dict.fromkeys(targets):
        resource = words.resource(target)
        if resource is not None and resource.kind is NodeKind.QUEUE and resource.note:
            yield f"{words.name(target)}: {resource.note}"
