"""A result that never comes, because the pool's worker that had the task has ended."""

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.english import counted
from hangtui.findings.grounds import ENDED
from hangtui.findings.outcome import NotEnough, Result
from hangtui.findings.pool_workers import (
    FORK_SERVER,
    JOINS,
    has_task,
    replaces_another,
    started_by,
    waits_for_result,
)
from hangtui.findings.stack_queries import (
    MULTIPROCESSING,
    POOL_FILES,
    at,
    index_of,
    main_thread,
    own_frame,
    still,
    stood_s,
    wait_for_ever,
)
from hangtui.findings.thresholds import NAMES_LISTED, REPLACED_S, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Child, Finding, NodeKind, Process, Severity, Thread

ID = "lost-worker"
GROUND = ENDED
HELP = """\
`multiprocessing.Pool` starts a new worker when one dies, but the task that died with it is gone:
nobody repeats or reports it, and whoever waits for its result waits forever.

How it is known: a thread waits for a result of the pool, the pool's own threads have handed all
tasks out and wait for the next task and the next result, and every worker waits for a task. While a
thread of the pool is inside the iterable that was given to `imap()`, there may be nothing to hand
out yet, and nothing is said. A worker that was forked by the pool's handler thread replaces one
that ended. The kernel counts out-of-memory kills for each cgroup. It is an error if the workers
were looked into, and several looks saw them and the pool's threads rest so for a second or more.

The pool's thread that replaces workers ends when it cannot start one: what the worker is given
cannot be pickled, or no memory or file descriptor is left. It is known to have ended if the two
others run, for it tells them when it ends as it should. If no child process is left either, nobody
does any task.
"""

_QUEUES = ("/queue.py", "/threading.py")
_PIPES = (
    *(f"/{name}/{file}" for name in MULTIPROCESSING for file in ("connection.py", "queues.py")),
    "/selectors.py",
)
_HANDLERS = ("_handle_tasks", "_handle_results")
_REPLACES = "_handle_workers"


def check(capture: Capture, graph: WaitGraph) -> Result:
    """One finding for each thread that waits for a result while the whole pool idles."""
    words = words_of(capture, graph)
    found: list[Finding] = []
    pools = [process for process in capture.processes if _has_pool(process)]
    looked_into = (_workers(p, capture) or _children(p) or _has_no_worker(p) for p in pools)
    if pools and not any(looked_into):
        return NotEnough("the workers of a pool were not captured, nor can their states be read")
    for process in pools:
        for thread in process.threads:
            wait = wait_for_ever(thread, words)
            if wait is None or not waits_for_result(thread):
                continue
            workers = _workers(process, capture)
            busy = any(_works(worker) for worker in (*workers, *own_workers(process)))
            if _handed_out(process) and not busy:
                gone = not workers and _has_no_worker(process)
                finding = (
                    _unmanned(process, thread, wait, words)
                    if gone
                    else _finding(process, thread, wait, workers, words)
                )
                found += [finding] if finding else []
    return found


def no_result_comes(process: Process, words: Words) -> bool:
    """Whether no worker of a process's pools does anything, and all results were fetched."""
    threads = own_workers(process)
    workers = [*_workers(process, words.capture), *threads]
    idle = bool(workers) and all(not _works(one) or _takes(one, words) for one in workers)
    # The workers of a ThreadPool hand their results over in a queue.
    return idle and _all_rest(process, _HANDLERS[1], _QUEUES if threads else _PIPES)


def _children(process: Process) -> list[Child]:
    """Those that may be workers."""
    found = (process.around.children if process.around else None) or ()
    return [child for child in found if child.helper is None]


def _by_server(process: Process) -> bool:
    """Whether a fork server may start its workers: these are no children of it."""
    found = (process.around.children if process.around else None) or ()
    return any(child.helper == FORK_SERVER and _lives(child) for child in found)


def _has_pool(process: Process) -> bool:
    return any(index_of(t, {"_handle_results"}, *POOL_FILES) is not None for t in process.threads)


def _handlers(process: Process, function: str) -> list[tuple[Thread, int]]:
    """The threads that run *function* of a pool, and where on their stacks."""
    found = ((thread, index_of(thread, {function}, *POOL_FILES)) for thread in process.threads)
    return [(thread, index) for thread, index in found if index is not None]


def own_workers(process: Process) -> list[Thread]:
    """The threads that are workers of a ThreadPool."""
    return [thread for thread, _ in _handlers(process, "worker") if thread.tid != thread.pid]


