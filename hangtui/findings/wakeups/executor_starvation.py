"""All workers of a thread pool wait for tasks that are queued behind them in the same pool."""

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.dataclass import dataclass
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.english import counted, joined, listed
from hangtui.findings.greenlet_pools import greenlet_pools, queued_behind
from hangtui.findings.grounds import NOBODY
from hangtui.findings.pools import position
from hangtui.findings.rings.closed import all_wait
from hangtui.findings.stack_queries import (
    at,
    callers_of,
    index_of,
    kind_of,
    own_frame,
    still,
    stood_s,
    told,
    wait_for_ever,
)
from hangtui.findings.standing import stood_still
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.wakeups.pool_held_up import held_up
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, NodeKind, Process, Severity, Task, Thread

ID = "executor-starvation"
GROUND = NOBODY
HELP = """\
Tasks of a pool that submit more tasks to the same pool and wait for their results need a free
worker for these. If every worker waits, none is left.

How it is known: every worker of the pool is in `Future.result()`, and no thread's frames run the
tasks that they wait for. Those are read in its queue, or are futures that a callback of a task in
that queue leads to, as libraries have them that make futures of their own; where the queue cannot
be read and there is one pool, that they are in it is inferred. Of Twisted every worker is in
`blockingCallFromThread()` for the result of a `deferToThread()` that is in the queue.
It is an error where the queue of the pool was read and all workers are known that it may have, and
where each thread of the process waits for good for what only another one can give: then nobody is
left to run those tasks, whichever pool has them.

Where all workers wait for something else, for good, nobody is known to be at its other end, and no
other thread of the process can go on, tasks that are awaited and lie in the queue of the pool are
told as well: one of them may be what would end these waits.

After gevent has patched the standard library the workers of such a pool are greenlets. It is an
error if all of them are known, each waits without a timeout, and what it waits for was read in the
queue of the pool.
"""

_RESULT = {"result", "exception", "wait", "as_completed"}
_WAITING_FILE = "concurrent/futures/_base.py"


@dataclass(frozen=True, slots=True)
class _Library:
    """Whose pools."""

    file: str
    work: frozenset[str]
    """The functions in *file* that its workers run."""
    separator: str
    """What comes before the number in the name of a worker."""
    pool: str
    call: str
    """What waits for a result."""
    results: str
    """What the inner tasks give back."""
    more: str
    """What makes it larger."""
    name: str | None = None
    """What its pools are called, where the names of its workers do not tell."""


_PYTHON = _Library(
    "concurrent/futures/thread.py",
    frozenset({"_worker"}),
    "_",
    "ThreadPoolExecutor",
    "Future.result()",
    "futures",
    "max_workers",
)
_FUTURIST = _Library(
    "futurist/_thread.py",
    frozenset({"run"}),
    "-",
    "ThreadPoolExecutor",
    "concurrent.futures.wait()",
    "futures",
    "max_workers",
    "futurist's ThreadPoolExecutor",
)
_TWISTED = _Library(
    "twisted/_threads/_threadworker.py",
    frozenset({"work"}),
    "-",
    "ThreadPool of Twisted",
    "blockingCallFromThread()",
    "Deferreds",
    "reactor.suggestThreadPoolSize()",
)
_NEVER = "whichever pool they are queued in: nobody is left in the process who could run them"
_UNREAD = "whether these tasks were really submitted to this pool: its queue is not read"
_ONLY_POOL = "of the only pool"
"""In the reading of who might take a task, where its pool's queue could not be read."""
_ALL_KNOWN = "all workers that it may have are known"
"""In the same where the queue was read: nobody else could take the task."""
_IN_THREAD = "twisted.internet.threads.deferToThread"


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each pool of which no worker is free."""
    words = words_of(capture, graph)
    found = []
    for process in capture.processes:
        for library, queued in (
            (_PYTHON, _not_begun),
            (_FUTURIST, _not_begun),
            (_TWISTED, _queued),
        ):
            for name, workers in _pools(process, library).items():
                waits = [wait for worker in workers if (wait := queued(worker, words))]
                waits = [wait for wait in waits if _behind(wait, workers, words)]
                if len(waits) == len(workers):
                    never = all_wait(process, words)
                    found.append(_finding(name, library, workers, waits, words, never=never))
                elif library is _PYTHON and (one := held_up(ID, name, workers, process, words)):
                    found.append(one)
    for (_, name), greenlets in greenlet_pools(words).items():
        if waits := queued_behind(greenlets, words):
            found.append(_of_greenlets(name, greenlets, waits, words))
    return found


def _pools(process: Process, library: _Library) -> dict[str, list[Thread]]:
    """The workers of each pool: they are called ``PREFIX_0``, ``PREFIX_1``, ..."""
    pools: dict[str, list[Thread]] = {}
    for thread in process.threads:
        if index_of(thread, library.work, library.file) is not None:
            prefix = library.name or thread.name.rpartition(library.separator)[0]
            pools.setdefault(prefix or thread.name, []).append(thread)
    return pools


def _behind(wait: Edge, workers: list[Thread], words: Words) -> bool:
    """Whether nobody but these could take the task that is waited for."""
    own = {worker.id for worker in workers}
    return own >= {hold.target for hold in words.graph.holders_of(wait.target)}


def _queued(worker: Thread, words: Words) -> Edge | None:
    """Its wait for a call that lies in the queue of Twisted's pool."""
    wait = wait_for_ever(worker, words)
    resource = words.resource(wait.target) if wait else None
    if wait is None or resource is None or resource.type_name != _IN_THREAD:
        return None
    return None if words.graph.holders_of(wait.target) else wait


