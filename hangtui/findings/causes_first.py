"""Of findings that are equally bad, those first for whose threads others wait."""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from hangtui.analysis.places import library_frame, package_of
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.actors import REMOTE
from hangtui.findings.exits import EXIT
from hangtui.findings.given_work import called_by_server, given_work
from hangtui.findings.looked import polled_by
from hangtui.findings.package_queries import library_wait
from hangtui.findings.reassurance import ancestors
from hangtui.findings.roles import ranks_among
from hangtui.findings.stack_queries import below_application, polls
from hangtui.findings.victims import places
from hangtui.findings.words import Words, words_of
from hangtui.model import (
    Capture,
    Finding,
    NodeId,
    NodeKind,
    Reason,
    Severity,
    Task,
    Thread,
    thread_id,
)

_NEVER = (Reason.RING, Reason.ENDED, Reason.NOBODY)
"""What findings rest on that know why a wait does not end."""
_LOCKS = (NodeKind.LOCK, NodeKind.RLOCK)

_Places = set[tuple[int, int]]
"""Threads by the numbers of their processes and their own."""


def _needs(finding: Finding, graph: WaitGraph, words: Words) -> _Places:
    """The threads that have the other ends of what those of a finding wait for; of a connection
    those that have it in hand, as their frames show."""
    threads = (thread_id(one.pid, one.tid) for one in finding.threads)
    waits = [wait for thread in threads for wait in graph.waits_of(thread)]
    ends = [_ends_of(wait, graph, words) for wait in waits]
    if not all(ends):
        return set()  # of several, one that nobody has may be what lacks
    return {(one.pid, one.tid) for those in ends for one in those if one.tid is not None}


def _ends_of(wait: Edge, graph: WaitGraph, words: Words) -> Sequence[NodeId]:
    known = words.wait(wait)
    in_hand = known.answering if known is not None else ()
    # Who waits for data itself may do so at the other end of the same connection.
    back = any(one.target.kind is NodeKind.SOCKET for t in in_hand for one in graph.waits_of(t))
    holders = [hold.target for hold in graph.holders_of(wait.target)]
    return in_hand if in_hand and not back else holders


def explained_by(finding: Finding) -> _Places:
    """Who waits behind what is wrong; what may be work explains nothing."""
    return set() if finding.severity is Severity.NOTE else places(finding.victims)


def causes_first(ranked: Sequence[Finding], capture: Capture, graph: WaitGraph) -> list[Finding]:
    """Of what is equally bad, that last whose threads all wait behind another one's, or for one of
    another one's that goes on but does not answer; what tells of one wait, as of ranks for another
    one, also behind what tells more of some of its threads; and of notes what tells of a process
    that was started by the one of another note, or of who takes the next message and rests; and
    else what tells of a request first, and last who hears what comes for the program itself."""
    own = [places(finding.threads) for finding in ranked]
    behind = [explained_by(finding) for finding in ranked]

    waits = [finding.reason is Reason.ONE_WAIT for finding in ranked]
    known = [finding.reason in _NEVER for finding in ranked]
    causes = [index for index, those in enumerate(behind) if those]
    words = words_of(capture, graph)
    needs = [_needs(finding, graph, words) for finding in ranked]
    asleep = {(t.pid, t.tid) for t in capture.threads() if t.syscall and t.syscall.sleeps}

    def whole(index: int, other: int) -> bool:
        return own[other] < own[index] <= own[other] | behind[other]

    def asks(index: int) -> bool:
        """Whether another one tells why that thread does not answer for which this one waits."""
        return bool(needs[index]) and any(
            needs[index] <= own[other]
            and own[index].isdisjoint(own[other] | needs[other])
            and not own[other] <= asleep  # which is told beside the wait
            for other in range(len(ranked))
            if ranked[other].severity is ranked[index].severity and (waits[other] or known[other])
        )

    def ends_after(index: int) -> bool:
        """Whether it tells that the program's end waits for somebody of whom another one tells
        with whom he waits in a ring, and that the main thread waits behind that."""
        return ranked[index].id == EXIT and any(
            own[index] <= own[other] | behind[other] and not own[index].isdisjoint(own[other])
            for other in causes
            if ranked[other].id != EXIT and ranked[other].reason is Reason.RING
            if ranked[other].severity is ranked[index].severity
        )

    def later(index: int) -> bool:
        if asks(index) or ends_after(index):
            return True
        return bool(own[index]) and any(
            (own[index] <= behind[other] or (waits[index] and known[other] and whole(index, other)))
            and not own[other] <= behind[index]
            for other in causes
            if ranked[other].severity is ranked[index].severity
        )

    started = {
        *_of_started(ranked, own, capture, graph, asleep),
        *_launchers(ranked, own, capture, graph),
    }
    resting = _resting(ranked, own, capture, graph)
    behind_poller = _behind_pollers(ranked, graph, words)
    keepers = _keepers(ranked, own, words)
    asked, listeners = _asked(ranked, words), _listeners(ranked, words)
    order = sorted(
        range(len(ranked)),
        key=lambda i: (
            ranked[i].severity.rank,
            i not in behind_poller,
            i in keepers,
            i in started,
            i in resting or i in listeners,
            later(i),
            i not in asked,
            i in listeners,
        ),
    )
    return _needed_first([ranked[index] for index in order], capture)


