"""A pool whose workers end as soon as they begin, and are started again and again."""

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.english import joined
from hangtui.findings.grounds import COUNTED
from hangtui.findings.pool_workers import replaces_another, told_at_task
from hangtui.findings.stack_queries import (
    POOL_FILES,
    at,
    callers,
    depth_of,
    main_thread,
    name_of,
    own_frame,
)
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Executor, Finding, Severity, Thread, Turnover

ID = "workers-replaced"
GROUND = COUNTED
HELP = """\
`multiprocessing.Pool` replaces a worker that ends. If each ends at once, because its `initializer`
raises or its module cannot be imported, the pool starts workers forever, and whoever waits for a
result waits as long.

How it is known: `multiprocessing` counts the processes that it starts, and several looks saw that
count grow by more than twice the size of the pool, or by its size at least, with none of the
workers of the first look left in the last; or each worker was forked by the thread of the pool that
replaces those that have ended. The pool was not told to replace its workers (`maxtasksperchild`). A
single look can tell only what was forked.
"""

_ROUNDS = 2
"""How often all workers must have been replaced while it was watched."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that waits for a result of such a pool."""
    words = words_of(capture, graph)
    seen = {(one.pid, one.address): one for one in capture.turnovers}
    found = []
    for executor in capture.executors:
        if executor.renews is not False or not executor.size:
            continue
        turnover = seen.get((executor.pid, executor.address))
        counted = (turnover and _counted(executor, turnover)) or _forked_anew(executor, capture)
        if counted:
            threads = words.threads(executor.waiters)
            found += [_finding(executor, counted, thread, words) for thread in threads[:1]]
    return found


def _counted(executor: Executor, turnover: Turnover) -> tuple[str, str] | None:
    """How often they were replaced while it was watched, and how that is known; None: seldom."""
    size = executor.size or 0
    all_new = turnover.replaced and turnover.started >= size
    if not all_new and turnover.started <= _ROUNDS * size:
        return None
    count = f"{turnover.started} in {turnover.lasted_s:.1f} s"
    return count, (
        f"multiprocessing has started {executor.started} processes for process {executor.pid}, "
        f"{count} over {turnover.looks} looks"
    )


def _forked_anew(executor: Executor, capture: Capture) -> tuple[str, str] | None:
    """The same of one look: none is left of the workers that the pool began with."""
    workers = [capture.process(pid) for pid in executor.worker_pids]
    mains = [main_thread(one) for one in workers if one is not None]
    anew = [main.pid for main in mains if main is not None and replaces_another(main)]
    if not anew or len(anew) < max(executor.size or 0, len(workers)):
        return None
    those = joined([f"worker {pid}" for pid in anew[:NAMES_LISTED]])
    return "none of those that it began with is left", (
        f"{those} {'was' if len(anew) == 1 else 'were'} forked by the pool's own thread, which "
        "replaces workers that have ended"
    )


def _finding(executor: Executor, counted: tuple[str, str], thread: Thread, words: Words) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread)
    stack = thread.python_stack or ()
    index = depth_of(thread, frame)
    call = next(
        (name_of(one) for one in reversed(stack) if one.filename.endswith(POOL_FILES)), "get"
    )
    begins = (
        f" Each begins with its initializer, {executor.initializer}()."
        if executor.initializer
        else ""
    )
    told = told_at_task(executor.pid, words)
    tasks = f" Those that it has now are at their tasks: {told}." if told else ""
    wait = words.graph.wait_of(thread.id)
    count, reading = counted
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=f"Workers of a {executor.title} end and are started again and again, while {name} "
        f"waits for a result{at(frame)}",
        sentence=(
            f"{name} waits in {call}(){at(frame)}{callers(thread, index)} for a result of a "
            f"multiprocessing {executor.title} of {executor.size}. Its workers die, and it "
            f"starts new ones instead: {count}.{begins}{tasks} A task whose worker dies is not "
            "done again, and its result never comes."
        ),
        threads=(ref(thread),),
        resources=(wait.target,) if wait else (),
        evidence=(
            *([words.reading(wait)] if wait else []),
            reading,
            "the pool was not told to replace its workers: its maxtasksperchild is None",
        ),
        unknown=(
            "how the workers end: the pool reaps them, and keeps their status to itself",
            "whether other processes of the program are among those that were counted",
        ),
        advice=(
            (
                f"See what {executor.initializer}() raises: call it once in the parent, or catch "
                "its error there and end the program."
                if executor.initializer
                else "Look at the error output of the workers: an import that fails, os._exit or a "
                "crash ends each of them."
            ),
            "Use ProcessPoolExecutor, which raises BrokenProcessPool when a worker dies.",
        ),
    )