def _has_no_worker(process: Process) -> bool:
    """Whether a pool has no process left, and the thread that would start one has ended."""
    complete = all(one.python_stack is not None for one in process.threads if one.is_python)
    replacers, pools = (len(_handlers(process, name)) for name in (_REPLACES, _HANDLERS[0]))
    known = process.around is not None and process.around.children is not None
    # Of those that the fork server has started not all need be captured.
    left = any(map(_lives, _children(process))) or own_workers(process) or _by_server(process)
    return complete and replacers < pools and known and not left


def _handed_out(process: Process) -> bool:
    """Whether each pool has given all tasks away and has got all results: its threads that do so
    wait for the next one. Above the functions that they run, only those are then that wait."""
    tasks, results = _HANDLERS
    return _all_rest(process, tasks, _QUEUES) and _all_rest(process, results, _PIPES)


def _all_rest(process: Process, function: str, waiting: tuple[str, ...]) -> bool:
    """Whether the threads that run *function* of a pool wait in nothing but files of *waiting*:
    anything else above is a task on its way, or the program's iterable that has to give it."""
    found = _handlers(process, function)
    return bool(found) and all(
        thread.still is True
        and all(
            frame.filename.endswith(waiting) and "send" not in frame.function
            for frame in (thread.python_stack or ())[:index]
        )
        for thread, index in found
    )


def _workers(process: Process, capture: Capture) -> list[Thread]:
    """Main threads of the captured workers."""
    mains = [main_thread(child) for child in started_by(process.pid, capture)]
    return [t for t in mains if t is not None and index_of(t, {"worker"}, *POOL_FILES) is not None]


def _works(worker: Thread) -> bool:
    """Whether it is inside of a task rather than waiting for one."""
    return worker.still is not True or has_task(worker)


def _takes(worker: Thread, words: Words) -> bool:
    """Whether it waits for its next task in a call of C, which has no frame."""
    index = index_of(worker, {"worker"}, *POOL_FILES)
    lasting = words.lasting.get(worker.id)
    return index == 0 and lasting is not None and lasting.kind is NodeKind.QUEUE


def _for_good(process: Process, thread: Thread, workers: list[Thread], words: Words) -> bool:
    """Whether nobody who could bring the result did anything for a while."""
    those = [one for name in _HANDLERS for one, _ in _handlers(process, name)]
    still = all(stood_s(one, words) >= STILL_S for one in (thread, *those, *workers))
    return process.steady is True and still


def _replaced(process: Process, workers: list[Thread]) -> tuple[list[int], str]:
    """The workers that the pool started anew, and how that is known."""
    forked = [t.pid for t in workers if replaces_another(t)]
    if forked:
        return forked, "it was forked by the pool's own thread, which replaces workers that ended"
    children = [child for child in _children(process) if _lives(child)]
    ages = [child.age_s for child in children if child.age_s is not None]
    oldest = max(ages, default=0.0)
    late = [c.pid for c in children if c.age_s is not None and oldest - c.age_s > REPLACED_S]
    return late, "it was started later than the others, which start together"


def _look_idle(process: Process) -> bool:
    """Whether the children, which are not captured, sleep as idle workers do: one reads from the
    pipe of tasks, and the others wait for the lock on it."""
    children = [child for child in _children(process) if _lives(child)]
    calls = [child.syscall for child in children]
    return len(calls) > 0 and calls.count("read") == 1 and calls.count("futex") == len(calls) - 1


def _lives(child: Child) -> bool:
    return child.state not in ("Z", "X")