def _asked(ranked: Sequence[Finding], words: Words) -> Collection[int]:
    """Which tell of somebody inside of a request, or of a task of a queue: somebody waits for that,
    other than for what a thread of the program looks after for itself; but none which tells that a
    process works, where another one has its own wait told."""
    found = set[int]()
    first = _first_of_families(words.capture)
    waiting = [
        {first.get(pid, pid) for pid in one.processes} for one in ranked if _of_one_wait(one)
    ]
    for index, one in enumerate(ranked):
        own = {first.get(pid, pid) for pid in one.processes}
        if one.reason is Reason.REASSURANCE and not all(own & others for others in waiting):
            continue
        threads = words.threads(thread_id(ref.pid, ref.tid) for ref in one.threads)
        tasks = (task for task in map(words.actor, one.tasks) if isinstance(task, Task))
        if any(map(given_work, threads)) or any(map(called_by_server, tasks)):
            found.add(index)
    return found


def _of_one_wait(finding: Finding) -> bool:
    return finding.reason is Reason.ONE_WAIT


def _first_of_families(capture: Capture) -> Mapping[int, int]:
    """Of each process the first one that was looked at of those which have led to it."""
    parents = {one.pid: one.ppid for one in capture.processes}
    looked = {pid: [pid, *(p for p in ancestors(pid, parents) if p in parents)] for pid in parents}
    return {pid: known[-1] for pid, known in looked.items()}


def _listeners(ranked: Sequence[Finding], words: Words) -> Collection[int]:
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


def _behind_pollers(ranked: Sequence[Finding], graph: WaitGraph, words: Words) -> Collection[int]:
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


def _keepers(ranked: Sequence[Finding], own: Sequence[_Places], words: Words) -> Collection[int]:
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


def _needed_first(ranked: Sequence[Finding], capture: Capture) -> list[Finding]:
    """Of one wait each that the same rule tells of one after the other, that first behind which
    the application waits in another process: a service that waits for its next request holds up
    nobody."""
    calling = {(one.pid, one.tid) for one in capture.threads() if below_application(one)}

    def holds_up_nobody(finding: Finding) -> bool:
        behind = places(finding.victims) & calling
        return not any(pid not in finding.processes for pid, _ in behind)

    alike = groupby(ranked, lambda one: (one.id, one.severity, one.reason is Reason.ONE_WAIT))
    return [
        finding
        for (_, _, one_wait), group in alike
        for finding in (sorted(group, key=holds_up_nobody) if one_wait else group)
    ]


def _launchers(
    ranked: Sequence[Finding], own: Sequence[_Places], capture: Capture, graph: WaitGraph
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


def _resting(
    ranked: Sequence[Finding], own: Sequence[_Places], capture: Capture, graph: WaitGraph
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


def _of_started(
    ranked: Sequence[Finding],
    own: Sequence[_Places],
    capture: Capture,
    graph: WaitGraph,
    asleep: _Places,
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
