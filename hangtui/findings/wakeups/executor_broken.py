"""A result of a pool that never comes: the thread that would deliver it has ended, or no worker is
left to make it."""

from collections.abc import Iterator

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.beyond_doubt import nobody_will
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.english import counted, joined
from hangtui.findings.grounds import ENDED
from hangtui.findings.inert import wait_inside
from hangtui.findings.left_in_parent import helper_in_parent
from hangtui.findings.stack_queries import (
    POOL_FILES,
    at,
    below_application,
    callers,
    depth_of,
    name_of,
    own_frame,
    still,
    stood_s,
)
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.wakeups.unnoticed_end import unnoticed_end
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Child,
    Executor,
    Finding,
    Helper,
    Process,
    Severity,
    Thread,
)

ID = "result-thread-ended"
NO_WORKERS = "no-workers-left"
IDS = (ID, NO_WORKERS)
GROUND = ENDED
HELP = """\
`multiprocessing.Pool` and `ProcessPoolExecutor` receive results in a thread of their own. If that
thread has ended, as when it cannot unpickle what a worker sent, or when a callback of the program
fails in it, or because the pool was terminated meanwhile, nobody delivers results any more, and
whoever waits for one, or for a closed pool to have all of them, waits forever
(`result-thread-ended`).

`ProcessPoolExecutor` starts workers when tasks are submitted. With `max_tasks_per_child`, the last
worker may end while tasks are left, and nobody starts another one (`no-workers-left`). That a
worker has ended it learns from a pipe, which is closed with the last process that has its end: a
daemon, say, that the worker has forked keeps it open.

How it is known: the executor's own record names that thread, which is no longer a thread of the
process, and a result that it waits for is pending. Or its record of workers is empty, and the
thread that manages them stands still in its wait for a result; that is an error where every thread
that could submit another task waits for another one of them as well. Or processes in that record
are zombies for a second or more, while that thread stood still: an error if all of them are.
"""