def _finding(
    process: Process, thread: Thread, wait: Edge, workers: list[Thread], words: Words
) -> Finding | None:
    replaced, how = _replaced(process, workers)
    kills = (process.around.oom_kills if process.around else None) or 0
    if not workers and not _look_idle(process):
        return None
    never = bool(workers) and _for_good(process, thread, workers, words)
    name, where = words.thread_name(thread), at(own_frame(thread))
    joins = index_of(thread, JOINS, *POOL_FILES) is not None
    what = "the result of a multiprocessing.Pool call"
    if joins:
        what = "a multiprocessing.Pool to end, as it does once all its results are there"
    never_comes = f"{'an end' if joins else 'a result'} that never comes"
    died = f"worker {replaced[0]} is a replacement for one that died" if replaced else ""
    oom = f" The kernel has killed {counted(kills, 'process')} of this cgroup for lack of memory." \
        if kills else ""  # fmt: skip
    return Finding(
        id=ID,
        severity=Severity.ERROR if never else Severity.WARNING,
        certainty=Certainty.PROVEN if never else Certainty.INFERRED,
        title=f"A worker of the Pool ended in a task: {name} waits for {never_comes}"
        if replaced
        else f"{name} waits for a Pool result that no worker works on",
        sentence=(
            f"{name} waits{where} for {what}, but no worker is working on "
            f"it: {_idle(workers)}{', and ' + died if died else ''}. A task that a "
            "worker had when it died is lost: the Pool starts a new worker, but never "
            f"repeats the task or reports it, so the result never arrives.{oom}"
        ),
        threads=(ref(thread),),
        resources=(wait.target,),
        evidence=tuple(_evidence(process, wait, thread, workers, (replaced, how, kills), words)),
        unknown=(
            "how it ended: the Pool reaped it, and keeps its status to itself",
            *(() if replaced else ("whether a worker died: none is known to be a replacement",)),
            *(() if workers else (f"what the workers do: hangtui --children {process.pid}",)),
        ),
        advice=(
            (
                f"{'Look for the killer' if replaced or kills else 'If a worker died, look for it'}"
                ": dmesg | grep -i -E 'killed process|oom' (out of memory), limits of the "
                "container, os._exit or a crash in the task."
            ),
            (
                "Use concurrent.futures.ProcessPoolExecutor, which raises BrokenProcessPool when a "
                f"worker dies; or bound the wait{where}: map_async(...).get(timeout=...)."
            ),
            "If it is memory: fewer processes, smaller chunks, maxtasksperchild=1.",
        ),
    )


def _unmanned(process: Process, thread: Thread, wait: Edge, words: Words) -> Finding:
    """Of a pool that has no worker, nor who would start one."""
    never = _for_good(process, thread, [], words)
    name, where = words.thread_name(thread), at(own_frame(thread))
    return Finding(
        id=ID,
        severity=Severity.ERROR if never else Severity.WARNING,
        certainty=Certainty.PROVEN if never else Certainty.INFERRED,
        title=f"{name} waits{where} for a Pool that has no worker left, nor who could start one",
        sentence=(
            f"{name} waits{where} for the result of a multiprocessing.Pool call, but nobody is "
            "left who could work on it: no worker process lives, and the Pool's thread that "
            f"replaces those that end ({_REPLACES}) has ended itself. It does so when it cannot "
            "start one: what the workers are given (initargs) cannot be pickled, or no memory or "
            "file descriptor is left. The result never comes."
        ),
        threads=(ref(thread),),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            f"process {process.pid} has no child process but what multiprocessing has for itself",
            f"the Pool's threads _handle_tasks and _handle_results wait; none runs {_REPLACES}",
            still([thread]),
        ),
        unknown=("why it ended: the traceback went to the standard error of the process",),
        advice=(
            f"Look for a traceback that went through {_REPLACES} in its log.",
            "Give workers only what can be pickled at any time, or leave maxtasksperchild unset.",
        ),
    )


def _idle(workers: list[Thread]) -> str:
    if not workers:
        return "all tasks are handed out, and all worker processes look idle"
    if len(workers) == 1:
        return "the only one is idle, waiting for a task"
    return f"all {len(workers)} of them are idle, waiting for a task"


def _calls(process: Process) -> str:
    return ", ".join(f"{c.syscall} ({c.pid})" for c in _children(process) if c.syscall)


def _evidence(
    process: Process,
    wait: Edge,
    thread: Thread,
    workers: list[Thread],
    death: tuple[list[int], str, int],
    words: Words,
) -> list[str]:
    replaced, how, kills = death
    lines = [words.reading(wait)]
    lines += [
        f"worker process {t.pid} is idle: it waits in {(t.python_stack or ())[0].function} for "
        "the next task"
        for t in workers[:NAMES_LISTED]
    ]
    calls = _calls(process) if not workers else ""
    lines += [f"the worker processes sleep in {calls}, as idle ones do"] if calls else []
    lines.append("the Pool's task thread (_handle_tasks) waits for more: all tasks are handed out")
    lines += [f"worker process {pid} is a replacement: {how}" for pid in replaced[:NAMES_LISTED]]
    if kills:
        lines.append(f"memory.events of its cgroup: oom_kill {kills}")
    return [*lines, still([thread, *workers])]
