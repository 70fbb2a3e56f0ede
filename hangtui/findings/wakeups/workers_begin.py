"""A pool of processes all whose workers wait in their initializer, for what nobody but they and
those who wait for the pool's results could bring."""

from collections.abc import Iterator

from hangtui.findings.english import clauses
from hangtui.findings.pool_workers import in_initializer
from hangtui.findings.stack_queries import (
    at,
    below_application,
    callers,
    depth_of,
    does,
    main_thread,
    own_frame,
    still,
    stood_s,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.wakeups.sharing import enders
from hangtui.findings.words import Words, ref
from hangtui.model import Certainty, Executor, Finding, Process, Severity, Thread

_TAKEN = (
    " The pool replaces each worker after some tasks, as it was told to: what an earlier one took "
    "there has gone with it, if it did not give that back."
)
_GIVE_BACK = (
    "Have the initializer give back what it takes, or hand it out anew for each worker: a worker "
    "that is replaced (maxtasksperchild) does not come to an end of its own code."
)


def none_has_begun(identifier: str, words: Words) -> Iterator[Finding]:
    """One finding for each pool that somebody waits for and no worker of which takes a task."""
    for executor in words.capture.executors:
        process = words.capture.process(executor.pid)
        workers = _beginners(executor, words)
        clients = words.threads(executor.waiters)
        if process is None or process.steady is False or not workers or not clients:
            continue
        if _only_each_other(process, executor, workers, words):
            yield _finding(identifier, executor, workers, clients[0], words)


def _beginners(executor: Executor, words: Words) -> list[Thread]:
    """Its workers, by their main threads, if each is inside of the initializer; none: one is not,
    or was not looked at."""
    processes = [words.capture.process(pid) for pid in executor.worker_pids]
    mains = [main_thread(one) if one is not None else None for one in processes]
    begin = [one for one in mains if one is not None and in_initializer(one, executor)]
    return begin if len(begin) == len(mains) else []


def _only_each_other(
    process: Process, executor: Executor, workers: list[Thread], words: Words
) -> bool:
    """Whether only the workers, and the process of the pool, could end the workers' waits, and all
    code of the program there waits for the pool."""
    group = {executor.pid, *executor.worker_pids}
    for worker in workers:
        ends = enders(worker, words)
        if not ends or not ends <= group or stood_s(worker, words) < STILL_S:
            return False
    others = [one for pid in executor.worker_pids for one in _others(pid, words)]
    own = [one for one in process.threads if one.id not in executor.waiters]
    return not any(map(below_application, (*others, *own)))


def _at_the_end(worker: Thread, words: Words) -> set[int]:
    """The processes that have what a worker waits for, or its other end."""
    target = words.lasting[worker.id].wait.target
    return {hold.target.pid for hold in words.graph.holders_of(target)}


def _others(pid: int, words: Words) -> list[Thread]:
    """The threads of a worker beside its main one."""
    process = words.capture.process(pid)
    return [one for one in process.threads if one.tid != one.pid] if process else []


def _finding(
    identifier: str, executor: Executor, workers: list[Thread], client: Thread, words: Words
) -> Finding:
    # One that waits for another worker tells less.
    workers = sorted(workers, key=lambda one: executor.pid not in _at_the_end(one, words))
    place = at(own_frame(workers[0]))
    count = {1: "the only worker waits", 2: "both workers wait"}.get(
        len(workers), f"all {len(workers)} workers wait"
    )
    name, own = words.thread_name(client), own_frame(client)
    waits = [words.lasting[one.id].wait for one in workers]
    told = clauses([does(one, words) for one in workers[:NAMES_LISTED]], len(workers))
    inside = f"{'its' if len(workers) == 1 else 'their'} initializer"
    return Finding(
        id=identifier,
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=(
            f"No worker of a {executor.title} takes a task, while {name} waits for a result"
            f"{at(own)}: {count} in {inside}{place}, {words.goal(waits[0])}"
        ),
        sentence=(
            f"{name} waits{at(own)}{callers(client, depth_of(client, own))} for a result of a "
            f"{executor.title}. No worker of it has begun to take tasks: {count} in {inside}; "
            f"{told}. Only these and process {executor.pid}, all of whose code waits for the pool, "
            f"could end that.{_TAKEN if executor.renews else ''}"
        ),
        threads=(*map(ref, workers), ref(client)),
        tells_victims=True,
        resources=tuple(dict.fromkeys(one.target for one in waits)),
        evidence=(
            *(words.reading(one) for one in waits[:NAMES_LISTED]),
            f"the record of the pool names {len(workers)} workers, and each runs its initializer",
            still([client, *workers]),
        ),
        unknown=("whether a thread of a library in one of these processes ends that",),
        advice=(
            _GIVE_BACK
            if executor.renews
            else f"Let {executor.initializer}() wait for nothing, or give its wait a timeout: an "
            "error there is seen in the log of the pool.",
        ),
    )
