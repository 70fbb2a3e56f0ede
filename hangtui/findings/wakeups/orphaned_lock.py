"""A lock whose owner does not exist: it was held across a fork, or its thread ended with it."""

from hangtui.analysis.places import line_of, short_path
from hangtui.analysis.waitgraph import Edge, Relation, WaitGraph
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.child_ends import ended_children, told_ended
from hangtui.findings.grounds import ENDED
from hangtui.findings.resources import given_back_by_nobody, of_processes
from hangtui.findings.stack_queries import at, own_frame, still
from hangtui.findings.wakeups.orphaned_by_task import orphaned_by_tasks
from hangtui.findings.wakeups.sharing import closed_group, for_good, sharers_of
from hangtui.findings.words import Words, ref, words_of
from hangtui.findings.written import own_code, told_written
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeKind,
    NoHolder,
    Process,
    Resource,
    Severity,
    Thread,
    label_of,
)

ID = "orphaned-lock"
GROUND = ENDED
ACROSS_FORK = "lock-held-across-fork"
IDS = (ID, ACROSS_FORK)
HELP = """\
This happens in two ways. A process was forked while another thread of the parent held a lock: the
child has a copy of the lock, locked, but not of that thread (`lock-held-across-fork`). Or a thread
ended while it held a lock (`orphaned-lock`).

How it is known: reentrant locks, buffered files and native mutexes record their owner; that was no
longer a thread of the process, and the lock still named it after that was seen; the same of
greenlets, of which gevent keeps those that its locks name, and of tasks, which anyio's locks name.
A plain lock records none: in a forked process with a single thread that is then inferred, and only
a warning. The same goes for a lock of `multiprocessing` that none of the processes sharing it has:
each counts what it took and gave back. Any of them may release it all the same, so it is an error
only where all of them stand still, behind this lock or each other.
"""

_RECORDING = {NodeKind.RLOCK, NodeKind.IO_LOCK, NodeKind.MUTEX, NodeKind.STDIO, NodeKind.RWLOCK}
"""Locks that record their owner: if no thread of the process is it, none will release them."""
_INSTEAD = "; and whether a living one will release it instead"
_PLAIN = {NodeKind.LOCK, NodeKind.SEMAPHORE}

