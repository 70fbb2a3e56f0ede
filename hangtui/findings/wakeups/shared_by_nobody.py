"""A semaphore or queue of `multiprocessing`, or a lock made of a semaphore with a name, that no
other process shares any more."""

from hangtui.analysis.edges import Relation
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.analysis.wakers import coming
from hangtui.findings.beyond_doubt import handled_signals
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.child_ends import failed_children, short_ended, told_ended, told_reaped
from hangtui.findings.english import clauses, listed
from hangtui.findings.grounds import NOBODY
from hangtui.findings.looked import polled_by
from hangtui.findings.package_queries import library_wait
from hangtui.findings.process_waits import SYNCHRONIZE, ending, notifies
from hangtui.findings.resources import CHANNELS
from hangtui.findings.services import of_library
from hangtui.findings.stack_queries import (
    at,
    called,
    callers,
    depth_of,
    does,
    index_of,
    own_frame,
    still,
    way_of,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.wakeups import memory_held_up, memory_removed
from hangtui.findings.wakeups.made_anew import anew_advice, told_anew
from hangtui.findings.wakeups.sharing import closed_group, for_good
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Child,
    Finding,
    NodeKind,
    NoHolder,
    Process,
    Progress,
    PythonFrame,
    Severity,
    Thread,
)

ID = "shared-by-nobody"
GROUND = NOBODY
HELP = """\
What `multiprocessing` shares between processes (semaphores, conditions, queues) is released or
notified by another process, or by a thread of the same one. If the worker that should do so has
ended, or the thread waits as well, whoever waits for it waits forever: `JoinableQueue.join()` after
a worker failed, `Condition.wait()`, `Semaphore.acquire()`.

How it is known: the memory of the semaphore is mapped by no other process, and every other thread
of this one rests in a wait that only a thread of the same process can end, or did nothing for a
second but look again and again for something else. It is an error where
none of them ran for a second and the process handles no signal; else it is inferred, and a note
where it waits for an event or a condition, as one does until a signal whose handler sets it comes.
Semaphores
with a name, as those of `posix_ipc`, are looked at if a function on a stack both takes and gives
them back, and every process can be looked into: these are locks, which nobody releases who has not
taken them.

The same goes for a loop that looks again and again into a `SharedMemory` which no other process has
mapped, and whose name was removed, so that none can map it any more. A process that was started
again makes one anew under the same name, and writes there. It also goes for one that can still be
mapped, where a child of the process was killed or has failed, which may be who was to write there;
and for one that other processes have mapped as well, where all threads of these that run the
program's code wait without a timeout for each other or for the process that looks, as several looks
saw for a second.
"""


_TAKEN = (
    " Who waits here takes it and gives it back, so it is used as a lock: whoever took it last has "
    "ended, or closed it, without releasing it; or that was a thread of this process, earlier on."
)
_NAMED = "named semaphore /"
_BY_NAME = "whether another program that opens it by its name is to release it"


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that waits for such a thing."""
    words = words_of(capture, graph)
    found = []
    for thread, wait, kind in words.lasting.values():
        resource, process = words.resource(wait.target), capture.process(thread.pid)
        alone = resource is not None and resource.no_holder is NoHolder.ALONE
        if not alone or process is None or process.steady is False:
            continue
        others = () if notifies(thread) else process.threads  # whatever they do ends no notify()
        left = [one for one in others if not _rests(one, words)]
        if kind is NodeKind.SEMAPHORE and all(_looks_on(one, wait, words) for one in left):
            found.append(_finding(process, thread, wait, left, words))
    loops = (*memory_removed.found(ID, words), *memory_held_up.found(ID, words))
    return [*found, *loops]


def _rests(thread: Thread, words: Words) -> bool:
    """Whether it stands still in a wait for something of the process itself."""
    lasting = words.lasting.get(thread.id)
    outside = (NodeKind.PIPE, NodeKind.SOCKET, NodeKind.PROCESS)
    return lasting is not None and lasting.kind not in outside


def _looks_on(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether, for over a second, it did nothing but look again and again below the same line of
    the application, however often it did so, and is not seen on the way to end *wait*."""
    seen, resource = words.progress.get(thread.id), words.resource(wait.target)
    if seen is None or own_frame(thread) is None or resource is None:
        return False
    stays = seen.stayed_s >= STILL_S or (_at_one_line(seen) and seen.lasted_s >= STILL_S)
    looks = seen.looked or polled_by(thread.id, words) is not None
    ends = coming(words.graph, wait.target, way_of(wait, words))
    return stays and looks and resource.wakers_known and not ends


def _at_one_line(seen: Progress) -> bool:
    """Whether every look met it below the same line, though it used much of a processor."""
    return not seen.returned and [visit.looks for visit in seen.visits] == [seen.looks]


