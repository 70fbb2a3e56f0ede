"""Makes an error of what a rule only warns of, where nobody is left who could end it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.beyond_doubt import no_rest
from hangtui.findings.english import counted, listed
from hangtui.findings.inert import CONNECTIONS
from hangtui.findings.other_end import hears_itself
from hangtui.findings.polled import polls_in_package
from hangtui.findings.stack_queries import kind_of, wait_for_ever, way_of
from hangtui.findings.standstill import asks_on, standstill
from hangtui.findings.words import Words, words_of
from hangtui.model import Capture, Finding, NodeKind, Process, Reason, Severity, thread_id

_OF_WAITS = (Reason.RING, Reason.NOBODY, Reason.ONE_WAIT)
"""What findings rest on that tell of somebody who waits."""
_POSSIBLE = "Possible deadlock"
_AND_NEW = "; somebody new who connects has no part in that"


def made_errors(findings: Sequence[Finding], capture: Capture, graph: WaitGraph) -> list[Finding]:
    """*findings*, of which a warning about processes that stand still for good is an error, if one
    of those it tells of waits so as nobody rests."""
    words = words_of(capture, graph)
    return [_judged(finding, words) for finding in findings]


def _judged(finding: Finding, words: Words) -> Finding:
    if finding.severity is not Severity.WARNING or finding.reason not in _OF_WAITS:
        return finding
    pids = sorted({one.pid for one in finding.threads})
    group = standstill(pids, words) if _owed(finding, words) else []
    new = "" if group else _AND_NEW
    if not group and _owed(finding, words, _is_given):
        group = standstill(pids, words, accepting=True)
    if not group:
        return finding
    return replace(
        finding,
        title=finding.title.replace(_POSSIBLE, "Deadlock", 1),
        sentence=finding.sentence.replace(_POSSIBLE, "Deadlock", 1),
        severity=Severity.ERROR,
        reason=Reason.NOBODY,
        never_ends=True,
        evidence=(*finding.evidence, f"{_why(group)}{new}"),
    )


def _owed(
    finding: Finding, words: Words, counts: Callable[[Edge, Words], bool] | None = None
) -> bool:
    """Whether one of its threads does not rest in its wait until it is stopped; *counts*: of these
    waits."""
    if any(hears_itself(one, words) for one in finding.tasks):
        return True
    if counts is None and any(polls_in_package(one, words) for one in finding.tasks):
        return True
    threads = words.threads(thread_id(one.pid, one.tid) for one in finding.threads)
    if any(asks_on(one, words) for one in threads):
        return True
    waits = ((one, wait) for one in threads if (wait := wait_for_ever(one, words)))
    return any(
        (counts is None or counts(wait, words)) and no_rest(one, wait, way_of(wait, words), words)
        for one, wait in waits
    )


def _is_given(wait: Edge, words: Words) -> bool:
    """Whether somebody in particular ends a wait, who is there already: whoever has the lock, or
    the other end of the connection. Nobody who connects later takes a part in that."""
    kind = kind_of(wait, words)
    if kind in (NodeKind.LOCK, NodeKind.RLOCK):
        return bool(words.graph.holders_of(wait.target))
    return kind in CONNECTIONS


def _why(group: Sequence[Process]) -> str:
    """Why nobody ends it, as a line of evidence."""
    count = sum(len(process.threads) for process in group)
    pids = listed([str(process.pid) for process in group])
    which = f"process{'es' if group[1:] else ''} {pids}"
    if count == 1:
        return f"the only thread of {which} waits without a timeout, and no signal has a handler"
    return (
        f"each of the {counted(count, 'thread')} of {which} waits, without a timeout, for what "
        "only another one of them could do, or only looks whether one did; none handles a signal "
        "that could end it"
    )
