"""Processes in which nobody goes on before another one of them does, whoever has what is waited
for there.

Each of their threads, those of C as well, waits without a timeout at a word of its process's own
memory, which nothing but another thread of that one could change, or for what only these processes
have the other ends of; or it wakes up by the clock and does nothing but look whether one of the
others has done something.
"""

from collections.abc import Collection

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.beyond_doubt import waking_but_ending, waking_signals
from hangtui.findings.databases import copies_for_ever
from hangtui.findings.housekeepers import keeps_house, serves
from hangtui.findings.lookers import Lookers
from hangtui.findings.manager_clients import family
from hangtui.findings.pools import POOLS
from hangtui.findings.resources import of_processes
from hangtui.findings.stack_queries import stood_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import Inward, NodeId, NodeKind, NoHolder, Process, Resource, Thread

_DEAD, _STOPPED = ("Z", "X"), ("T", "t")
_MOST = 256
"""Processes of one group."""
_NAMED = "named semaphore "
_PRIVATE = "Unix socket /tmp/pymp-"
"""Where a manager of multiprocessing listens that one of these processes has started for itself:
whoever does not descend from that one has not got its key. Who does may connect at its first call.
"""


def nobody_moves(process: Process, words: Words) -> bool:
    """Whether none of its threads goes on before another one of that process does."""
    return len(standstill([process.pid], words)) == 1


def standstill(
    pids: Collection[int], words: Words, *, accepting: bool = False, asked_to_end: bool = False
) -> list[Process]:
    """The processes that nobody sets going but one of them, from *pids* on; empty if one of their
    threads could go on, or that is not known. *accepting*: but for somebody new who connects.
    *asked_to_end*: but for a signal by which a program is asked to end."""
    asked, group = list(pids), list[Process]()
    inward = {one.thread: one for one in words.capture.inward}
    lookers = Lookers(words)
    for pid in asked:  # it grows
        process = words.capture.process(pid)
        if process is None or _may_go_on(process) or len(group) >= _MOST:
            return []
        known = waking_but_ending if group or asked_to_end else waking_signals
        if known(process) != ():
            return []
        group.append(process)
        for thread in process.threads:
            if thread.state in _DEAD:
                continue
            others = _wakers(thread, inward, lookers, words, accepting=accepting)
            if others is None:
                return []
            asked += [other for other in sorted(others) if other not in asked]
    return group if lookers.change_nothing([one.pid for one in group]) else []


def _may_go_on(process: Process) -> bool:
    """Whether it was not steady, or was stopped: whoever did that may let it go on."""
    stopped = any(thread.state in _STOPPED for thread in process.threads)
    return process.steady is not True or stopped


def _wakers(
    thread: Thread, inward: dict[NodeId, Inward], lookers: Lookers, words: Words, *, accepting: bool
) -> Collection[int] | None:
    """The processes one of whose threads would have to do something first; None: it goes on by
    itself, or that is not known."""
    seen, known = words.progress.get(thread.id), inward.get(thread.id)
    ends = _ends(known, words, accepting=accepting) if known is not None else None
    if seen is not None and seen.stayed_s >= STILL_S:
        if keeps_house(thread) or lookers.only_looks(thread):
            return () if keeps_house(thread) else lookers.children_asked(thread)
        if copies_for_ever(thread, words):
            return (thread.pid,)
        if (others := _owners(thread, words)) is not None:
            return others
        watches = not (known is None and thread.syscall and thread.syscall.sleeps)
        if not watches and lookers.only_ticks(thread):
            ends = (thread.pid,)  # such a loop sleeps
        if ends is not None and (serves(thread) or lookers.only_ticks(thread)):
            return ends
    if stood_s(thread, words) < STILL_S or not thread.blocked:
        return None
    lasting, call = words.lasting.get(thread.id), thread.syscall
    if lasting is not None and _within(thread, lasting.wait, lasting.kind, words):
        return (thread.pid,)
    if known is not None and call is not None and call.timed is not True:
        return ends if call.timeout_ms is None else None
    return _others(thread, words) if lasting is not None else None


def _ends(known: Inward, words: Words, *, accepting: bool) -> Collection[int] | None:
    """The processes that could send something to a thread, or connect to it; None: others could."""
    ends = set(known.ends or (known.thread.pid,))
    if accepting or not known.accepts:
        return ends
    if not all(one.startswith(_PRIVATE) for one in known.accepts):
        return None
    return ends | family(known.thread.pid, words)


def asks_on(thread: Thread, words: Words) -> bool:
    """Whether a library that it has called asks again and again, and never gives up."""
    wait = words.graph.wait_of(thread.id)
    asked = words.wait(wait) if wait is not None else None
    return asked is not None and asked.unlimited


def _owners(thread: Thread, words: Words) -> Collection[int] | None:
    """Who has the lock on a file, or a pool of its process, for which a library asks again and
    again, without a timeout; None: it does not, or that is not known. A file that is a lock by
    being there anybody may delete."""
    wait = words.graph.wait_of(thread.id)
    if wait is None or not asks_on(thread, words):
        return None
    resource = words.resource(wait.target)
    if resource is None or resource.age_s is not None:
        return None
    if resource.kind in POOLS and resource.pid == thread.pid and resource.exhausted:
        return (thread.pid,)
    if resource.kind is not NodeKind.FILE_LOCK:
        return None
    return {hold.target.pid for hold in words.graph.holders_of(wait.target)} or None


def _within(thread: Thread, wait: Edge, kind: NodeKind | None, words: Words) -> bool:
    """Whether only its own process has what it waits for in memory."""
    call = thread.syscall
    if call is None or call.name != "futex" or call.timed:
        return False
    if kind is NodeKind.THREAD:
        return wait.target.pid == thread.pid
    resource = words.resource(wait.target)
    own = resource is not None and resource.pid == thread.pid and not wait.target.shared
    return own and not of_processes(resource)


def _sharing(thread: Thread, resource: Resource) -> set[int]:
    """All processes that could release a semaphore or lock in shared memory, whoever has taken it:
    who has that mapped, for it cannot be opened by a name; empty: that is not known."""
    if (resource.name or "").startswith(_NAMED):
        return set()
    return {thread.pid} if resource.no_holder is NoHolder.ALONE else set(resource.sharers)


def _others(thread: Thread, words: Words) -> Collection[int] | None:
    """Who shares what it waits for, or has it, by the kernel's account."""
    pids: set[int] = set()
    for wait in words.graph.waits_of(thread.id):
        resource = words.resource(wait.target)
        if wait.target.kind is NodeKind.PROCESS:
            pids.add(wait.target.pid)
            continue
        if resource is not None and (sharing := _sharing(thread, resource)):
            pids |= sharing
            continue
        holds = words.graph.holders_of(wait.target)
        sure = all(hold.evidence.certainty.supports_claim for hold in holds)
        found = {hold.target.pid for hold in holds} | set(resource.sharers if resource else ())
        if not (sure and found):
            return None
        pids |= found
    return pids or None