def _finding(
    process: Process, thread: Thread, wait: Edge, looking: list[Thread], words: Words
) -> Finding:
    """*looking*: its threads that do not rest."""
    name, frame = words.thread_name(thread), own_frame(thread)
    index = depth_of(thread, frame)
    what = words.name(wait.target)
    act = ending(thread, wait, words)
    resource = words.resource(wait.target)
    named = resource is not None and (resource.name or "").startswith(_NAMED)
    dead = failed_children(process)
    ended = told_ended(dead, "its")
    others = [one for one in process.threads if one is not thread]
    rest = clauses([does(one, words) for one in others[:NAMES_LISTED]], len(others))
    alone = f", and all threads of this one wait: {rest}" if others else (
        ", and it is the only thread of this one"
    )  # fmt: skip
    # Somebody may park by a condition or an event until a signal ends it, but not in a join(), nor
    # with what another thread needs.
    joins = index_of(thread, {"join"}, "multiprocessing/queues.py") is not None
    parks = index_of(thread, {"wait"}, SYNCHRONIZE) is not None
    held = _needed_of(thread, words)
    sure = not looking and (joins or not parks or bool(held))
    sure = sure and for_good(closed_group((thread.pid,), words), words)
    who = f"{words.thread_name(looking[0])}{at(own_frame(looking[0]))}" if looking else ""
    meanwhile = f", while {who} only looks again and again" if looking else ""
    certainty = as_sure_as(Certainty.PROVEN if sure else Certainty.INFERRED, wait)
    # A handler of a signal is as good as a thread that may come.
    signals = (handled_signals(process) or ()) if parks and not (dead or held) else ()
    severity = Severity.ERROR if sure and certainty.supports_claim else Severity.WARNING
    return Finding(
        id=ID,
        severity=Severity.NOTE if signals else severity,
        certainty=certainty,
        title=f"Nobody is left to {act}: {name} waits for it{at(frame)}{meanwhile}"
        f"{short_ended(dead)}",
        sentence=(
            f"{name} waits{at(frame)}{callers(thread, index)}{_inside(thread, index)} for {what}: "
            f"somebody has to {'release it' if named else act}. No other process shares it{alone}."
            f"{_TAKEN if named else ''}{told_anew(process, what, words)}{ended}"
        ),
        tells_victims=bool(others),
        threads=(ref(thread), *map(ref, looking)),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            "no other process has the memory mapped that the semaphore is in",
            *(told_reaped(one) for one in dead[:3]),
            still(process.threads),
        ),
        unknown=(
            "who should have done that: a process that has ended, or a thread of this one",
            *((_BY_NAME,) if named else ()),
            *((f"whether the handler of {listed(signals)} is to end it",) if signals else ()),
        ),
        advice=_named_advice(frame)
        if named
        else anew_advice(process, what, words) or _advice(frame, held, dead, words),
    )


def _inside(thread: Thread, index: int) -> str:
    """`` in Queue.join (queues.py:1)``, ``, in posix_ipc,``: what its line called."""
    package = "" if index else library_wait(thread)
    return f", in {package}," if package else called(thread, index)


def _named_advice(frame: PythonFrame | None) -> tuple[str, ...]:
    return (
        (
            f"Give the wait{at(frame)} a timeout, and begin with a new semaphore where one was "
            "left behind: it is not released when the process that took it ends, as a lock on a "
            "file is (fcntl.flock)."
        ),
    )


def _needed_of(thread: Thread, words: Words) -> list[tuple[Edge, Edge]]:
    """What others wait for that the thread has: nobody rests with that. A process or a thread that
    a library keeps for itself waits for its end."""
    return [
        (hold, wait)
        for wait in words.graph.edges
        if wait.relation is Relation.WAITS_FOR
        and wait.source != thread.id
        and not any(of_library(one, words) for one in words.threads([wait.source]))
        for hold in words.graph.holders_of(wait.target)
        if hold.target == thread.id and hold.evidence.certainty.supports_claim
    ]


def _advice(
    frame: PythonFrame | None, held: list[tuple[Edge, Edge]], dead: list[Child], words: Words
) -> tuple[str, ...]:
    # The end of a pipe is not in anybody's way: who waits for data of it waits for what comes next.
    kept = [one for one in held if one[0].source.kind not in CHANNELS]
    if kept and not dead:
        hold, wait = kept[0]
        return (
            (
                f"Do not wait{at(frame)} with {words.name(hold.source)} held: "
                f"{words.name(wait.source)} needs it, and may be who is to end the wait."
            ),
        )
    return (
        (
            f"Watch the workers while waiting{at(frame)}: poll with a timeout and ask each "
            "Process for its exitcode, or use ProcessPoolExecutor, which reports a dead worker."
        ),
    )
