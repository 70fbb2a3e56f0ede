"""Beside what keeps a rank of a job: which other ranks wait for it, and in which operation.

Why a rank does not come is told by a rule of its own, be it a deadlock or a lock on a file. The
others of its job are no part of that, and yet what a person sees of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.collectives import exchange
from hangtui.findings.english import clauses
from hangtui.findings.jobs import Inside, by_place, named
from hangtui.findings.outside.rank_elsewhere import Parts, divided
from hangtui.findings.outside.rank_waits import waited_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Finding, Severity, Thread, ThreadRef

_Places = frozenset[tuple[int, int]]


class _Behind(NamedTuple):
    """What is told of the ranks that wait for others of their job."""

    sentence: str
    evidence: str
    waiting: tuple[Thread, ...]
    stays: bool
    """They wait, and are not merely a moment early."""
    title: str
    """``; rank 1 waits for rank 0 in all_reduce``; empty: nobody is in such an operation."""


def with_other_ranks(
    findings: Sequence[Finding], capture: Capture, graph: WaitGraph
) -> list[Finding]:
    """*findings*, of which those that keep a rank tell who of its job waits for it. Of several the
    first has these as its victims."""
    told = list(findings)
    if all(one.severity is Severity.NOTE for one in told):
        return told
    for parts in divided(capture, talking=True):
        missing, talking = _absent(parts)
        absent = _places(missing)
        waiting = _places((*(thread for thread, _ in parts.inside), *talking))
        known: dict[bool, _Behind] = {}
        for index, finding in enumerate(told):
            if finding.severity is Severity.NOTE or not _keeps(finding, absent, waiting):
                continue
            if waiting & _places(finding.victims):
                continue  # it is told in a longer chain
            first, never = not known, finding.severity is Severity.ERROR
            if never not in known:
                words = words_of(capture, graph)
                known[never] = _behind(parts.inside, talking, missing, words, never=never)
            behind = known[never]
            holders = {hold.target.pid for one in finding.resources
                       for hold in graph.holders_of(one)}  # fmt: skip
            ring = any(thread.pid in holders for thread in behind.waiting)
            told[index] = _with(finding, behind, victims=first, ring=ring and behind.stays)
    return told


def _absent(parts: Parts) -> tuple[list[Thread], list[Thread]]:
    """Who is in no operation of several ranks, and who waits to send or to receive meanwhile."""
    missing: list[Thread] = []
    talking: list[Thread] = []
    for thread in parts.missing:
        (talking if exchange(thread) else missing).append(thread)
    return missing, talking


def _keeps(finding: Finding, absent: _Places, waiting: _Places) -> bool:
    """Whether it tells why one of *absent* does not come."""
    own = _places(finding.threads)
    return not own & waiting and bool(absent & (own | _places(finding.victims)))


def _behind(
    inside: Sequence[Inside],
    talking: Sequence[Thread],
    missing: list[Thread],
    words: Words,
    *,
    never: bool,
) -> _Behind:
    """*never*: who is missing does not come; else several looks tell who waits from who is about to
    go on."""
    waiting = [thread for thread, _ in inside]
    absent = named(missing, words)
    stays = never or any(waited_s(thread, words) >= STILL_S for thread in waiting)
    told: list[str] = []
    for operation, place, those in reversed(by_place(inside)):
        one, who = len(those) == 1, named(those, words)
        verb = f"{'waits' if one else 'wait'} for {absent}" if stays else "is" if one else "are"
        told.append(f"{who}{'' if told else f' {verb}'} in {operation.rstrip(',')}{place}")
    if told and not stays:
        told[-1] += f", which {absent} {'has' if len(missing) == 1 else 'have'} not called"
    for operation, place, those in by_place([(t, exchange(t) or "") for t in talking]):
        verb = "waits" if len(those) == 1 else "wait"
        told.append(
            f"{named(those, words)} {verb} in {operation}{place} until another rank takes part"
        )
    sentence = clauses(told)
    title = f"; {told[0]}" if inside and stays else ""
    called = (f"{operation} is on the stacks of {named(those, words)}"
              for operation, _, those in by_place(inside))  # fmt: skip
    none = f"no collective is on the stack of {absent}"
    return _Behind(
        f" {sentence[:1].upper()}{sentence[1:]}",
        f"{clauses([none, *called])} (inferred)",
        (*waiting, *talking),
        stays,
        title,
    )


def _with(finding: Finding, behind: _Behind, *, victims: bool, ring: bool) -> Finding:
    """*ring*: one of those who wait has what the finding's threads wait for."""
    end = ", so none of these gets on." if ring else "."
    more = map(ref, behind.waiting) if victims else ()
    return replace(
        finding,
        title=f"{finding.title}{behind.title if victims else ''}",
        sentence=f"{finding.sentence}{behind.sentence}{end}",
        evidence=(*finding.evidence, behind.evidence),
        victims=tuple(dict.fromkeys((*finding.victims, *more))),
    )


def _places(threads: Iterable[Thread | ThreadRef]) -> _Places:
    return frozenset((thread.pid, thread.tid) for thread in threads)
