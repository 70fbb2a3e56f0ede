"""Processes whose handlers of gRPC all wait for answers that only such handlers could give."""

from collections.abc import Iterator, Mapping, Sequence

from hangtui.findings.english import clauses, joined
from hangtui.findings.pools import position
from hangtui.findings.remote_sides import asks, handles, met_s, others_there
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Actor, Words, ref
from hangtui.model import Certainty, Finding, Pid, Severity, Task, Thread

_Ring = Mapping[Pid, Sequence[Actor]]
"""By process, the handlers that run there."""


def found(rule: str, words: Words) -> Iterator[Finding]:
    """One finding if there are any, and several looks met each of their handlers so for a second:
    a call that nobody has begun needs one of these to end first, where they are all that the pool
    of a server has room for."""
    every: Sequence[Actor] = (*words.capture.threads(), *words.capture.tasks)
    handlers: dict[Pid, list[Actor]] = {}
    for actor in every:
        if handles(actor):
            handlers.setdefault(actor.pid, []).append(actor)
    callers = [one for one in every if asks(one)]
    if ring := _ring(handlers, {one.pid for one in callers}, words):
        behind = [one for one in callers if one.pid not in ring]
        yield _finding(rule, ring, behind, words)


def _ring(handlers: _Ring, callers: set[Pid], words: Words) -> _Ring:
    """Those of the processes whose handlers all ask, and whose connections lead to one another, or
    to who asks without being asked."""
    ends: dict[Pid, set[Pid]] = {}
    for pid, those in handlers.items():
        lasting = all(asks(one) and met_s(one, words.stays, words) >= STILL_S for one in those)
        there = others_there(pid, words) if lasting else None
        if there is not None and all(one in handlers or one in callers for one in there):
            ends[pid] = there & handlers.keys()
    while left := [pid for pid, there in ends.items() if not there or not there <= ends.keys()]:
        for pid in left:
            del ends[pid]
    return {pid: handlers[pid] for pid in ends}


def _finding(rule: str, ring: _Ring, behind: Sequence[Actor], words: Words) -> Finding:
    where = joined([words.process_name(pid) for pid in ring])
    own = "its own answers" if len(ring) == 1 else "each other's answers"
    told = clauses([_told(those, words) for those in ring.values()])
    inside = [one for those in ring.values() for one in those]
    waits = _told(behind, words) if behind else ""
    threads = [one for one in (*inside, *behind) if isinstance(one, Thread)]
    return Finding(
        id=rule,
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=(
            f"Possible deadlock: all that runs for requests of gRPC in {where} waits for {own}: "
            f"{told}{f'; behind that {waits}' if waits else ''}"
        ),
        sentence=(
            f"Possible deadlock: {told}, each for the answer to a remote call (gRPC). All their "
            f"connections lead to {where}{' and to who asks these' if behind else ''}, where "
            "nothing else runs for a request: what they ask for has not begun, as where a server's "
            f"pool has no thread left for it.{f' Behind that {waits}.' if waits else ''}"
        ),
        threads=tuple(map(ref, threads)),
        tasks=tuple(one.id for one in (*inside, *behind) if isinstance(one, Task)),
        processes=tuple(ring),
        subject=inside[0].id,
        evidence=tuple(
            f"{words.actor_name(one)} was met there for "
            f"{met_s(one, words.stays, words):.0f} s or more"
            for one in inside[:NAMES_LISTED]
        ),
        unknown=("which of the calls waits for which: gRPC records that in C",),
        advice=(
            (
                "Give the server more threads than requests may call back, or have a request not "
                "wait for what needs another one of the same server; a timeout of the calls makes "
                "errors of them."
            ),
        ),
    )


def _told(actors: Sequence[Actor], words: Words) -> str:
    """``Router_0 and Router_1 wait at main.py:43 (answer)``, of the place of the first."""
    place = position(actors[0])
    there = [one for one in actors if position(one) == place]
    names = [words.actor_name(one) for one in there[:NAMES_LISTED]]
    more = f" and {len(there) - len(names)} more" if len(there) > len(names) else ""
    return f"{joined(names)}{more} {'waits' if len(there) == 1 else 'wait'} at {place}"
