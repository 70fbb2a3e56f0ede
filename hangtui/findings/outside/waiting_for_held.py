"""Who waits for a process that something outside holds: for its end, for what it alone could send
or read, or for a lock that it has."""

from collections.abc import Iterator
from dataclasses import replace

from hangtui.analysis.places import program_frame
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.actors import REMOTE
from hangtui.findings.doing import doing
from hangtui.findings.outside.file_locked import short_name
from hangtui.findings.package_queries import library_wait
from hangtui.findings.services import of_library
from hangtui.findings.stack_queries import at, callers_of, does, own_frame
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words, ref
from hangtui.model import Finding, NodeId, NodeKind, Task, Thread, process_id, thread_id

_LOCKS = {NodeKind.FILE_LOCK, NodeKind.LOCK, NodeKind.SEMAPHORE, NodeKind.MUTEX}
_BROUGHT = {NodeKind.PIPE, NodeKind.SOCKET, *REMOTE}
"""What only those can bring who have it: data, or an answer."""


def with_waiting(finding: Finding, words: Words) -> Finding:
    """Also who waits for such a process to end, or for what only it could send or read, and at
    which line, threads before tasks; not what a library runs for itself to see that end."""
    finding = _with_takers(finding, words)
    pids = set(finding.processes)
    sources = dict.fromkeys(edge.source for edge in _waits_for(pids, words))
    waiting = words.threads(sources)
    tasks = [one for one in words.actors(sources) if isinstance(one, Task)]
    own = [thread for thread in waiting if not of_library(thread, words)][:NAMES_LISTED]
    told = "; ".join(does(thread, words) for thread in own)
    if not own and not tasks and (own := _connected(pids, words)[:NAMES_LISTED]):
        told = "; ".join(
            f"{words.thread_name(one)} waits{at(own_frame(one))}{callers_of(one, own_frame(one))}, "
            f"in {library_wait(one)}, and the only connections that native threads of its process "
            "watch lead to it"
            for one in own
        )
    tasks = [] if told else tasks or _tasks_connected(pids, words)
    if tasks:
        told = "; ".join(doing(task, words) for task in tasks[:NAMES_LISTED])
        own = list(words.carriers(tasks))
    if not told:
        return finding
    victims = dict.fromkeys((*finding.victims, *map(ref, own)))
    who = words.actor_name(tasks[0]) if tasks else words.thread_name(own[0])
    line = program_frame(tasks[0].python_stack or ()) if tasks else own_frame(own[0])
    first = f"{who} waits for it{at(line)}"
    return replace(
        finding,
        title=f"{finding.title}; {first}",
        sentence=f"{finding.sentence} {told}.",
        victims=tuple(victims),
        tells_victims=True,
        tasks=tuple(dict.fromkeys((*finding.tasks, *(task.id for task in tasks)))),
    )


def _waits_for(pids: set[int], words: Words) -> Iterator[Edge]:
    """The waits of others for these processes, or for what these alone can bring."""
    for pid in pids:
        yield from words.graph.waiters_of(process_id(pid))
    ends = {hold.resource for hold in words.capture.holds
            if hold.resource.kind in _BROUGHT and hold.holder.pid in pids}  # fmt: skip
    for end in ends:
        if {hold.target.pid for hold in words.graph.holders_of(end)} <= pids:
            yield from (one for one in words.graph.waiters_of(end) if one.source.pid not in pids)


def _connected(pids: set[int], words: Words) -> list[Thread]:
    """Threads below the application's lines that wait in a package, for what nothing records, in
    processes whose native threads watch connections to *pids* and to nobody else."""
    found = list[Thread]()
    for process in words.capture.processes:
        native = {one.id for one in process.threads if not one.is_python}
        ends = [set(one.peers) for one in words.capture.watched if one.thread in native]
        if process.pid in pids or not ends or not all(one and one <= pids for one in ends):
            continue
        found += [
            one
            for one in process.threads
            if one.asleep and library_wait(one) and words.graph.wait_of(one.id) is None
        ]
    return found


def _tasks_connected(pids: set[int], words: Words) -> list[Task]:
    """Tasks and greenlets that wait for what comes over a connection whose other end these have."""
    found = dict[NodeId, Task]()
    for one in words.capture.watched:
        if not one.peers or not pids.issuperset(one.peers):
            continue
        for task in words.capture.tasks:
            loop = thread_id(task.pid, task.loop_tid or 0)
            if loop == one.thread and task.ends and one.leads_to(task.ends.remote):
                found[task.id] = task
    return list(found.values())


def _with_takers(finding: Finding, words: Words) -> Finding:
    """Also who of another process waits for a lock that such a process alone has, be it by asking
    again and again."""
    pids = set(finding.processes)
    for hold in words.capture.holds:
        if hold.resource.kind not in _LOCKS or hold.holder.pid not in pids:
            continue
        if {one.target.pid for one in words.graph.holders_of(hold.resource)} - pids:
            continue
        waits = words.graph.waiters_of(hold.resource)
        waiting = [one for one in words.threads([wait.source for wait in waits])
                   if one.pid not in pids and own_frame(one)]  # fmt: skip
        if not waiting:
            continue
        lock = words.name(hold.resource)
        names = "; ".join(
            f"{words.thread_name(one)} waits{at(own_frame(one))}{callers_of(one, own_frame(one))}"
            for one in waiting[:NAMES_LISTED]
        )
        first = f"{words.thread_name(waiting[0])}{at(own_frame(waiting[0]))}"
        more = f" and {len(waiting) - 1} more" if waiting[1:] else ""
        known = {*finding.threads, *finding.victims}
        return replace(
            finding,
            title=f"{finding.title}, and has {short_name(lock)}, wanted by {first}{more}",
            sentence=f"{finding.sentence} It has {lock}, and gives it back only when it goes on: "
            f"{names}.",
            victims=(*finding.victims, *(one for one in map(ref, waiting) if one not in known)),
            tells_victims=True,
        )
    return finding
