"""A task waits for what whoever took it has not given back, or for what a task was to do that has
ended with an exception, while its event loop goes on to wait for others."""

from collections.abc import Iterator

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.analysis.wakers import coming
from hangtui.findings.ended import failure_advice, failures, told_failure
from hangtui.findings.english import counted, joined
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.lookers import lasted_s
from hangtui.findings.pools import position
from hangtui.findings.resources import given_back_by_nobody, releases_nobody, why_taken
from hangtui.findings.stack_queries import way_of
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.wakeups.left_alone import is_lost, told_lost
from hangtui.findings.wakeups.nobody_left_advice import act
from hangtui.findings.wakeups.stalled_loops import stalled
from hangtui.findings.words import Words, ref, words_of
from hangtui.findings.written import told_written
from hangtui.model import (
    Capture,
    Certainty,
    Ended,
    Finding,
    NodeKind,
    NoHolder,
    Resource,
    Severity,
    Task,
    TaskState,
    thread_id,
)

ID = "left-behind"
GROUND = ONE_WAIT
HELP = """\
A task, a greenlet or a function of Twisted waits for a lock or a semaphore that nobody gives back
any more; or for something that a task was to set, notify, put or take, which has ended with an
exception. The event loop waits for connections or the clock meanwhile, so that the process looks
as if it had nothing to do.

How it is known: the lock is taken, no stack of a thread, a task or a greenlet shows who has it,
none of them comes to its `release()` by its code, and no object of the interpreter is kept that
would call it later, as a callback would. A task that has ended is known as long as something
refers to it: its exception has the frames that it went through, with their variables. It is a
warning if the wait was seen to last for a second or more. The same is told of a greenlet that
whoever released a lock of eventlet could not wake, as that belongs to another thread: the lock has
it no longer among those to be told. That is an error if nobody else goes on either.

The same is told of an event, a future, a queue, a semaphore or a condition to which nothing leads
any more but the variables of those that wait for it, in a loop that does other things as well: an
object counts how often it is referred to, and those variables make up for all of it. Whoever was
to set it has ended, was forgotten and collected as garbage, or has another one by now.
"""

