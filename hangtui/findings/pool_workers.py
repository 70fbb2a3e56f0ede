"""The worker processes of a pool that are inside of a task, for whoever waits for its result."""

from hangtui.analysis.places import application_index
from hangtui.analysis.wakers import coming
from hangtui.findings.english import clauses
from hangtui.findings.stack_queries import (
    POOL_FILES,
    below_application,
    does,
    index_of,
    main_thread,
    name_of,
    way_of,
)
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words
from hangtui.model import Capture, Executor, Process, Thread

JOINS = frozenset({"join"})
"""A pool that was closed ends once all its results are there."""
_WAITING = JOINS | {"get", "wait", "map", "apply", "starmap", "next", "__next__",
                    "_join_exited_workers"}  # fmt: skip
_HANDLERS = frozenset({"_handle_workers", "_handle_tasks", "_handle_results"})
"""What a Pool's own threads run."""
FORK_SERVER = "forkserver"
_DEAD = ("Z", "X")
_OWN_BUSINESS = frozenset({"get", "put", "_sendback_result", "debug", "info"})
"""What a worker calls between its tasks."""
_EXECUTOR = "/concurrent/futures/process.py"
_LOKY = "/loky/process_executor.py"
_MANAGES = frozenset({"run", "_queue_management_worker"})
"""What the thread of a ProcessPoolExecutor runs that hands out its work, up to 3.8 a function."""


def fork_servers(pid: int, capture: Capture) -> list[int]:
    """Those that multiprocessing keeps for process *pid*, and that live."""
    parent = capture.process(pid)
    children = (parent.around.children if parent and parent.around else None) or ()
    return [one.pid for one in children if one.helper == FORK_SERVER and one.state not in _DEAD]


def started_by(pid: int, capture: Capture) -> list[Process]:
    """The captured processes that process *pid* has started: its children, and those of the fork
    server that multiprocessing keeps for it."""
    starters = {pid, *fork_servers(pid, capture)}
    return [one for one in capture.processes if one.ppid in starters and one.pid not in starters]


def manages_executor(thread: Thread) -> bool:
    """Whether it is the thread that hands out the work of a ProcessPoolExecutor."""
    return any(
        name_of(frame) in _MANAGES and frame.filename.endswith(_EXECUTOR)
        for frame in thread.python_stack or ()
    )


def has_task(worker: Thread) -> bool:
    """Whether it is a worker, and does something else than to wait for its next task: a task may
    take from a queue of its own."""
    stack, index = worker.python_stack or (), _index(worker)
    called = stack[index - 1 : index] if index else ()
    return index is not None and not any(name_of(frame) == "get" for frame in called)


def in_initializer(worker: Thread, executor: Executor) -> bool:
    """Whether it is a worker that is inside of the function which each worker of *executor* begins
    with."""
    stack, index = worker.python_stack or (), _index(worker)
    called = (executor.initializer or "").rpartition(".")[2]
    return bool(index and called) and name_of(stack[(index or 1) - 1]) == called


def at_task(pid: int, words: Words) -> list[Thread]:
    """The workers of process *pid* that run a line of the application, of those captured."""
    children = started_by(pid, words.capture)
    return [one for one in map(main_thread, children) if one is not None and _is_at_task(one)]


def told_at_task(pid: int, words: Words) -> str:
    """What the workers of process *pid* do that run a line of the application: ``MainThread of
    process 12 sleeps at jobs.py:9 (pack)``; empty: there is none, or it was not captured."""
    workers = at_task(pid, words)
    return clauses([does(one, words) for one in workers[:NAMES_LISTED]], len(workers))


def at_task_of(watcher: Thread, process: Process) -> Thread | None:
    """The only thread of *process* that has a task of the ThreadPool over which *watcher* watches,
    which ends once all have ended; None: it watches over none, or they are several."""
    watching = [one for one in process.threads if _watches(one)]
    # An idle one takes its next task by a call that has no frame.
    busy = [one for one in process.threads if one.tid != one.pid and _index(one)]
    return busy[0] if watching == [watcher] and len(busy) == 1 else None


def _watches(thread: Thread) -> bool:
    return index_of(thread, {"_handle_workers"}, *POOL_FILES) is not None


def for_workers(thread: Thread, words: Words) -> str:
    """``, for its workers: MainThread of process 12 sleeps at jobs.py:9 (pack)``, of a thread that
    watches over a pool whose workers are at their tasks; else nothing."""
    watches = _watches(thread) or manages_executor(thread)
    told = told_at_task(thread.pid, words) if watches else ""
    return f", for its workers: {told}" if told else ""


def waits_for_result(thread: Thread) -> bool:
    """Whether it is inside a call that waits for results of a Pool, or for its end."""
    return index_of(thread, _WAITING, *POOL_FILES) is not None


def serves_pool(thread: Thread) -> bool:
    """Whether it is a worker without a task, or a thread that a pool runs for itself: others wait
    for what these bring."""
    if thread.tid == thread.pid:
        return _index(thread) is not None and not has_task(thread)
    return manages_executor(thread) or index_of(thread, _HANDLERS, *POOL_FILES) is not None


def calls_back(actor: Actor) -> bool:
    """Whether it is the thread that hands out a Pool's results, and has called the program: no
    other result comes before that returns."""
    if not isinstance(actor, Thread) or not below_application(actor):
        return False
    return index_of(actor, {"_handle_results"}, *POOL_FILES) is not None


def replaces_another(worker: Thread) -> bool:
    """Whether it is the main thread of a worker that a pool started for one that had ended: a
    forked one keeps the frames of the thread that forked it below its own."""
    return index_of(worker, {"_maintain_pool", "_handle_workers"}, *POOL_FILES) is not None


def stands_in(process: Process, words: Words) -> bool:
    """Whether it is a worker that the pool of its parent has started for one that had ended."""
    parent, main = words.capture.process(process.ppid), main_thread(process)
    watched = parent is not None and any(map(_watches, parent.threads))
    return watched and main is not None and replaces_another(main)


def clients_of(worker: Thread, words: Words) -> list[Thread]:
    """The threads that wait for the results of the pool of which *worker* has a task."""
    process = words.capture.process(worker.pid)
    parent = words.capture.process(process.ppid) if process and _is_at_task(worker) else None
    return [
        thread
        for thread in (parent.threads if parent else ())
        if thread.id in words.lasting
        and below_application(thread)
        and (waits_for_result(thread) or _awaits_executor(thread, words))
    ]


def _awaits_executor(thread: Thread, words: Words) -> bool:
    """Whether it waits for what the thread of a ProcessPoolExecutor alone is seen to bring."""
    wait = words.lasting[thread.id].wait
    comers = coming(words.graph, wait.target, way_of(wait, words))
    threads = [words.thread(one.candidate) for one in comers]
    return bool(threads) and all(one is not None and manages_executor(one) for one in threads)


def _index(worker: Thread) -> int | None:
    """Where on its stack it is a worker; None: it is none."""
    index = index_of(worker, {"worker"}, *POOL_FILES)
    return index_of(worker, {"_process_worker"}, _EXECUTOR, _LOKY) if index is None else index


def _is_at_task(worker: Thread) -> bool:
    index = _index(worker)
    if index is None:
        return False
    # What stands further out is its parent's, if it was forked.
    inside = (worker.python_stack or ())[:index]
    if application_index(inside) is not None:
        return True
    # An initializer, or a task that is a function of C or of a library's.
    return not inside or name_of(inside[-1]) not in _OWN_BUSINESS
