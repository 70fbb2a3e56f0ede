"""All workers of a thread pool wait for anything at all, while tasks that are queued behind them
are awaited: what would end these waits may be one of those."""

from collections.abc import Iterable, Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import clauses, counted, joined, listed
from hangtui.findings.inert import has_no_source, wait_inside, waits_for_work
from hangtui.findings.outside.traffic import own_ends
from hangtui.findings.pools import position
from hangtui.findings.stack_queries import below_application, does, still, stood_s
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Actor, Words, ref
from hangtui.findings.written import elsewhere, who_else
from hangtui.model import Certainty, Finding, NodeId, NodeKind, Process, Severity, Thread

_ANY = frozenset({NodeKind.SOCKET, NodeKind.PROCESS, NodeKind.FILE_LOCK, NodeKind.FUTURE})
"""What ends by itself, sooner or later, or is told otherwise."""


def held_up(
    identifier: str, name: str, workers: Sequence[Thread], process: Process, words: Words
) -> Finding | None:
    """The finding of one pool; None: one of its workers, or somebody else, may go on."""
    waits = [words.lasting.get(worker.id) for worker in workers]
    edges = [one.wait for one in waits if one is not None and one.kind not in _ANY]
    if len(workers) < 2 or len(edges) < len(workers) or process.steady is False:
        return None
    if not all(map(_has_nobody, edges, [words] * len(edges))):
        return None
    queued = _queued(workers, words)
    waiting = [actor for node in queued for actor in _waiting(node, words)]
    others = [one for one in process.threads if one not in workers]
    long = all(stood_s(one, words) >= STILL_S for one in process.threads)
    if not waiting or not long or not all(_rests(one, process, words) for one in others):
        return None
    return _finding(identifier, name, workers, edges, queued, waiting, words)


def _has_nobody(wait: Edge, words: Words) -> bool:
    """Whether nobody is known to have, or to be at the other end of, what is waited for."""
    return not words.graph.holders_of(wait.target)


def _queued(workers: Sequence[Thread], words: Words) -> list[NodeId]:
    """The futures of tasks that any of the workers may take, but that none has begun."""
    own = {worker.id for worker in workers}
    futures = (one.id for one in words.capture.resources if one.kind is NodeKind.FUTURE)
    return [
        node for node in futures if own <= {hold.target for hold in words.graph.holders_of(node)}
    ]


def _waiting(node: NodeId, words: Words) -> list[Actor]:
    actors = (words.actor(wait.source) for wait in words.graph.waiters_of(node))
    return [actor for actor in actors if actor is not None]


def _there(others: Iterable[Thread], words: Words) -> str:
    """``; meanwhile engine (process 12) waits at main.py:12 (serve) for the Queue answers``, of
    others that have what the workers wait for, and wait for something else."""
    told = [does(one, words) for one in others if one.blocked and below_application(one)]
    return f"; meanwhile {listed(told)}" if told else ""


def _rests(thread: Thread, process: Process, words: Words) -> bool:
    """Whether a thread that is none of the workers does nothing before one of them goes on."""
    if waits_for_work(thread) or wait_inside(thread, process, words) is not None:
        return True
    return thread.blocked and any(
        one.pid == process.pid
        and one.tid == thread.tid
        and has_no_source(one, own_ends(thread.id, words.capture))
        for one in words.capture.event_loops
    )


def _finding(
    identifier: str,
    name: str,
    workers: Sequence[Thread],
    waits: Sequence[Edge],
    queued: Sequence[NodeId],
    waiting: Sequence[Actor],
    words: Words,
) -> Finding:
    lines = list(dict.fromkeys(map(position, waiting)))
    places = joined([*lines[:NAMES_LISTED], *(["others"] if lines[NAMES_LISTED:] else [])])
    behind = f"{counted(len(queued), 'task')} queued behind"
    told = clauses([does(one, words) for one in workers[:2]], len(workers))
    names = listed(list(dict.fromkeys(map(words.actor_name, waiting))))
    others = {one.id: one for wait in waits for one in elsewhere(wait, words)}
    return Finding(
        id=identifier,
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=(
            f"Thread pool starved: all {len(workers)} workers of {name} wait, and {behind}, "
            f"awaited by {names} at {places}, cannot begin{_there(others.values(), words)}"
        ),
        sentence=(
            f"All {len(workers)} workers of the pool {name} (a ThreadPoolExecutor) wait: {told}. "
            f"{behind[:1].upper()}{behind[1:]} in the same pool cannot begin before one of them "
            f"ends. They are awaited by {names} at {places}; what the workers wait for may be "
            "theirs to do. No other thread of the process can go on either."
            f"{who_else(list(others.values()), words)}"
        ),
        threads=tuple(ref(worker) for worker in workers),
        resources=tuple(dict.fromkeys(wait.target for wait in waits)),
        evidence=(
            *(words.reading(wait) for wait in waits[:NAMES_LISTED]),
            f"{counted(len(queued), 'awaited task')}: in the queue of the pool, by its own record",
            still(workers),
        ),
        unknown=("whether somebody outside of the process will end one of these waits",),
        advice=(
            (
                "Do not let calls that may wait for one another share a pool: give one side an "
                "executor of its own (loop.run_in_executor(executor, ...)), or open and wait "
                "without blocking."
            ),
        ),
    )
