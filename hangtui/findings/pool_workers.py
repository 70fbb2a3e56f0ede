"""The worker processes of a pool that are inside of a task, for whoever waits for its result."""

from hangtui.analysis.places import application_index
from hangtui.findings.english import clauses
from hangtui.findings.stack_queries import POOL_FILES, does, index_of, main_thread, name_of
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import Thread

_EXECUTOR = "/concurrent/futures/process.py"
_MANAGES = frozenset({"_ExecutorManagerThread.run", "_queue_management_worker"})
"""What the thread of a ProcessPoolExecutor runs that hands out its work, up to 3.8 a function."""


def manages_executor(thread: Thread) -> bool:
    """Whether it is the thread that hands out the work of a ProcessPoolExecutor."""
    return any(
        frame.function in _MANAGES and frame.filename.endswith(_EXECUTOR)
        for frame in thread.python_stack or ()
    )


def has_task(worker: Thread) -> bool:
    """Whether it is a worker, and does something else than to wait for its next task: a task may
    take from a queue of its own."""
    stack, index = worker.python_stack or (), _index(worker)
    called = stack[index - 1 : index] if index else ()
    return index is not None and not any(name_of(frame) == "get" for frame in called)


def told_at_task(pid: int, words: Words) -> str:
    """What the workers of process *pid* do that run a line of the application: ``MainThread of
    process 12 sleeps at jobs.py:9 (pack)``; empty: there is none, or it was not captured."""
    children = [child for child in words.capture.processes if child.ppid == pid]
    workers = [one for one in map(main_thread, children) if one is not None and _is_at_task(one)]
    return clauses([does(one, words) for one in workers[:NAMES_LISTED]], len(workers))


def _index(worker: Thread) -> int | None:
    """Where on its stack it is a worker; None: it is none."""
    index = index_of(worker, {"worker"}, *POOL_FILES)
    return index_of(worker, {"_process_worker"}, _EXECUTOR) if index is None else index


def _is_at_task(worker: Thread) -> bool:
    index = _index(worker)
    # What stands further out is its parent's, if it was forked.
    return index is not None and application_index((worker.python_stack or ())[:index]) is not None
