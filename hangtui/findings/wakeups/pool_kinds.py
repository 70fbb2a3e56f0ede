"""The pools whose threads may all come to wait for results of their own pool."""

from hangtui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PoolKind:
    """A library's pool of threads."""

    name: str
    file: str
    """How the name of the file ends in which its threads run tasks."""
    worker: frozenset[str]
    waits_in: str
    """The same of the file with the functions that wait for results."""
    functions: frozenset[str]
    advice: str
    beyond: str | None = None
    """Who else might run what is waited for."""
    callbacks: bool = False
    """Its threads run no tasks: they hand out results, and call what waits for these."""
    one_loop: bool = False
    """One thread, which may be the main one, takes the tasks and calls each before the next."""
    processes: bool = False
    """Its workers are the main threads of processes that one other has started."""
    again_s: float | None = None
    """After how many seconds its wait ends by the clock, and begins anew if there is no result."""


_RESULTS = frozenset({"get", "wait", "map", "apply", "starmap", "next"})
_CELERY = (
    "/celery/result.py",
    frozenset({"get", "wait", "join", "join_native"}),
    (
        "Do not wait for one task inside another: give the second one as a callback, as in "
        "chain(first.s(), second.s()), or have another worker take it, from a queue of its own."
    ),
)
"""What of a worker's tasks waits for another one, and the advice."""
_OTHER_WORKERS = (
    "whether another worker takes tasks from the same queue: it could run what is waited for"
)
KINDS = (
    PoolKind(
        "ThreadPool",
        "/multiprocessing/pool.py",
        frozenset({"worker"}),
        "/multiprocessing/pool.py",
        _RESULTS,
        "Return the results and wait for them outside, or use a second pool for the inner tasks.",
    ),
    PoolKind(
        "Pool",
        "/multiprocessing/pool.py",
        frozenset({"_handle_results"}),
        "/multiprocessing/pool.py",
        _RESULTS,
        "Wait for nothing in a callback: have it put the result into a queue, and go on elsewhere.",
        callbacks=True,
    ),
    PoolKind(
        "ThreadPool of pebble",
        "/pebble/pool/thread.py",
        frozenset({"worker_thread"}),
        "/concurrent/futures/_base.py",
        frozenset({"result", "exception"}),
        "Return the futures and wait for them outside, or use a second pool for the inner tasks.",
    ),
    PoolKind(
        "ProcessPool of pebble",
        "/pebble/pool/process.py",
        frozenset({"message_manager_loop"}),
        "/concurrent/futures/_base.py",
        frozenset({"result", "exception"}),
        "Wait for nothing in a callback: have it put the result into a queue, and go on elsewhere.",
        callbacks=True,
    ),
    PoolKind(
        "Dask worker",
        "/distributed/threadpoolexecutor.py",
        frozenset({"_worker"}),
        "/distributed/client.py",
        frozenset({"result", "gather", "compute"}),
        (
            "Use `with worker_client() as client:` in the task instead of get_client(), or "
            "secede() before it waits: the worker starts another thread then."
        ),
        "whether other workers of the cluster can take what is queued",
        again_s=10.0,
    ),
    PoolKind(
        "Celery worker",
        "/celery/worker/loops.py",
        frozenset({"synloop", "asynloop"}),
        *_CELERY,
        _OTHER_WORKERS,
        one_loop=True,
    ),
    PoolKind(
        "Celery worker",
        "/billiard/pool.py",
        frozenset({"workloop"}),
        *_CELERY,
        _OTHER_WORKERS,
        processes=True,
        again_s=0.5,  # celery.backends.base, SyncBackendMixin.wait_for
    ),
)
