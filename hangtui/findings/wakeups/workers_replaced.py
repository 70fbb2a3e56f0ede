"""A pool whose workers end as soon as they begin, and are started again and again."""

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.grounds import COUNTED
from hangtui.findings.stack_queries import POOL_FILES, at, callers, depth_of, name_of, own_frame
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
workers of the first look left in the last; and the pool was not told to replace its workers
(`maxtasksperchild`). A single look cannot tell.
"""

_ROUNDS = 2
"""How often all workers must have been replaced while it was watched."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that waits for a result of such a pool."""
    words = words_of(capture, graph)
    seen = {(one.pid, one.address): one for one in capture.turnovers}
    found = []
    for executor in capture.executors:
        turnover = seen.get((executor.pid, executor.address))
        if turnover is None or executor.renews is not False or not executor.size:
            continue
        all_new = turnover.replaced and turnover.started >= executor.size
        if all_new or turnover.started > _ROUNDS * executor.size:
            threads = words.threads(executor.waiters)
            found += [_finding(executor, turnover, thread, words) for thread in threads[:1]]
    return found


def _finding(executor: Executor, turnover: Turnover, thread: Thread, words: Words) -> Finding:
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
    wait = words.graph.wait_of(thread.id)
    count = f"{turnover.started} in {turnover.lasted_s:.1f} s"
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=f"Workers of a {executor.title} end and are started again and again, while {name} "
        "waits for a result",
        sentence=(
            f"{name} waits in {call}(){at(frame)}{callers(thread, index)} for a result of a "
            f"multiprocessing {executor.title} of {executor.size}. Its workers die, and it "
            f"starts new ones instead: {count}.{begins}"
        ),
        threads=(ref(thread),),
        resources=(wait.target,) if wait else (),
        evidence=(
            *([words.reading(wait)] if wait else []),
            (
                f"multiprocessing has started {executor.started} processes for process "
                f"{executor.pid}, {count} over {turnover.looks} looks"
            ),
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
