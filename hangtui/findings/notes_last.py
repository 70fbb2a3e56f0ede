"""Which notes come after the others: of who rests, starts others, or waits behind one of them."""

from collections.abc import Collection, Sequence

from hangtui.analysis.places import library_frame, package_of
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.actors import REMOTE
from hangtui.findings.given_work import given_work
from hangtui.findings.looked import polled_by
from hangtui.findings.package_queries import library_wait
from hangtui.findings.reassurance import ancestors
from hangtui.findings.roles import ranks_among
from hangtui.findings.stack_queries import below_application, polls
from hangtui.findings.words import Words
from hangtui.model import Capture, Finding, NodeId, NodeKind, Reason, Severity, Thread, thread_id

_LOCKS = (NodeKind.LOCK, NodeKind.RLOCK)

Places = set[tuple[int, int]]
"""Threads by the numbers of their processes and their own."""


def listeners(ranked: Sequence[Finding], words: Words) -> Collection[int]:
    """Which notes tell of one thread of the program that waits for data in its only function, or of
    one of a library, and for which nobody waits: it may be there to hear what comes. So they do of
    one that a package keeps asleep there by the clock, and that looks for nothing."""
    found = set[int]()
    for index, one in enumerate(ranked):
        threads = words.threads(thread_id(ref.pid, ref.tid) for ref in one.threads)
        behind = words.threads(thread_id(ref.pid, ref.tid) for ref in one.victims)
        if one.severity is not Severity.NOTE or any(map(below_application, behind)):
            continue
        if len(threads) != 1:
            continue
        own = [f for f in threads[0].python_stack or () if not (library_frame(f) or package_of(f))]
        wait = words.graph.wait_of(threads[0].id)
        hears = wait is not None and wait.target.kind is NodeKind.SOCKET
        rests = hears or _only_sleeps(threads[0], words)
        if rests and len(own) <= 1 and threads[0].tid != threads[0].pid:
            found.add(index)
    return found


def _only_sleeps(thread: Thread, words: Words) -> bool:
    """Whether it goes on by the clock, in a package, and is not known to look for anything."""
    asleep = thread.syscall is not None and thread.syscall.sleeps
    return asleep and library_wait(thread) is not None and polled_by(thread.id, words) is None


def behind_pollers(ranked: Sequence[Finding], graph: WaitGraph, words: Words) -> Collection[int]:
    """Which notes, each of one wait, tell of who waits for a lock whose holder in the same process
    looks again and again whether it may go on: what the others wait for may be theirs to do."""
    found = set[int]()
    for index, one in enumerate(ranked):
        if one.severity is not Severity.NOTE or one.reason is not Reason.ONE_WAIT:
            continue
        waiting = (words.lasting.get(thread_id(ref.pid, ref.tid)) for ref in one.threads)
        locks = {its.wait.target for its in waiting if its and its.kind in _LOCKS}
        held = (hold.target for lock in sorted(locks) for hold in graph.holders_of(lock))
        holders = [one for one in words.threads(held) if polls(one, words)]
        if any(holder.pid in {lock.pid for lock in locks} for holder in holders):
            found.add(index)
    return found


def keepers(ranked: Sequence[Finding], own: Sequence[Places], words: Words) -> Collection[int]:
    """Which notes are about a process that looks now and then, in a package, after those that it
    started (a server's master), if another note tells where one of these waits at a line of the
    application's own."""
    found, others = set[int](), set[int]()
    for index, one in enumerate(ranked):
        if one.severity is not Severity.NOTE or one.reason is not Reason.ONE_WAIT:
            continue
        threads = words.threads(thread_id(*place) for place in sorted(own[index]))
        if threads and all(library_wait(t) and polls(t, words) for t in threads):
            found.add(index)
        elif any(below_application(t) and library_wait(t) is None for t in threads):
            others.add(index)
    if not found or not others:
        return ()
    parents = {process.pid: process.ppid for process in words.capture.processes}
    above = {
        pid for index in others for own_pid, _ in own[index] for pid in ancestors(own_pid, parents)
    }
    return {index for index in found if {pid for pid, _ in own[index]} <= above}


