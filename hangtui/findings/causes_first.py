"""Of findings that are equally bad, those first for whose threads others wait."""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.exits import EXIT
from hangtui.findings.given_work import called_by_server, given_work
from hangtui.findings.notes_last import (
    Places,
    behind_pollers,
    keepers,
    launchers,
    listeners,
    of_started,
    resting,
)
from hangtui.findings.reassurance import ancestors
from hangtui.findings.stack_queries import below_application
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
    thread_id,
)

_NEVER = (Reason.RING, Reason.ENDED, Reason.NOBODY)
"""What findings rest on that know why a wait does not end."""


def _needs(finding: Finding, graph: WaitGraph, words: Words) -> Places:
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


def explained_by(finding: Finding) -> Places:
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
    pids = [{pid for pid, _ in those} for those in own]
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
        *of_started(ranked, own, capture, graph, asleep),
        *launchers(ranked, own, capture, graph),
    }
    rests = resting(ranked, own, capture, graph)
    behind_poller = behind_pollers(ranked, graph, words)
    keep = keepers(ranked, own, words)
    asked = _asked(ranked, words)
    # Who waits for a known thread elsewhere, which does something else, does not just hear.
    elsewhere = {i for i, ends in enumerate(needs) if {pid for pid, _ in ends} - pids[i]}
    hear = {index for index in listeners(ranked, words) if index not in elsewhere}
    order = sorted(
        range(len(ranked)),
        key=lambda i: (
            ranked[i].severity.rank,
            i not in behind_poller,
            i in keep,
            i in started,
            i in rests or i in hear,
            later(i),
            i not in asked,
            i in hear,
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