_IMPORT_ADVICE = [
    (
        "Import what the child needs before the parent starts threads, or wait for the thread that "
        "imports it (join()) before the fork."
    ),
    "Or do not fork a process that has threads: multiprocessing.set_start_method('spawn').",
]


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each lock that is awaited and whose owner is gone."""
    words = words_of(capture, graph)
    holds = (edge for edge in graph.edges if edge.relation is Relation.HELD_BY)
    held = {hold.source for hold in holds if not _orphaned_surely(words.resource(hold.source))}
    found: dict[str, Finding] = {}
    for thread, wait, _ in words.lasting.values():
        if wait.target in held or wait.target in found:
            continue
        resource, process = words.resource(wait.target), capture.process(thread.pid)
        if process is None or resource is None:
            continue
        certainty = _orphaned(process, thread, resource, words)
        if certainty is not None:
            found[resource.id] = _finding(process, thread, wait, certainty, words)
    return [*found.values(), *orphaned_by_tasks(ID, capture, words)]


def _orphaned(
    process: Process, thread: Thread, resource: Resource, words: Words
) -> Certainty | None:
    """How sure it is that nobody will release it, which nobody who is known has; None: it does not
    look like that."""
    if _orphaned_surely(resource):
        return Certainty.CERTAIN
    if resource.no_holder is NoHolder.TAKER_ENDED:
        # Any process that shares it may release it, unless all of these wait as well.
        closed = closed_group(sharers_of(resource), words)
        return Certainty.PROVEN if for_good(closed, words) else Certainty.INFERRED
    # Which thread has a plain lock is not recorded. In a copy of a process there is only the
    # thread that forked, and what else it has started since.
    forked = process.around is not None and process.around.forked_from is not None
    shared = of_processes(resource) or resource.pid == 0
    if (
        resource.kind in _PLAIN
        and forked
        and not shared
        and resource.no_holder in (NoHolder.UNTOLD, NoHolder.GONE)
    ):
        alone = sum(bool(one.is_python) for one in process.threads) == 1 and thread.is_python
        return Certainty.INFERRED if alone else None
    return None


def _orphaned_surely(resource: Resource | None) -> bool:
    return resource is not None and resource.orphaned


def _finding(
    process: Process, thread: Thread, wait: Edge, certainty: Certainty, words: Words
) -> Finding:
    resource = words.resource(wait.target)
    shared = resource is not None and resource.no_holder is NoHolder.TAKER_ENDED
    parent = process.around.forked_from if process.around and not shared else None
    lock, label = words.name(wait.target), _label(wait, words)
    name, forked = words.thread_name(thread), parent is not None
    title = (
        f"{name} waits for {lock}{at(own_frame(thread))}, which no thread here holds: it was left "
        "locked by an earlier call, or inherited through fork"
        if forked and may_be_left(thread, resource)
        else f"Lock inherited through fork: {name} waits for {lock}, which no thread here holds"
        if forked
        else f"Orphaned lock: {name} waits for {lock}, whose owner has ended"
    )
    return Finding(
        id=ACROSS_FORK if forked else ID,
        severity=Severity.ERROR if certainty.supports_claim else Severity.WARNING,
        # That it is inherited follows from the process being a fork: no record says so.
        certainty=as_sure_as(certainty, wait, *([Certainty.PROVEN] if forked else [])),
        title=title,
        sentence=_sentence(thread, wait, label, parent, words, certainty, shared=shared),
        threads=(ref(thread),),
        resources=(wait.target,),
        subject=wait.target,
        evidence=tuple(_evidence(process, thread, wait, parent, words)),
        unknown=tuple(_unknown(parent, certainty, shared=shared)),
        advice=tuple(_advice(forked, lock, thread, resource.kind if resource else None)),
    )


def _label(wait: Edge, words: Words) -> str:
    resource = words.resource(wait.target)
    name = words.name(wait.target)
    if resource is None or resource.name is None:
        return name
    return label_of(name, resource.type_name or resource.detail)


def _sentence(
    thread: Thread,
    wait: Edge,
    label: str,
    parent: int | None,
    words: Words,
    certainty: Certainty,
    *,
    shared: bool,
) -> str:
    name, position = words.thread_name(thread), words.position(thread, wait.evidence.where)
    start = f"{name} waits {position} for {label}"
    probably = "" if certainty.supports_claim else "probably "
    resource = words.resource(wait.target)
    if parent is not None:
        told = inherited(thread, parent, probably, resource)
        return f"{start}. {told} It stays locked forever.{_behind(wait, thread, words)}"
    owner = "process" if shared else "thread"
    dead = _told_dead(thread, resource, words) if shared and resource else ""
    return (
        f"{start}. The {owner} that holds it has ended without releasing it and does not exist any "
        f"more, so nobody will ever release it.{dead}{_behind(wait, thread, words)}"
    )


def inherited(thread: Thread, parent: int, probably: str, resource: Resource | None) -> str:
    """How the lock of a forked process came to be locked."""
    if may_be_left(thread, resource):
        return (
            f"No thread of process {thread.pid} has it: an earlier call took it and went on "
            f"without releasing it, or another thread of process {parent} had it when that was "
            f"forked; nothing records which.{told_written(resource, thread)}"
        )
    return (
        f"Process {thread.pid} was forked from process {parent}, {probably}while a thread of that "
        "parent held this lock: the child inherited it locked, but the thread that would release "
        "it does not exist here."
    )


def may_be_left(thread: Thread, resource: Resource | None) -> bool:
    """Whether code that the thread is inside of would release a plain lock in a line of its own: a
    call of the same that failed in between leaves it locked. Leaving a `with` is no such line. Of a
    semaphore that nobody comes to give back, all may have been taken here, by the waiter itself."""
    if resource and resource.kind is NodeKind.SEMAPHORE and given_back_by_nobody(resource):
        return True
    here = [line_of(frame) for frame in thread.python_stack or ()]
    own = own_code(resource, thread)
    return any(not any(f"({line})" in one for line in here) for one in own)


def _behind(wait: Edge, thread: Thread, words: Words) -> str:
    others = [e.source for e in words.graph.waiters_of(wait.target) if e.source != thread.id]
    names = [words.name(node) for node in others]
    return f" {len(names)} more wait for it: {', '.join(names[:5])}." if names else ""


def _told_dead(thread: Thread, resource: Resource, words: Words) -> str:
    """The children that have ended of who waits, or of others that share a lock of processes."""
    sharers = filter(None, map(words.capture.process, (thread.pid, *sharers_of(resource))))
    found = {one.pid: gone for one in sharers if (gone := ended_children(one))}
    own = thread.pid
    told = (
        told_ended(gone, "its" if pid == own else f"{words.process_name(pid)}'s")
        for pid, gone in found.items()
    )
    return "".join(told)


def _evidence(
    process: Process, thread: Thread, wait: Edge, parent: int | None, words: Words
) -> list[str]:
    resource = words.resource(wait.target)
    lines = [words.reading(wait)]
    note = resource.note if resource else None
    if note:
        lines.append(note)
    elif resource is not None and resource.kind is NodeKind.IO_LOCK:
        lines.append("it records its owner, which is no living thread of this process")
    lines += [words.reading(hold) for hold in words.graph.holders_of(wait.target)]
    if parent is not None:
        lines.append(
            f"process {process.pid} runs the same program with the same command line as its "
            f"parent {parent}: it is a fork of it that has not called exec"
        )
    return [*lines, still([thread])]


def _unknown(parent: int | None, certainty: Certainty, *, shared: bool) -> list[str]:
    if shared:
        return [f"which process it was{'' if certainty.supports_claim else _INSTEAD}"]
    if parent is None:
        return ["which thread it was: only the number of a thread that has ended is left"]
    lines = [f"which thread of process {parent} held it at the moment of the fork"]
    if not certainty.supports_claim:
        lines.append("whether it was held there: a plain lock records no owner")
    return lines


def _advice(forked: bool, lock: str, thread: Thread, kind: NodeKind | None) -> list[str]:
    where = at(own_frame(thread))
    if forked and kind is NodeKind.IMPORT_LOCK:
        return _IMPORT_ADVICE
    if forked:
        return fork_advice(lock)
    return [
        (
            f"Take {lock} with `with`, so that an exception or a return releases it, and never "
            "end a thread inside it."
        ),
        f"Bound the wait{where}: acquire(timeout=...) turns this into an error.",
    ]


def fork_advice(lock: str) -> list[str]:
    """How to fork without a lock that nobody has."""
    return [
        (
            "Do not fork a process that has threads: "
            "multiprocessing.set_start_method('spawn') or 'forkserver'; subprocess instead of "
            "os.fork()."
        ),
        (
            f"If it must fork: hold {short_path(lock)} around os.fork() and release it on both "
            "sides, or create it anew in the child (os.register_at_fork(before=..., "
            "after_in_parent=..., after_in_child=...)). logging does so by itself from "
            "Python 3.7.1 on."
        ),
    ]
