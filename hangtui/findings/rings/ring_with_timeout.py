"""Threads that wait for each other's locks until a timeout: they give up, begin anew, and may meet
again and again (a livelock)."""

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.claims import reserve
from hangtui.findings.english import joined
from hangtui.findings.grounds import RING
from hangtui.findings.resources import PYTHON_LOCKS
from hangtui.findings.rings import ring_by_polling
from hangtui.findings.stack_queries import kind_of, own_frame, told
from hangtui.findings.thresholds import NAMES_LISTED, SPIN_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, NodeKind, Severity, Thread

ID = "ring-with-timeout"
GROUND = RING
HELP = """\
Like a [deadlock](deadlock.md), but at least one wait has a timeout: when that expires, the thread
goes on. If it then tries the same again, the program is alive and gets nowhere: a livelock. Who
asks for a lock file again and again may give up after a while, too; and who looks again and again
for what another one would change, with the lock held that this one waits for, never gives up.

How it is known: each member waits for a lock that the next one holds, at the moment of the capture.
Only several captures show whether they meet again: `hangtui check` looks several times.
"""

_TIMEOUT = (
    "The first to time out gives up and goes on; if it tries the same again, they meet again: a "
    "livelock, in which everybody is awake and nothing gets done."
)
_OWN_WAY = "None of them gets what it asks for while the others keep what they have."
_ADVICE_SAME = (
    "Ask for what the work needs in the end from the beginning, or give back what it has before it "
    "asks for more: {}."
)
_LOCKS = PYTHON_LOCKS | {NodeKind.MUTEX, NodeKind.RWLOCK, NodeKind.FILE_LOCK}


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each ring of waits for locks that somebody can leave by a timeout."""
    words = words_of(capture, graph)
    impatient = [edge.source for edge in graph.edges if edge.expires]
    members = {edge.source for node_id in impatient for edge in _ring(node_id, words)}
    found: dict[frozenset[str], Finding] = {}
    for thread in capture.threads() if members else ():
        ring = _ring(thread.id, words) if thread.id in members else []
        key = frozenset(edge.source for edge in ring)
        if ring and key not in found:
            found[key] = _finding(ring, words)
    return [*found.values(), *ring_by_polling.found(ID, words)]


def _ring(start: str, words: Words) -> list[Edge]:
    """The waits from a thread through single holders back to it; none if there is no way back, or
    no timeout in it."""
    ring: list[Edge] = []
    here = start
    while True:
        wait = words.graph.wait_of(here)
        if wait is None or kind_of(wait, words) not in _LOCKS or wait in ring:
            return []
        holds = words.graph.holders_of(wait.target)
        sure = len(holds) == 1 and holds[0].evidence.certainty is not Certainty.UNKNOWN
        if not sure or words.thread(holds[0].target) is None:
            return []
        ring.append(wait)
        here = holds[0].target
        if here == start:
            return ring if len(ring) > 1 and any(edge.expires for edge in ring) else []


def _finding(ring: list[Edge], words: Words) -> Finding:
    threads = words.threads([edge.source for edge in ring])
    names = joined([words.thread_name(thread) for thread in threads[:NAMES_LISTED]])
    clauses = [
        f"{words.thread_name(thread)} {words.waiting(edge)}{_until(edge)}"
        for thread, edge in zip(threads, ring, strict=True)
    ]
    polled = all(_polled(edge) for edge in ring if edge.expires)
    holds = [hold for edge in ring for hold in words.graph.holders_of(edge.target)]
    again = _again(threads, words)
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=_title(names, polled=polled, again=bool(again)),
        sentence=(
            f"{'; '.join(clauses[:NAMES_LISTED])}. Each waits for what the next one holds. "
            f"{_OWN_WAY if polled else _TIMEOUT}{again}"
        ),
        threads=tuple(ref(thread) for thread in threads),
        resources=tuple(edge.target for edge in ring),
        evidence=(*(words.reading(edge) for edge in ring), *(words.reading(h) for h in holds)),
        unknown=(
            "whether one of them gives up after a while: they ask again and again"
            if polled
            else "whether they get out of it: how long the timeouts are, and what they do then",
        ),
        advice=(
            "Take the locks in one order everywhere, so that they cannot meet like this: "
            + "; ".join(told(own_frame(thread)) for thread in threads[:NAMES_LISTED])
            + ".",
            "After a timeout release every lock, and wait for a random time before the next try.",
        )
        if len({edge.evidence.where for edge in ring}) > 1
        else (_ADVICE_SAME.format(told(own_frame(threads[0]))),),
    )


def _title(names: str, *, polled: bool, again: bool) -> str:
    if polled:
        return f"{reserve(sure=False)}{names} wait for each other's lock files, by polling"
    more = ", again and again (livelock)" if again else ""
    return f"{names} wait for each other's locks until a timeout{more}"


def _polled(edge: Edge) -> bool:
    """Whether it asks again and again for a lock file, of which the kernel knows no wait."""
    sure = edge.evidence.certainty.supports_claim
    return edge.expires and not sure and edge.target.kind is NodeKind.FILE_LOCK


def _until(edge: Edge) -> str:
    if not edge.expires:
        return ""
    return " by polling" if _polled(edge) else " until a timeout"


def _again(threads: list[Thread], words: Words) -> str:
    """That they were seen in the same functions over several captures, although they ran."""
    ids = {thread.id for thread in threads}
    seen = [one for one in words.capture.progress if one.thread in ids]
    moved = [one for one in seen if one.lasted_s >= SPIN_S and one.unchanged_s < one.lasted_s / 2]
    same = all(len({visit.function for visit in one.visits}) == 1 for one in moved)
    if len(moved) < len(threads) or not same:
        return ""
    longest = max(one.lasted_s for one in moved)
    return f" They ran, but were in the same functions for all {longest:.1f} s."
