"""A semaphore or queue of `multiprocessing` that no other process shares any more."""

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.english import joined
from hangtui.findings.grounds import NOBODY
from hangtui.findings.stack_queries import at, called, callers, depth_of, index_of, own_frame, still
from hangtui.findings.wakeups.sharing import closed_group, for_good
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeKind,
    NoHolder,
    Process,
    Severity,
    Thread,
)

ID = "shared-by-nobody"
GROUND = NOBODY
HELP = """\
What `multiprocessing` shares between processes (semaphores, conditions, queues) is released or
notified by another process. If the worker that should do so has ended, whoever waits for it waits
forever: `JoinableQueue.join()` after a worker failed, `Condition.wait()`, `Semaphore.acquire()`.

How it is known: the memory of the semaphore is mapped by no other process, and every other thread
of this one rests in a wait that only a thread of the same process can end. It is an error where
none of them ran for a second and the process handles no signal; else it is inferred.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that waits for such a thing."""
    words = words_of(capture, graph)
    found = []
    for thread, wait, kind in words.lasting.values():
        resource, process = words.resource(wait.target), capture.process(thread.pid)
        alone = resource is not None and resource.no_holder is NoHolder.ALONE
        if not alone or process is None or process.steady is False:
            continue
        if kind is NodeKind.SEMAPHORE and _all_rest(process, words):
            found.append(_finding(process, thread, wait, words))
    return found


def _all_rest(process: Process, words: Words) -> bool:
    """Whether all its threads stand still in waits for things of the process itself."""
    for thread in process.threads:
        lasting = words.lasting.get(thread.id)
        if lasting is None or lasting.kind in (NodeKind.PIPE, NodeKind.SOCKET, NodeKind.PROCESS):
            return False
    return True


def _finding(process: Process, thread: Thread, wait: Edge, words: Words) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread)
    index = depth_of(thread, frame)
    what = words.name(wait.target)
    children = (process.around.children if process.around else None) or ()
    dead = [f"process {one.pid} ({one.name})" for one in children if one.state in ("Z", "X")]
    ended = f" Its child {joined(dead[:3])} has ended." if dead else ""
    # Somebody may park by a condition or an event until a signal ends it, but not in a join().
    joins = index_of(thread, {"join"}, "multiprocessing/queues.py") is not None
    parks = index_of(thread, {"wait"}, "multiprocessing/synchronize.py") is not None
    sure = (joins or not parks) and for_good(closed_group((thread.pid,), words), words)
    certainty = as_sure_as(Certainty.PROVEN if sure else Certainty.INFERRED, wait)
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure and certainty.supports_claim else Severity.WARNING,
        certainty=certainty,
        title=f"Nobody is left to release {what}: {name} waits for it{at(frame)}",
        sentence=(
            f"{name} waits{at(frame)}{callers(thread, index)}{called(thread, index)} for {what}, "
            f"which another process should release. No other process shares it any more, so "
            f"none can.{ended}"
        ),
        threads=(ref(thread),),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            "no other process has the memory mapped that the semaphore is in",
            *(f"{one} has ended, and was not reaped" for one in dead[:3]),
            still(process.threads),
        ),
        unknown=("which process should have released it, and how that one ended",),
        advice=(
            (
                f"Watch the workers while waiting{at(frame)}: poll with a timeout and ask each "
                "Process for its exitcode, or use ProcessPoolExecutor, which reports a dead worker."
            ),
        ),
    )
