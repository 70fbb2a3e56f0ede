"""Makes an error of what a rule only warns of, where nobody is left who could end it."""

from collections.abc import Sequence
from dataclasses import replace

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.beyond_doubt import no_rest
from hangtui.findings.english import counted, listed
from hangtui.findings.polled import told_polling
from hangtui.findings.stack_queries import index_of, wait_for_ever
from hangtui.findings.standstill import standstill
from hangtui.findings.wakeups.nobody_left_advice import way_of
from hangtui.findings.wakeups.sharing import SYNCHRONIZE
from hangtui.findings.words import Words, words_of
from hangtui.model import Capture, Finding, Process, Reason, Severity, Thread, thread_id

_OF_WAITS = (Reason.RING, Reason.NOBODY, Reason.ONE_WAIT)
"""What findings rest on that tell of somebody who waits."""
_POSSIBLE = "Possible deadlock"


def made_errors(findings: Sequence[Finding], capture: Capture, graph: WaitGraph) -> list[Finding]:
    """*findings*, of which a warning about processes that stand still for good is an error, if one
    of those it tells of waits so as nobody rests."""
    words = words_of(capture, graph)
    return [_judged(finding, words) for finding in findings]


def _judged(finding: Finding, words: Words) -> Finding:
    if finding.severity is not Severity.WARNING or finding.reason not in _OF_WAITS:
        return finding
    if not _owed(finding, words):
        return finding
    group = standstill(sorted({one.pid for one in finding.threads}), words)
    if not group:
        return finding
    return replace(
        finding,
        title=finding.title.replace(_POSSIBLE, "Deadlock", 1),
        sentence=finding.sentence.replace(_POSSIBLE, "Deadlock", 1),
        severity=Severity.ERROR,
        reason=Reason.NOBODY,
        never_ends=True,
        evidence=(*finding.evidence, _why(group)),
    )


def _owed(finding: Finding, words: Words) -> bool:
    """Whether one of its threads does not rest in its wait until it is stopped."""
    if any(told_polling(one, words) for one in finding.tasks):
        return True
    threads = words.threads(thread_id(one.pid, one.tid) for one in finding.threads)
    waits = ((one, wait) for one in threads if (wait := wait_for_ever(one, words)))
    waits = ((one, wait) for one, wait in waits if not _parks_between_processes(one))
    return any(no_rest(one, wait, way_of(wait, words), words) for one, wait in waits)


def _parks_between_processes(thread: Thread) -> bool:
    """Whether it waits for an event or a condition of processes, as programs do until somebody
    stops them."""
    return index_of(thread, {"wait"}, SYNCHRONIZE) is not None


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
