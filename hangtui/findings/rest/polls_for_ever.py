"""Whether who looks again and again for something does so for good: nobody is left to change it."""

from collections.abc import Iterable

from hangtui.analysis.places import application_index
from hangtui.findings.looked import polled_by
from hangtui.findings.package_queries import hands_over, package_entry
from hangtui.findings.polled import asks_forgotten, stayed_s, told_polling
from hangtui.findings.standstill import nobody_moves
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes
from hangtui.model import NodeId, Process, Task, Thread

_NOT_YET = ("False", "None", "empty")


def polls_for_ever(
    threads: Iterable[Thread], tasks: Iterable[Task], process: Process, words: Words
) -> bool:
    """Whether one of those of a process that are not at rest, seen over a second, does so; one that
    is alone may keep its program alive by that, unless it counts what its program would collect."""
    nodes = [*(one.id for one in threads), *(one.id for one in tasks)]
    alone = len(nodes) < 2 and not any(_is_brought(node, words) for node in nodes)
    looks = any(told_polling(node, words) or _looks_by_the_clock(node, words) for node in nodes)
    if alone or not looks:
        return False
    return nobody_moves(process, words)


def _looks_by_the_clock(node: NodeId, words: Words) -> bool:
    """Whether several looks met it at the same timed wait, after which it does nothing but look
    whether it may go on: ``while not self.free: self.changed.wait(0.2)``."""
    wait, actor = words.graph.wait_of(node), words.actor(node)
    looks = any(one.waiter == node for one in words.capture.looking)
    timed = wait is not None and wait.expires
    return looks and timed and actor is not None and stayed_s(actor, words) >= STILL_S


def _is_brought(node: NodeId, words: Words) -> bool:
    """Whether it waits for what is to come, and for no flag by which a program is told to stop: it
    looks at how much there is of something, to which the program would add in a function that
    nobody runs, or asks whether children have ended that are gone; or, as the only thread, for what
    a package is to note of itself and has not; or it is a task which a package has wait for what it
    has code of its own to bring, that nobody runs, and which was not left to that to serve."""
    if asks_forgotten(node, words) or _owed_by_package(node, words):
        return True
    polled = polled_by(node, words)
    if polled is None:
        return False
    if polled.of_packages and all(value in _NOT_YET for value in polled.values):
        return _is_alone(node, words) and not _was_left(node, words)
    if not polled.written:
        return False
    return any(one.startswith("len(") for one in polled.looks_at)


def _owed_by_package(node: NodeId, words: Words) -> bool:
    task, wait = words.actor(node), words.graph.wait_of(node)
    entry = package_entry(task) if isinstance(task, Task) else None
    if entry is None or wait is None or not nobody_comes(wait, words):
        return False
    resource = words.resource(wait.target)
    return bool(resource and resource.enders) and not _was_left(node, words)


def _was_left(node: NodeId, words: Words) -> bool:
    """Whether the application left it to a package to serve: until it is told to stop, say."""
    actor = words.actor(node)
    stack = (actor.python_stack if actor is not None else None) or ()
    index = application_index(stack)
    return index is not None and hands_over(stack, index)


def _is_alone(node: NodeId, words: Words) -> bool:
    process = words.capture.process(node.pid) if node.pid else None
    return process is not None and len(process.threads) == 1