def _not_begun(worker: Thread, words: Words) -> Edge | None:
    """Its wait for a task that no thread has begun."""
    wait = wait_for_ever(worker, words)
    if wait is None and stood_s(worker, words) >= STILL_S:
        # Until its timeout is over nobody else can run the task either.
        wait = words.graph.wait_of(worker.id)
    if wait is None or index_of(worker, _RESULT, _WAITING_FILE) is None:
        return None
    if kind_of(wait, words) is not NodeKind.FUTURE:
        return None
    holds = words.graph.holders_of(wait.target)
    begun = any(
        hold.evidence.certainty.supports_claim and _ALL_KNOWN not in hold.evidence.text
        for hold in holds
    )
    return None if begun or not holds else wait


def _named(name: str, library: _Library) -> str:
    return name if library.pool in name else f"{name} (a {library.pool})"


def _finding(
    name: str,
    library: _Library,
    workers: list[Thread],
    waits: list[Edge],
    words: Words,
    *,
    never: bool,
) -> Finding:
    frame = own_frame(workers[0])
    one = len(workers) == 1
    who = "the only worker" if one else f"all {len(workers)} workers"
    names = listed([words.thread_name(worker) for worker in workers])
    holds = [hold for wait in waits for hold in words.graph.holders_of(wait.target)]
    timed = any(wait.expires for wait in waits)
    unread = not holds or any(_ONLY_POOL in hold.evidence.text for hold in holds)
    sure = bool(holds) and all(_ALL_KNOWN in hold.evidence.text for hold in holds)
    return Finding(
        id=ID,
        severity=Severity.ERROR if (never or sure) and not timed else Severity.WARNING,
        certainty=as_sure_as(Certainty.PROVEN, *waits) if sure else Certainty.INFERRED,
        never_ends=never,
        title=f"Thread pool starved: {who} of {name} {'waits' if one else 'wait'} for tasks "
        "queued in the same pool",
        sentence=(
            f"{who[:1].upper()}{who[1:]} of the pool {_named(name, library)} "
            f"{'waits' if one else 'wait'} in {library.call} for other "
            f"tasks{at(frame)}{callers_of(workers[0], frame)}, and no thread runs these: they are "
            "queued in the same pool, where no worker is free to take them. None of them can go on"
            f"{' before its timeout' if timed else ''}."
        ),
        threads=tuple(ref(worker) for worker in workers),
        resources=tuple(dict.fromkeys(wait.target for wait in waits)),
        evidence=(
            f"the workers of {name}: {names}; each is inside a task, none waits for work",
            *(words.reading(wait) for wait in waits[:NAMES_LISTED]),
            (
                f"no thread runs {counted(len({w.target for w in waits}), 'awaited task')}: no "
                f"frame of any thread does{', and this is the only thread pool' if unread else ''}"
            ),
            *([] if unread else [words.reading(hold) for hold in holds[:NAMES_LISTED]]),
            still(workers),
            *((_NEVER,) if never else ()),
        ),
        unknown=(_UNREAD,) if unread else (),
        advice=(
            (
                f"Do not wait for tasks of a pool inside its own tasks{at(frame)}: return the "
                f"{library.results} and wait for them outside, or give the inner tasks to a "
                "second pool."
            ),
            (
                f"More workers ({library.more}) only postpone it: it comes back with as many outer "
                f"tasks as workers in {told(frame) or 'that function'}."
            ),
        ),
    )


def _of_greenlets(name: str, workers: list[Task], waits: list[Edge], words: Words) -> Finding:
    """Of a pool whose workers are greenlets, which records what is queued for them."""
    holds = [
        hold
        for target in dict.fromkeys(wait.target for wait in waits)
        for hold in words.graph.holders_of(target)
    ]
    certainty = as_sure_as(*waits, *holds)
    sure = certainty.supports_claim
    one = len(workers) == 1
    who = joined([words.actor_name(worker) for worker in workers[:NAMES_LISTED]])
    if len(workers) > NAMES_LISTED:
        who = counted(len(workers), "greenlet")
    places = listed(list(dict.fromkeys(map(position, workers))))
    has = f"{'has' if one else 'have'} {'the only place' if one else 'all places'}"
    size = counted(len(workers), "worker")
    queued = "in the queue of that pool" if sure else "queued in the same pool, as it seems"
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure else Severity.WARNING,
        certainty=certainty,
        title=(
            f"Thread pool starved: {who} {has} of {name} and {'waits' if one else 'wait'} for "
            "tasks queued behind in the same pool"
        ),
        sentence=(
            f"{who} {has} of the pool {_named(name, _PYTHON)} ({size}, which "
            f"{'is a greenlet' if one else 'are greenlets'}) and {'waits' if one else 'wait'} at "
            f"{places} for other tasks, which are {queued}, where no worker is free to take them. "
            f"{'It cannot' if one else 'None of them can'} go on.{words.loops(workers)}"
        ),
        threads=tuple(ref(thread) for thread in words.carriers(workers)),
        tasks=tuple(worker.id for worker in workers),
        subject=workers[0].id,
        resources=tuple(dict.fromkeys(wait.target for wait in waits)),
        evidence=(
            *(words.reading(edge) for edge in (*waits[:NAMES_LISTED], *holds[:NAMES_LISTED])),
            stood_still(workers, words),
            "none of these waits has a timeout",
        ),
        unknown=() if sure else (_UNREAD,),
        advice=(
            (
                f"Do not wait for tasks of a pool inside its own tasks, as at {places}: return the "
                "futures and wait for them outside, or give the inner tasks to a second pool."
            ),
            (
                f"More workers ({_PYTHON.more}) only postpone it: it comes back with as many outer "
                "tasks as workers."
            ),
        ),
    )
