"""Runs the rules, puts the worst first, and hides what another finding explains already."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from hangtui.analysis.coverage import gaps, sentence
from hangtui.analysis.latest import forget_stacks
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.analysis.whereabouts import Whereabouts, in_application
from hangtui.dataclass import dataclass
from hangtui.findings.alike import as_one
from hangtui.findings.blocked_signals import told_blocked
from hangtui.findings.causes_first import causes_first, explained_by
from hangtui.findings.certainty import honest
from hangtui.findings.english import counted, listed
from hangtui.findings.for_good import made_errors
from hangtui.findings.grounds import Ground
from hangtui.findings.handled import told_handled
from hangtui.findings.interrupted import told_interrupted
from hangtui.findings.needs import ALL, Doubts, Needs
from hangtui.findings.other_ranks import with_other_ranks
from hangtui.findings.outcome import NotEnough, Result
from hangtui.findings.owed_answers import with_owed
from hangtui.findings.reassurance import on_beside, reassuring, without_false_comfort
from hangtui.findings.services import without_services
from hangtui.findings.told_outside_in import with_outside
from hangtui.findings.told_requests import without_told_requests
from hangtui.findings.victims import places, with_victims
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    Process,
    Reason,
    Severity,
    clean,
    process_id,
    thread_id,
)

RULE_FAILED = "rule-failed"
MOST = 500
"""Findings that are told; what a capture from a stranger holds could make thousands."""
SENT = "crash-signalled"
"""A signal that somebody sent, as a watchdog does when a process hangs: that is told as well."""


class Rule(Protocol):
    """A module of this package."""

    @property
    def ID(self) -> str:  # noqa: N802
        """The id of its findings."""

    @property
    def GROUND(self) -> Ground:  # noqa: N802
        """What they rest on."""

    def check(self, capture: Capture, graph: WaitGraph) -> Result:
        """What it finds."""


def needs_of(rule: Rule) -> Needs:
    """Which facts a rule rests on: its ``NEEDS``, else all."""
    needs: Needs = getattr(rule, "NEEDS", ALL)
    return needs


@dataclass(frozen=True, slots=True)
class Verdict:
    """What all rules say of one capture."""

    findings: tuple[Finding, ...]
    """Worst first; what another one explains is left out."""
    undecided: tuple[tuple[str, str], ...]
    """Ids of rules that could not judge, and why."""


def judge(
    rules: Sequence[Rule],
    capture: Capture,
    graph: WaitGraph,
    allow: Collection[str] = (),
    only: Collection[str] = (),
) -> Verdict:
    """Apply *rules*, the most specific of which comes first.

    Findings with an id in *allow* are dropped, and those that they explain with them; *only*: all
    others are.
    """
    forget_stacks()  # those of the capture before
    found: list[tuple[int, Finding]] = []
    undecided = []
    comforts = reassuring(rules)
    stands, doubts = Whereabouts(capture), Doubts(capture)
    for place, rule in enumerate(rules):
        missing = needs_of(rule).missing(capture)
        if missing:
            undecided.append((rule.ID, f"not read yet: {listed(missing)}"))
            continue
        try:
            result = rule.check(capture, graph)
        except Exception as error:  # noqa: BLE001  a rule that fails costs itself alone
            result = [_failed(rule.ID, error)]
        if isinstance(result, NotEnough):
            undecided.append((rule.ID, result.reason))
            continue
        for finding in (_filled(one, rule.GROUND, graph, stands) for one in result):
            calms = finding.id in comforts and finding.severity is Severity.NOTE
            partial = needs_of(rule).partial(finding, doubts, graph, calms=calms)
            undecided += [(rule.ID, _in_part(capture, process)) for process in partial]
            found += [] if partial else [(place, finding)]
    found.sort(key=_order)
    found, more = found[:MOST], len(found[MOST:])
    threads = {thread.id: thread for thread in capture.threads()}
    ranked = [with_victims(finding, threads, capture, graph) for _, finding in found]
    ranked = with_outside(ranked, capture, graph)
    ranked = with_other_ranks(ranked, capture, graph)
    ranked = without_false_comfort(
        ranked, comforts, {process.pid: process.ppid for process in capture.processes}
    )
    ranked = without_told_requests(without_services(ranked, capture, graph), comforts)
    ranked = [finding for finding in ranked if not only or finding.id in only]
    ranked = causes_first(ranked, capture, graph)
    roots = [finding for finding in _roots(ranked, capture) if finding.id not in allow]
    # Only now: what another finding explains as well is no error of its own.
    # Of what is equally bad then, that last which knows no more than that nothing moves.
    # So does, behind a note of a program that was asked for, that another one gets on.
    beside = on_beside(roots, comforts, capture)
    roots = sorted(
        made_errors(roots, capture, graph),
        key=lambda finding: (
            finding.severity.rank,
            finding.never_ends and finding.id in comforts,
            finding.subject in beside and finding.id in comforts,
        ),
    )
    words = words_of(capture, graph)
    roots = [told_handled(told_interrupted(finding, threads), words) for finding in roots]
    roots = [with_owed(told_blocked(finding, words), words) for finding in roots]
    told = (*as_one(roots), *([_more(more)] if more else []))
    return Verdict(told, tuple(dict.fromkeys(undecided)))


def _order(pair: tuple[int, Finding]) -> tuple[int, ...]:
    """The worst first; of what is no error, what concerns the application's own lines, and what
    reassures last; then the most specific. *pair*: the place of a finding's rule, and the finding.
    """
    place, finding = pair
    elsewhere = finding.where is None or not in_application(finding.where)
    later = elsewhere and finding.severity is not Severity.ERROR
    calms = finding.reason is Reason.REASSURANCE
    return finding.severity.rank, calms, later, place, finding.certainty.rank


def _filled(finding: Finding, ground: Ground, graph: WaitGraph, stands: Whereabouts) -> Finding:
    """What a rule says, no surer than *ground* and *graph* allow, and with all fields filled."""
    actors = (*finding.tasks, *(thread_id(one.pid, one.tid) for one in finding.threads))
    nodes = (*actors, *(process_id(pid) for pid in finding.processes))
    subject = finding.subject or next(iter(nodes), None)
    pids = (*finding.processes, *(node.pid for node in actors))
    return replace(
        honest(finding, ground, graph),
        subject=subject,
        processes=tuple(dict.fromkeys(pids)),
        reason=ground.reason,
        where=finding.where or stands.of((*filter(None, [finding.subject]), *actors)),
    )


def _in_part(capture: Capture, process: Process) -> str:
    return sentence(process.pid, gaps(capture, process))


def _roots(ranked: Iterable[Finding], capture: Capture) -> list[Finding]:
    """Without those of which every thread is part of a finding above, or waits behind one."""
    kept: list[Finding] = []
    told: dict[frozenset[tuple[int, int]], list[Finding]] = {}
    explained: set[tuple[int, int]] = set()
    in_rings: set[tuple[int, int]] = set()
    for finding in ranked:
        own = places(finding.threads)
        if own and own <= explained and finding.severity is not Severity.ERROR:
            continue
        if own and own <= in_rings and finding.reason is Reason.NOBODY:
            continue  # who waits for whom tells more
        same = told.setdefault(frozenset(own), [])
        if finding.severity is Severity.ERROR and _same(finding, same):
            continue
        kept.append(finding)
        same.append(finding)
        explained |= own | explained_by(finding)
        if finding.severity is Severity.ERROR and finding.reason is Reason.RING:
            in_rings |= own | explained_by(finding)
        if finding.reason is Reason.CRASH and finding.id != SENT:
            # What its other threads waited for is not why it ended.
            pids = {pid for pid, _ in own}
            explained |= {(t.pid, t.tid) for t in capture.threads() if t.pid in pids}
    return kept


def _same(finding: Finding, kept: Iterable[Finding]) -> bool:
    """Whether one of those of the very same threads told of the same resources."""
    return any(
        set(finding.resources) <= set(other.resources) and other.severity is finding.severity
        for other in kept
    )


def _more(count: int) -> Finding:
    return _about_ourselves(
        f"{counted(count, 'more finding')} {'is' if count == 1 else 'are'} left out",
        f"Only the worst {MOST} are shown.",
        "Fix these first, or look at fewer processes.",
    )


def _failed(rule: str, error: Exception) -> Finding:
    """That a rule could not judge: without it, its silence would read as good news."""
    return _about_ourselves(
        f"The rule {rule} failed, so it found nothing",
        f"hangtui could not look for {rule}: {type(error).__name__}: {clean(str(error))}.",
        "Report it with the capture (hangtui record PID -o x.hang).",
    )


def _about_ourselves(title: str, sentence: str, advice: str) -> Finding:
    """What is missing among the findings."""
    return Finding(
        id=RULE_FAILED,
        severity=Severity.NOTE,
        certainty=Certainty.CERTAIN,
        title=title,
        sentence=sentence,
        threads=(),
        advice=(advice,),
    )