_TAKEN = (NodeKind.LOCK, NodeKind.SEMAPHORE, NodeKind.LIMITER)


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such resource."""
    words = words_of(capture, graph)
    found = []
    for resource in capture.resources:
        gone = given_back_by_nobody(resource) and resource.kind in _TAKEN
        missed = resource.no_holder is NoHolder.MISSED
        passing = resource.no_holder is NoHolder.PASSING and resource.id not in capture.given
        if not (gone or missed or passing or resource.ended or resource.unshared):
            continue
        waits = list(_waits(resource, words))
        gone = gone or (passing and _lasted_s(resource, waits, words) >= STILL_S)
        if waits and not graph.holders_of(resource.id) and is_lost(resource, waits, words):
            found.append(told_lost(resource, waits, words))
            continue
        if waits and missed:
            found.append(_missed(resource, waits, words))
            continue
        ends = gone or (resource.ended and _alone(resource, waits, words))
        if waits and not graph.holders_of(resource.id) and ends:
            found.append(_finding(resource, waits, words, gone=gone))
    return found


def _waits(resource: Resource, words: Words) -> Iterator[tuple[Task, Edge]]:
    """The tasks that stand still in a wait for it, in loops that something may still wake."""
    for edge in words.graph.waiters_of(resource.id):
        task = words.actor(edge.source)
        if not isinstance(task, Task) or task.state is not TaskState.WAITING:
            continue
        if edge.stable and not edge.expires and not _stalled(task, words):
            yield task, edge


def _lasted_s(resource: Resource, waits: list[tuple[Task, Edge]], words: Words) -> float:
    """For how long one of these waits was seen, or nobody to have what is waited for: whoever has
    it took it before, and was seen then."""
    unheld = (one.lasted_s for one in words.capture.unheld if one.resource == resource.id)
    return max((*unheld, *(lasted_s(task, words) for task, _ in waits)), default=0.0)


def _stalled(task: Task, words: Words) -> bool:
    """Whether nothing can wake its loop, which is told by a rule of its own."""
    process = words.capture.process(task.pid)
    thread = words.thread(thread_id(task.pid, task.loop_tid)) if task.loop_tid else None
    if process is None or thread is None:
        return False
    loops = (one for one in words.capture.event_loops if one.pid == task.pid)
    return any(one.address == task.loop and stalled(one, thread, process, words) for one in loops)


def _alone(resource: Resource, waits: list[tuple[Task, Edge]], words: Words) -> bool:
    """Whether no thread and no task that is there is on the way to end these waits."""
    return resource.wakers_known and not any(
        coming(words.graph, resource.id, way_of(wait, words)) for _, wait in waits
    )


def _finding(
    resource: Resource, waits: list[tuple[Task, Edge]], words: Words, *, gone: bool
) -> Finding:
    tasks = [task for task, _ in waits]
    wait = waits[0][1]
    name, does = words.name(resource.id), act(wait, words)
    ended = failures([resource])
    lasted = _lasted_s(resource, waits, words)
    others = [words.actor_name(task) for task in tasks[1 : NAMES_LISTED + 1]]
    others += [f"{len(tasks) - 1 - len(others)} more"] if len(tasks) - 1 > len(others) else []
    first = _awaiting(tasks[0], wait, words)
    too = f", as {joined(others)} {'does' if len(others) == 1 else 'do'}" if others else ""
    said = [told_failure(one, does, name) for one in ended]
    return Finding(
        id=ID,
        severity=Severity.WARNING if lasted >= STILL_S else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"{first}: {_why(ended, does, resource, gone=gone)}",
        sentence=" ".join(
            [f"{first}{too}, without a timeout.", *_known(resource, tasks[0], gone=gone), *said]
        ),
        threads=tuple(ref(thread) for thread in words.carriers(tasks)),
        tasks=tuple(task.id for task in tasks),
        subject=tasks[0].id,
        resources=(resource.id,),
        evidence=(
            *(words.reading(edge) for _, edge in waits[:NAMES_LISTED]),
            *said,
            f"{counted(len(tasks), 'task')} stood still for {lasted:.0f} s or more",
        ),
        unknown=tuple(_unknown(resource, gone=gone)),
        advice=(
            *map(failure_advice, ended[:1]),
            *((_give_back(name),) if gone else ()),
        ),
    )


def _missed(resource: Resource, waits: list[tuple[Task, Edge]], words: Words) -> Finding:
    """Of who was not told that something was given back."""
    tasks = [task for task, _ in waits]
    first, lasted = _awaiting(tasks[0], waits[0][1], words), lasted_s(tasks[0], words)
    name = words.name(resource.id)
    return Finding(
        id=ID,
        severity=Severity.WARNING if lasted >= STILL_S else Severity.NOTE,
        certainty=Certainty.PROVEN,
        title=f"{first}: that was released, and nobody wakes who waits for it",
        sentence=(
            f"{first}, without a timeout. It was released: {resource.note}. So "
            f"{words.actor_name(tasks[0])} never goes on, whoever has {name} now."
        ),
        threads=tuple(ref(thread) for thread in words.carriers(tasks)),
        tasks=tuple(task.id for task in tasks),
        subject=tasks[0].id,
        resources=(resource.id,),
        owed=True,
        evidence=tuple(words.reading(edge) for _, edge in waits[:NAMES_LISTED]),
        advice=(
            (
                f"Share no lock of greenlets between threads of the system, as {name} is: use "
                "those of eventlet.patcher.original('threading') there, or hand things over by a "
                "queue of tpool's."
            ),
        ),
    )


def _awaiting(task: Task, wait: Edge, words: Words) -> str:
    """``task flush awaits Log.lock (asyncio.Lock) at log.py:10 (flush)``: in the words of its
    library, where it has some."""
    if not task.awaits:
        return f"{words.actor_name(task)} {words.waiting(wait)}"
    where = f" at {position(task)}" if position(task) else ""
    return f"{words.actor_name(task)} awaits {task.awaits}{where}"


def _why(ended: list[Ended], does: str, resource: Resource, *, gone: bool) -> str:
    held = "nobody holds it any more: " if gone else ""
    for one in ended:
        return f"{held}{one.name}, which was to {does} it, has ended with {one.error}"
    return why_taken(resource)


def _known(resource: Resource, task: Task, *, gone: bool) -> Iterator[str]:
    if not gone:
        yield "No thread and no task that is there is on the way to end that."
        return
    taken = "is locked" if resource.kind is NodeKind.LOCK else "has nothing left to give"
    what = resource.type_name or resource.kind
    yield f"The {what} {taken}, but {releases_nobody(resource)}.{told_written(resource, task)}"


def _unknown(resource: Resource, *, gone: bool) -> Iterator[str]:
    if gone and not resource.ended:
        yield "who took it: nothing records that"
    yield "whether what comes over a connection, or code in C, will end the wait"


def _give_back(name: str) -> str:
    called = "..." if " " in name else name
    return (
        f"Give {name} back on every way out of what takes it, also if it fails: `with` or `async "
        f"with`, or try: ... finally: {called}.release()."
    )
