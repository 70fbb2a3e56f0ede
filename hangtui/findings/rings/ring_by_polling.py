"""Threads that look again and again for what others would change, with a lock held that these wait
for."""

from collections.abc import Iterator

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import clauses, joined
from hangtui.findings.looked import looked_at
from hangtui.findings.polled import stayed_s
from hangtui.findings.stack_queries import at, callers_of, own_frame, told, wait_for_ever
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref
from hangtui.model import Certainty, Finding, Polled, Severity, Thread

_Ring = list[tuple[Thread, Edge, str]]
"""Who would change it, what each waits for, and where it would."""


def found(rule: str, words: Words) -> Iterator[Finding]:
    """One finding for each loop that nothing but a change would end, and that several looks met for
    a second, if all who come to the change wait for good for what the one that looks holds."""
    for one in words.capture.polled:
        thread = words.thread(one.waiter)
        if thread is None or one.written or one.waiter not in words.looking:
            continue
        if (ring := _changers(one, words)) and stayed_s(thread, words) >= STILL_S:
            yield _finding(rule, thread, one, ring, words)


def _changers(polled: Polled, words: Words) -> _Ring:
    """Empty: one of them goes on, or waits for something else."""
    ring: _Ring = []
    for one in polled.changers:
        thread = words.thread(one.actor)
        wait = wait_for_ever(thread, words) if thread else None
        holds = words.graph.holders_of(wait.target) if wait else ()
        sure = [hold for hold in holds if hold.evidence.certainty.supports_claim]
        if thread is None or wait is None or [one.target for one in sure] != [polled.waiter]:
            return []
        ring.append((thread, wait, one.place))
    return ring


def _finding(rule: str, thread: Thread, polled: Polled, ring: _Ring, words: Words) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread)
    looks = looked_at(polled)
    locks = list(dict.fromkeys(wait.target for _, wait, _ in ring))
    held = joined([words.name(one) for one in locks[:NAMES_LISTED]])
    who = joined([words.thread_name(one) for one, _, _ in ring[:NAMES_LISTED]])
    waits = "waits" if len(ring) == 1 else "wait"
    places = joined(list(dict.fromkeys(place for _, _, place in ring)))
    holds = [hold for one in locks for hold in words.graph.holders_of(one)]
    doing = clauses([f"{words.thread_name(one)} {words.waiting(wait)}" for one, wait, _ in ring])
    return Finding(
        id=rule,
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=(
            f"{name} polls {looks}{at(frame)} and holds {held} meanwhile, for which {who} {waits}, "
            f"who would change that in {places}"
        ),
        sentence=(
            f"{name} sleeps{at(frame)}{callers_of(thread, frame)}, and looks again and again at "
            f"{looks}. Only {who} {'is' if len(ring) == 1 else 'are'} seen to come to change that "
            f"(in {places}): {doing}, which {name} holds. Each waits for the other."
        ),
        threads=(ref(thread), *(ref(one) for one, _, _ in ring)),
        resources=tuple(locks),
        subject=thread.id,
        evidence=(
            f"{name} looks at {looks} between two sleeps, on the same lines in every look",
            *(words.reading(wait) for _, wait, _ in ring),
            *map(words.reading, holds),
        ),
        unknown=("whether another thread, begun later, would change it",),
        advice=(
            (
                f"Give the lock back before each sleep ({told(frame)}), or wait with a "
                "threading.Condition of that lock, which does so."
            ),
        ),
    )
