"""An actor all of whose threads for methods wait for what another of its methods would do."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.actor_threads import ended_by, stuck_actors
from hangtui.findings.english import clauses, joined
from hangtui.findings.grounds import NOBODY
from hangtui.findings.outside.cluster_waits import awaited
from hangtui.findings.stack_queries import at, own_frame, still, stood_s, wait_for_ever
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, NodeId, NodeKind, Severity, Thread

ID = "calls-never-begin"
GROUND = NOBODY
HELP = """\
An actor of Ray runs one method at a time, or as many as it has threads (`max_concurrency`). Here
each of these threads is inside of a method and waits for what only another method of the same
actor would do: set an event, notify a condition, put into a queue. Whoever calls that method gets
no answer: the call stays in the actor's queue, and never begins.

How it is known: an actor's threads for methods begin in a function of Ray that tells them from all
others, and each was looked at; no thread of the process is on the way to what they wait for, and
the code that would do it is that of methods of the actor's class, which nobody runs. It is an error
if somebody waits for the actor's answer, and all stood still for a second or more; a warning if
nobody does, or if the only thread waits for an event, as one does that is there until it is killed.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such actor."""
    words = words_of(capture, graph)
    found = []
    for actor, holds in stuck_actors(words).items():
        threads = words.threads(dict.fromkeys(hold.target for hold in holds))
        waits = [wait for one in threads if (wait := wait_for_ever(one, words))]
        if threads and len(waits) == len(threads):
            found.append(_finding(actor, threads, waits, words))
    return found


def _finding(
    actor: NodeId, threads: Sequence[Thread], waits: Sequence[Edge], words: Words
) -> Finding:
    callers = [one for one in words.graph.waiters_of(actor) if one.source.pid != actor.pid]
    lasts = all(stood_s(one, words) >= STILL_S for one in threads)
    # As one does that is there until it is killed.
    parks = len(threads) == 1 and waits[0].target.kind is NodeKind.EVENT
    never = lasts and bool(callers) and not parks
    title, asked = _asked(actor, callers, words)
    by = joined(ended_by(waits, words))
    doing = [
        f"{words.thread_name(thread)} {words.waiting(wait)}"
        for thread, wait in zip(threads, waits, strict=True)
    ]
    where, goal = at(own_frame(threads[0])), words.goal(waits[0])
    of_these = {1: "the only thread", 2: "both threads"}.get(len(threads), "all threads")
    verb = "waits" if len(threads) == 1 else "wait"
    calls = "this call" if len(threads) == 1 else "these calls"
    return Finding(
        id=ID,
        severity=_severity(lasts=lasts, never=never),
        certainty=Certainty.INFERRED,
        never_ends=never,
        title=(
            f"{title}{of_these} of which {verb}{where} {goal}: only a call of {by} would end that, "
            "which never begins"
        ),
        sentence=(
            f"{asked}{of_these[:1].upper()}{of_these[1:]} that it has for its methods "
            f"(max_concurrency) {verb}: {clauses(doing)}. The program would end that in {by}, "
            f"which nobody runs: a call of it stays in the queue of the actor, behind {calls}, and "
            "never begins."
        ),
        threads=tuple(map(ref, (*threads, *words.threads(one.source for one in callers)))),
        tells_victims=True,
        resources=tuple(dict.fromkeys((actor, *(one.target for one in waits)))),
        evidence=(
            *(words.reading(hold) for hold in words.graph.holders_of(actor)[:NAMES_LISTED]),
            *(words.reading(one) for one in waits[:NAMES_LISTED]),
            still(threads),
        ),
        unknown=("whether such a call is in its queue already",),
        advice=(
            (
                "Give the actor more threads than calls of it that wait (max_concurrency), or make "
                "its methods async and await there: then it begins others meanwhile."
            ),
        ),
    )


def _asked(actor: NodeId, callers: Sequence[Edge], words: Words) -> tuple[str, str]:
    """How the title begins, and a sentence: who waits for the actor's answer."""
    name = words.name(actor)
    if not callers:
        return f"{name[:1].upper()}{name[1:]} answers nobody, ", f"Of {name}: "
    told = []
    for wait in callers[:NAMES_LISTED]:
        caller, known = words.thread(wait.source), words.wait(wait)
        call = f", in {known.call}," if known and known.call else ""
        where = at(own_frame(caller)) if caller else ""
        told.append(f"{words.name(wait.source)} waits{where}{call} for {awaited(wait, words)}")
    return f"{told[0]}, ", f"{clauses(told, len(callers))}. "


def _severity(*, lasts: bool, never: bool) -> Severity:
    if never:
        return Severity.ERROR
    return Severity.WARNING if lasts else Severity.NOTE
