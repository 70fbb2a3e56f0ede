"""Processes that wait for nothing but each other, or for what one of them has to end itself."""

from collections.abc import Iterable, Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.beyond_doubt import nobody_will
from hangtui.findings.housekeepers import keeps_house
from hangtui.findings.inert import OF_THE_PROCESS
from hangtui.findings.words import Words
from hangtui.model import NodeKind, NoHolder, Process, Resource, Thread

_DEAD = ("Z", "X")
_MOST_PROCESSES = 256
_ONE_PROCESS = (NoHolder.ALONE, NoHolder.TAKER_ENDED)
"""Of what no second process shares: where one does, all of them are listed."""


def closed_group(pids: Iterable[int], words: Words) -> list[Process]:
    """The processes that wait for nothing but each other, from *pids* on; empty if one of their
    threads could go on, or that is not known."""
    pids, group = list(pids), list[Process]()
    for pid in pids:  # it grows
        process = words.capture.process(pid)
        if process is None or process.steady is False or len(group) >= _MOST_PROCESSES:
            return []
        group.append(process)
        for thread in _living(process):
            if keeps_house(thread) and _accepts(thread, words):
                continue
            others = enders(thread, words)
            if others is None or words.graph.cycle_of(thread.id):
                return []
            pids += [other for other in sorted(others) if other not in pids]
    return group


def _accepts(thread: Thread, words: Words) -> bool:
    waits = words.graph.waits_of(thread.id)
    return bool(waits) and all(words.operation(one) == "accept" for one in waits)


def sharers_of(resource: Resource) -> tuple[int, ...]:
    """The processes that share it."""
    return resource.sharers or (resource.pid,)


def for_good(group: Sequence[Process], words: Words) -> bool:
    """Whether none of a closed group ran for a while, nor can a signal wake one of them."""
    return bool(group) and all(nobody_will(one, _living(one), words) for one in group)


def _living(process: Process) -> list[Thread]:
    return [thread for thread in process.threads if thread.state not in _DEAD]


def enders(thread: Thread, words: Words) -> set[int] | None:
    """The processes that can end a thread's wait; None: it may end otherwise, or that is not
    known."""
    if thread.id not in words.lasting:
        return None
    pids: set[int] = set()
    for wait in words.graph.waits_of(thread.id):
        found = _enders_of(thread, wait, words)
        if not found:
            return None
        pids |= found
    return pids


def _enders_of(thread: Thread, wait: Edge, words: Words) -> set[int]:
    """The processes that can end one wait; none: not known."""
    node = words.graph.node(wait.target)
    resource = words.resource(wait.target)
    if node is not None and node.kind in (NodeKind.THREAD, NodeKind.PROCESS):
        return {wait.target.pid}
    if resource is None:
        return set()
    holders = {hold.target.pid for hold in words.graph.holders_of(wait.target)}
    if holders or resource.sharers:
        return holders | set(resource.sharers)
    own = resource.no_holder in _ONE_PROCESS or (
        resource.kind in OF_THE_PROCESS and resource.pid == thread.pid and not resource.id.shared
    )
    return {thread.pid} if own else set()