_SUBMITS = "whether the program will submit another task, which may start a worker"
_MANAGER = "manager thread"
_FETCHES = {"_handle_results", _MANAGER}
"""Who delivers results."""
_EXECUTORS = (*POOL_FILES, "/concurrent/futures/process.py")
_TERMINATE = (
    "Do not call terminate() while somebody waits for a result: those waits have no end then. Let "
    "the calls come to their end with close() and join(), or tell the waiting thread by an event "
    "of its own, and let that end the pool."
)
_FUTURES = "/concurrent/futures/_base.py"


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that waits for such a result."""
    words = words_of(capture, graph)
    found: list[Finding] = []
    for executor in capture.executors:
        for node in executor.waiters:
            lasting = words.lasting.get(node)
            if lasting is not None:
                found += _judged(executor, lasting.thread, lasting.wait, words)
    return found


def _judged(executor: Executor, thread: Thread, wait: Edge, words: Words) -> Iterator[Finding]:
    fetching = next((one for one in executor.helpers if one.role in _FETCHES), None)
    if fetching is None:
        return
    if fetching.ended:
        yield _ended(executor, fetching, thread, wait, words)
    elif fetching.role == _MANAGER and (dead := _unnoticed(executor, fetching, words)):
        yield unnoticed_end(NO_WORKERS, executor, dead, thread, wait, words)
    elif executor.workers == 0 and executor.pending and executor.initializer is None:
        process = words.capture.process(executor.pid)
        manager = (
            next((t for t in process.threads if t.tid == fetching.tid), None) if process else None
        )
        if manager is not None and manager.blocked and not _submits(words.capture, executor.pid):
            yield _without_workers(executor, manager, thread, wait, words)


def _unnoticed(executor: Executor, manager: Helper, words: Words) -> list[Child]:
    """The workers that have ended, a while ago, and that the thread which manages them stood still
    for all the same; none where somebody is about to start another one."""
    process = words.capture.process(executor.pid)
    children = (process.around.children if process and process.around else None) or ()
    own = [one for one in process.threads if one.tid == manager.tid] if process else []
    if not own or stood_s(own[0], words) < STILL_S or not executor.pending:
        return []
    if _submits(words.capture, executor.pid):
        return []
    return [
        one
        for one in children
        if one.pid in executor.worker_pids and one.state == "Z" and (one.ended_s or 0.0) >= STILL_S
    ]


def _nobody_submits(capture: Capture, manager: Thread, words: Words) -> bool:
    """Whether each thread that could submit a task waits for another one of them, for good."""
    process = capture.process(manager.pid)
    if process is None or not nobody_will(process, process.threads, words):
        return False
    return all(
        one.is_python
        and (not below_application(one) or wait_inside(one, process, words) is not None)
        for one in process.threads
        if one is not manager
    )


def _submits(capture: Capture, pid: int) -> bool:
    """Whether a thread is about to start a worker."""
    process = capture.process(pid)
    return process is None or any(
        name_of(frame) in ("submit", "_adjust_process_count", "_spawn_process", "_launch_processes")
        and frame.filename.endswith(_EXECUTORS)
        for thread in process.threads
        for frame in thread.python_stack or ()
    )


def _call(thread: Thread) -> str:
    """What the program called: ``Pool.map()``, ``Future.result()``."""
    called, stack, own = None, thread.python_stack or (), own_frame(thread)
    for frame in stack[: depth_of(thread, own)] if own else stack:
        if frame.filename.endswith((*_EXECUTORS, _FUTURES)):
            called = frame
    return f"{name_of(called)}()" if called else "it"


def _kind(executor: Executor) -> str:
    module = executor.type_name.partition(".")[0]
    return f"{module} {executor.title}" if module == "multiprocessing" else executor.title


def _ended(executor: Executor, helper: Helper, thread: Thread, wait: Edge, words: Words) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread)
    index = depth_of(thread, frame)
    called = helper.name or helper.role
    who = called if helper.role in called else f"{called} ({helper.role})"
    if parent := helper_in_parent(executor, helper, words):
        return _copied(executor, who, parent, thread, wait, words)
    return Finding(
        id=ID,
        severity=Severity.ERROR,
        certainty=as_sure_as(Certainty.PROVEN, wait),
        title=f"{name} waits{at(frame)} for a result of a {executor.title} that was terminated"
        if executor.terminated
        else f"{name} waits for a result of a {executor.title}, whose result thread has ended",
        sentence=(
            f"{name} waits in {_call(thread)}{at(frame)}{callers(thread, index)} for a result of "
            f"a {_kind(executor)}. {_terminated(executor)}The thread that receives the results for "
            f"it, {who}, has ended: no result arrives any more, whatever the workers do."
        ),
        threads=(ref(thread),),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            (
                f"the {executor.title} names {who} as its result thread, and that is no longer a "
                f"thread of process {executor.pid}"
            ),
            *_counts(executor),
            still([thread]),
        ),
        unknown=()
        if executor.terminated
        else ("why it ended: its error, if there was one, went to the program's stderr",),
        advice=(_TERMINATE,)
        if executor.terminated
        else (
            (
                f'Look for "Exception in thread {called}" in the program\'s error output. A '
                "result or an exception that can be pickled, but not unpickled, ends that "
                "thread; so does a callback that fails."
            ),
            (
                "Try pickle.loads(pickle.dumps(x)) with what the tasks return and raise; an "
                "exception class with its own __init__ needs all arguments in self.args."
            ),
        ),
    )


def _copied(
    executor: Executor, who: str, parent: Process, thread: Thread, wait: Edge, words: Words
) -> Finding:
    """Of a pool that the process has as a copy, from before a fork."""
    name, frame = words.thread_name(thread), own_frame(thread)
    kept = f"{who}, is only in {words.process_name(parent.pid)}"
    return Finding(
        id=ID,
        severity=Severity.ERROR,
        certainty=as_sure_as(Certainty.PROVEN, wait),
        title=f"{name} waits{at(frame)} for a result of a {executor.title} that was forked along: "
        f"its threads are only in {words.process_name(parent.pid)}",
        sentence=(
            f"{name} waits in {_call(thread)}{at(frame)}{callers(thread, depth_of(thread, frame))} "
            f"for a result of a {_kind(executor)}, of which this process has a copy from when it "
            f"was forked. The thread that receives the results for it, {kept}: fork() copies only "
            "the thread that calls it, so that nobody hands out this call, and no result arrives."
        ),
        threads=(ref(thread),),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            (
                f"the {executor.title} names {who} as its result thread, which is no thread of "
                f"process {executor.pid}, and there is one in process {parent.pid}"
            ),
            *_counts(executor),
            still([thread]),
        ),
        advice=(
            (
                f"Do not use the {executor.title} of the parent in this process: make one in it, "
                "or hand the work back to the parent."
            ),
        ),
    )


def _terminated(executor: Executor) -> str:
    """`` It was told to end at once ...: its workers are stopped, and ...``; or nothing."""
    if not executor.terminated:
        return ""
    told_in = joined(executor.terminated_in)
    program = f"; the program calls terminate() in {told_in}" if told_in else ""
    left = counted(executor.pending, "call") if executor.pending else "calls"
    return (
        f"The pool was told to end at once, by terminate() or at the end of its with block{program}"
        f". That ends its workers, and {left} that it had not done then will never be. "
    )


def _counts(executor: Executor) -> list[str]:
    if executor.pending is None:
        return []
    return [f"its own count of pending calls is {executor.pending}"]


def _without_workers(
    executor: Executor, manager: Thread, thread: Thread, wait: Edge, words: Words
) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread)
    index = depth_of(thread, frame)
    tasks = counted(executor.pending or 0, "task")
    never = _nobody_submits(words.capture, manager, words)
    certainty = as_sure_as(Certainty.PROVEN if never else Certainty.INFERRED, wait)
    return Finding(
        id=NO_WORKERS,
        severity=Severity.ERROR if certainty.supports_claim else Severity.WARNING,
        certainty=certainty,
        title=f"{name} waits for a result of a {executor.title} that has no worker process left",
        sentence=(
            f"{name} waits in {_call(thread)}{at(frame)}{callers(thread, index)} for a result of "
            f"a {executor.title}. {tasks} {'is' if executor.pending == 1 else 'are'} not done, "
            "but it has no worker process: all have ended, and the thread that manages it, "
            f"{words.thread_name(manager)}, waits for results and starts none."
        ),
        threads=(ref(thread), ref(manager)),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            f"the executor's record of its worker processes is empty; {tasks} pending",
            still([thread, manager]),
        ),
        unknown=() if never else (_SUBMITS,),
        advice=(
            (
                "If it was made with max_tasks_per_child: leave that out, or use "
                "multiprocessing.Pool(maxtasksperchild=...), which starts workers anew "
                "(CPython issue 115634)."
            ),
        ),
    )