def launchers(
    ranked: Sequence[Finding], own: Sequence[Places], capture: Capture, graph: WaitGraph
) -> set[int]:
    """Which notes are about who waits for the end of ranks of a job, of one of which another note
    tells what that waits for."""
    ranks = ranks_among(capture)
    waiting = {pid for one, those in zip(ranked, own, strict=True) for pid, _ in those
               if ranks.get(pid) and one.reason is Reason.ONE_WAIT}  # fmt: skip
    found = set[int]()
    for index, those in enumerate(own if waiting else ()):
        waits = [graph.wait_of(thread_id(*one)) for one in those]
        ends = {end.pid for wait in waits if wait for end in _ends(wait, graph)}
        note = ranked[index].severity is Severity.NOTE and ranked[index].reason is Reason.ONE_WAIT
        if note and ends & waiting and not any(ranks.get(pid) for pid, _ in those):
            found.add(index)
    return found


def _ends(wait: Edge, graph: WaitGraph) -> list[NodeId]:
    """The processes whose end is waited for: these, or who has the other end of a sentinel."""
    if wait.target.kind is NodeKind.PIPE:
        return [hold.target for hold in graph.holders_of(wait.target)]
    return [wait.target] if wait.target.kind is NodeKind.PROCESS else []


def resting(
    ranked: Sequence[Finding], own: Sequence[Places], capture: Capture, graph: WaitGraph
) -> Collection[int]:
    """Which notes are about threads that take what comes next in a loop of theirs, for none of
    which others wait, if another note tells of a process that waits for something else."""
    takes = {
        (one.pid, one.tid)
        for one in capture.threads()
        # What an actor or a worker process brings it was asked for.
        if one.takes_next
        and not any(w.target.kind in REMOTE for w in graph.waits_of(one.id))
        and not given_work(one)  # inside of which it may wait in a loop as well
    }
    notes = [i for i, one in enumerate(ranked) if one.severity is Severity.NOTE and own[i]]
    found = {
        index
        for index in notes
        if own[index] <= takes and not any(graph.waiters_of(thread_id(*one)) for one in own[index])
    }
    others = [i for i in notes if i not in found and ranked[i].reason is not Reason.REASSURANCE]
    return found if others else ()


def of_started(
    ranked: Sequence[Finding],
    own: Sequence[Places],
    capture: Capture,
    graph: WaitGraph,
    asleep: Places,
) -> Collection[int]:
    """Which notes are about processes that wait, in all their threads that are told, for the one
    by which they were started, if another note tells what that waits for itself; or that only sleep
    by the clock, if another one tells how the one by which they were started waits for that."""
    waits = [
        index
        for index, finding in enumerate(ranked)
        if finding.severity is Severity.NOTE and finding.reason is Reason.ONE_WAIT and own[index]
    ]
    if not capture.processes[1:] or not waits[1:]:
        return ()
    parents = {process.pid: process.ppid for process in capture.processes}
    pids = {index: {pid for pid, _ in own[index]} for index in waits}
    found = set()
    above = {i: set.intersection(*(set(ancestors(pid, parents)) for pid in pids[i])) for i in waits}
    for cause in waits:
        nodes = [thread_id(*one) for one in sorted(own[cause])]
        behind = graph.behind_all([*nodes, *ranked[cause].tasks])
        waiting = {(node.pid, node.tid) for node in behind if node.kind is NodeKind.THREAD}
        for index in waits:
            if pids[cause] <= above[index] and own[index] <= waiting:
                found.add(index)
            if own[cause] <= asleep and pids[index] <= above[cause] and own[index] <= waiting:
                found.add(cause)
    return found
