"""All worker threads of a pool that is not `ThreadPoolExecutor` wait for results of that pool."""

from collections.abc import Iterator

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.analysis.wakers import coming
from hangtui.findings.english import clauses, listed
from hangtui.findings.grounds import NOBODY
from hangtui.findings.pool_workers import started_by
from hangtui.findings.stack_queries import (
    at,
    callers,
    depth_of,
    index_of,
    main_thread,
    own_frame,
    still,
    way_of,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.wakeups.nobody_left_words import behind
from hangtui.findings.wakeups.pool_kinds import KINDS, PoolKind
from hangtui.findings.wakeups.work_behind import work_behind
from hangtui.findings.wakeups.workers_begin import none_has_begun
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, Process, Progress, Severity, Thread

ID = "pool-starvation"
GROUND = NOBODY
HELP = """\
Like [executor-starvation](executor-starvation.md), for other pools:
`multiprocessing.pool.ThreadPool`, pebble's, the worker of Dask, and a worker of Celery which calls
tasks in the loop that takes them (`--pool solo`), or all of whose processes have one. A task that
submits more tasks to its own pool and waits for them needs a free thread for these. The same
befalls a callback of a `multiprocessing` pool, or of pebble's `ProcessPool`, that waits for another
result: the thread which calls it hands out all.

Threads of a package or of the program that take work out of a queue are told here, too, if all
that take from it have waited inside of earlier work for a second or more, for what nobody is seen
to give, or look there again and again for what only such work would bring, while more lies in the
queue. It is a warning if no other thread does anything meanwhile, or if some of that is a call of
what is waited for (`ready.set`). So is a task of a package that has called the program, and that
waits in the package again, while its next piece of work (a batch) waits until this one has ended.
So is a pool of processes all whose workers wait in their `initializer`, for what only these or the
process of the pool could bring, where all code of the program waits for the pool.

How it is known: every thread that runs tasks of the pool is inside one, which waits in a function
of the same library, or of a future, for a result, in each of several looks. That what it waits for
is queued behind it is inferred; with Dask and Celery, other workers may take it.
"""


_DEAD = ("Z", "X")
_RUNS_AT_MOST = 10
"""How often a thread may be given a processor for one wait that the clock ends: it also waits for
the GIL then."""
_WORKERS = frozenset(name for kind in KINDS for name in kind.worker)


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each pool of which no thread is free."""
    words = words_of(capture, graph)
    found = [
        _finding(kind, workers, words)
        for process in capture.processes
        for kind, workers in (*starved(process, words), *_starved_children(process, words))
    ]
    found += none_has_begun(ID, words)
    return found or list(work_behind(ID, capture, words))


def starved(process: Process, words: Words) -> Iterator[tuple[PoolKind, list[Thread]]]:
    """The pools of a process of which no thread is free, with their threads."""
    if any(index_of(thread, _WORKERS) is not None for thread in process.threads):
        for kind in KINDS:
            for workers in _pools(process, kind):
                waits = all(_waits(thread, kind, words) for thread in workers)
                if waits and not any(_is_of_others(thread, kind, words) for thread in workers):
                    yield kind, workers


def _starved_children(process: Process, words: Words) -> Iterator[tuple[PoolKind, list[Thread]]]:
    """The pools of processes that *process* has started, of which none is free."""
    for kind in (one for one in KINDS if one.processes):
        around = process.around.children if process.around else None
        living = [one for one in around or () if one.state not in _DEAD and not one.helper]
        mains = [main_thread(one) for one in started_by(process.pid, words.capture)]
        workers = [
            one for one in mains if one and index_of(one, kind.worker, kind.file) is not None
        ]
        # One that was not looked at may be free.
        whole = bool(workers) and len(workers) == len(living)
        if whole and all(_waits(one, kind, words) for one in workers):
            yield kind, workers


def _pools(process: Process, kind: PoolKind) -> Iterator[list[Thread]]:
    """The threads of each pool. Dask's are called by it; those of `ThreadPool` are not, so that
    all of them count as one. A worker of a `Pool` is the main thread of its process."""
    pools: dict[str, list[Thread]] = {}
    for thread in process.threads:
        main = thread.tid == thread.pid and not kind.one_loop
        if main or kind.processes or index_of(thread, kind.worker, kind.file) is None:
            continue
        name = thread.name.rpartition("-")[0] if kind.beyond else ""
        pools.setdefault(name, []).append(thread)
    yield from pools.values()


def _waits(thread: Thread, kind: PoolKind, words: Words) -> bool:
    """Whether it waits for a result, below a frame of the program, in all of several looks."""
    waiting = index_of(thread, kind.functions, kind.waits_in)
    working = index_of(thread, kind.worker, kind.file)
    inside = waiting is not None and working is not None and waiting < working
    return inside and _waits_for_result(thread, kind, words)


def _is_of_others(thread: Thread, kind: PoolKind, words: Words) -> bool:
    """Whether what hands out results waits for one that somebody else has in hand, or would bring:
    a future need not be of the same pool."""
    wait = words.graph.wait_of(thread.id)
    if not kind.callbacks or wait is None:
        return False
    comers = [one.candidate for one in coming(words.graph, wait.target, way_of(wait, words))]
    others = [one for one in words.threads(comers) if not _is_in(one, kind.file)]
    return bool(others or words.graph.holders_of(wait.target))


def _is_in(thread: Thread, file: str) -> bool:
    return any(one.filename.endswith(file) for one in thread.python_stack or ())


def _waits_for_result(thread: Thread, kind: PoolKind, words: Words) -> bool:
    """Whether several looks saw it wait, from a frame of the program, for a result."""
    if index_of(thread, kind.functions, kind.waits_in) is None or own_frame(thread) is None:
        return False
    seen = words.progress.get(thread.id)
    if seen is None:
        return False
    return seen.waited_s >= STILL_S or (_only_by_the_clock(seen, kind) and seen.lasted_s >= STILL_S)


def _only_by_the_clock(seen: Progress, kind: PoolKind) -> bool:
    """Whether it was given a processor no more often than a wait needs that ends by the clock, and
    begins anew on the same lines: fewer looks are enough then, as on a busy machine."""
    if kind.again_s is None or seen.wakes is None or not seen.same_stack or seen.returned:
        return False
    return seen.wakes <= _RUNS_AT_MOST * (1 + seen.lasted_s / kind.again_s)


def _clients(workers: list[Thread], words: Words) -> list[Thread]:
    """The other threads of the process."""
    process = words.capture.process(workers[0].pid)
    return [one for one in process.threads if one not in workers] if process else []


def _finding(kind: PoolKind, workers: list[Thread], words: Words) -> Finding:
    frame = own_frame(workers[0])
    index = depth_of(workers[0], frame)
    one = len(workers) == 1
    unit, units = ("process", "processes") if kind.processes else ("thread", "threads")
    who = f"the only {unit}" if one else f"all {len(workers)} {units}"
    verb = "waits" if one else "wait"
    names = listed([words.thread_name(worker) for worker in workers])
    called = _called(workers[0], kind)
    title = (
        f"Thread pool starved: {who} of the {kind.name} {verb} in {called}() for results of tasks "
        "queued behind"
    )
    meant = (
        f"for tasks that {'it' if one else 'they'} submitted from inside a task. If these are "
        f"queued for the same {units}, none is free to run them, and nobody ends that."
    )
    inside = "callback" if kind.callbacks else "task"
    if kind.callbacks:
        title = (
            f"Pool stuck: {who} that hands out results {verb} in {called}(), in a callback, for "
            "another result"
        )
        meant = (
            f"in a callback. The result that {'it' if one else 'they'} wait"
            f"{'s' if one else ''} for is handed out by nobody else."
        )
    if kind.processes:
        title = (
            f"{kind.name} stuck: {who} of its pool {verb} in {called}(){at(frame)}, inside a task, "
            "for the result of another one"
        )
    if kind.one_loop:
        title = (
            f"{kind.name} stuck: the thread that takes its tasks waits in {called}(){at(frame)}, "
            "inside one"
        )
        meant = (
            "for the result of another task. The loop that takes tasks is further out on the same "
            "stack, and takes none before that ends."
        )
    clients = [one for one in _clients(workers, words) if _waits_for_result(one, kind, words)]
    too = f" {words.listed(clients)} {'waits' if len(clients) == 1 else 'wait'} for a result, too."
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=title,
        sentence=(
            f"{who[:1].upper()}{who[1:]} of the {kind.name} ({names}) {verb} in {called}()"
            f"{at(frame)}{callers(workers[0], index)} {meant}{too if clients else ''}"
            f"{_told_behind(workers, clients, words)}"
        ),
        threads=tuple(ref(one) for one in (*workers, *clients)),
        evidence=(
            f"each of {names} is inside a {inside} of the {kind.name}, and none waits for work",
            f"each waits in {called}() for a result, on the same lines in several looks",
            still(workers),
        ),
        unknown=(
            "whether these tasks were really submitted to this pool: its queue is not read",
            *([kind.beyond] if kind.beyond else []),
        ),
        advice=(kind.advice,),
    )


def _told_behind(workers: list[Thread], clients: list[Thread], words: Words) -> str:
    """`` Behind it MainThread waits at app.py:9 (run) for an item of Desk.answers.``"""
    others = [one for one in _clients(workers, words) if one not in clients and own_frame(one)]
    waits = [(one, its) for one in others if (its := words.graph.wait_of(one.id))]
    found = [one for worker in workers for one in behind(worker, waits, words)]
    told = [f"{words.thread_name(one)} {words.waiting(its)}" for one, its in dict.fromkeys(found)]
    return f" Behind it {clauses(told[:NAMES_LISTED], len(told))}." if told else ""


def _called(thread: Thread, kind: PoolKind) -> str:
    index = index_of(thread, kind.functions, kind.waits_in) or 0
    return (thread.python_stack or ())[index].function
