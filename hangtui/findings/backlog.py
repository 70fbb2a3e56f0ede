"""Connections that stand in a listener's queue: nobody has accepted them, so nobody answers."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.doing import doing
from hangtui.findings.english import clauses, counted, joined
from hangtui.findings.other_end import heard_from
from hangtui.findings.stack_queries import below_application, does, main_thread
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words
from hangtui.model import (
    EventLoop,
    NodeId,
    Pid,
    Process,
    Task,
    Thread,
    Watched,
    process_id,
    thread_id,
)

TOLD = " Meanwhile nobody accepts the connections to it: "
"""How a sentence goes on that tells whose connections stand in the queue of a process."""
_FORKED = "ForkingMixIn.process_request"
"""What the child of such a server is inside of for as long as it lives."""


def unaccepted(wait: Edge, words: Words) -> bool:
    """Whether all who could answer it would have to accept the connection first."""
    resource = words.resource(wait.target)
    listened_to = bool(words.graph.holders_of(wait.target))
    return listened_to and resource is not None and resource.unaccepted


def clients(process: Process, words: Words, *, timed: bool = False) -> list[Thread]:
    """The threads of other processes that wait for connections which *process* alone could accept;
    *timed*: also those with a timeout."""
    found: dict[NodeId, Thread] = {}
    for resource in words.capture.resources:
        holders = words.graph.holders_of(resource.id) if resource.unaccepted else ()
        pids = {hold.target.pid for hold in holders}
        if not pids or any(pid != process.pid and not _for_one(pid, words) for pid in pids):
            continue
        for wait in words.graph.waiters_of(resource.id):
            thread = words.thread(wait.source)
            if thread is not None and thread.pid != process.pid and (timed or not wait.expires):
                found[thread.id] = thread
    return list(found.values())


def short_unaccepted(thread: Thread, wait: Edge, words: Words) -> str:
    """``; nobody has accepted it yet: registry waits at town.py:9 (collect) for ...``."""
    first = _accepts_afterwards(thread, wait, words)
    return f"; nobody has accepted it yet{f': {does(first[0], words)}' if first else ''}"


def told_afterwards(thread: Thread, wait: Edge, words: Words) -> str:
    """``Nobody has accepted the connection yet: ...``, of a listener that waits for the end of the
    process of *thread* first; empty: none does."""
    first = _accepts_afterwards(thread, wait, words)
    if not first:
        return ""
    return (
        f"Nobody has accepted the connection yet: {does(first[0], words)}, and listens there. So "
        "each of the two waits for the other."
    )


def _accepts_afterwards(thread: Thread, wait: Edge | None, words: Words) -> list[Thread]:
    """Those who listen where *thread* waits for its connection to be accepted, and wait first for
    the end of its process, or of another one that waits there as well."""
    if wait is None or not unaccepted(wait, words):
        return []
    graph = words.graph
    ends = {one.source for one in graph.waiters_of(process_id(thread.pid))}
    holders = [hold.target for hold in graph.holders_of(wait.target)]
    listens = (one for one in words.threads(holders) if one.id in ends and one.pid != thread.pid)
    return [one for one in listens if _all_wait_for(one, words)]


def _all_wait_for(listener: Thread, words: Words) -> bool:
    """Whether the main threads of all processes that it waits for wait to be accepted by it."""
    awaited = [words.capture.process(wait.target.pid) for wait in words.graph.waits_of(listener.id)]
    mains = [main_thread(one) if one else None for one in awaited]
    waits = [words.graph.wait_of(main.id) if main else None for main in mains]
    return all(
        wait is not None
        and unaccepted(wait, words)
        and listener.id in {hold.target for hold in words.graph.holders_of(wait.target)}
        for wait in waits
    )


def _for_one(pid: Pid, words: Words) -> bool:
    """Whether a process was forked by a server of `socketserver` for one request: it has inherited
    what that listens at, and accepts nothing itself."""
    process = words.capture.process(pid)
    main = main_thread(process) if process else None
    return main is not None and any(
        frame.function == _FORKED and frame.filename.endswith("/socketserver.py")
        for frame in main.python_stack or ()
    )


def told_clients(process: Process, words: Words) -> str:
    """`` Meanwhile nobody accepts a connection of its: MainThread of process 7 waits at ...``."""
    waiting = [does(one, words) for one in clients(process, words, timed=True)]
    if not waiting:
        return ""
    return f"{TOLD}{clauses(waiting)}."


def asking_back(thread: Thread, there: Sequence[Thread], words: Words) -> list[Thread]:
    """Those among who is *there*, at the other end of what *thread* waits for, that wait for a
    connection to be accepted which only the own process of *thread* listens for."""
    process = words.capture.process(thread.pid)
    waiting = clients(process, words) if process and there else []
    return [one for one in there if one in waiting]


def told_asking_back(thread: Thread, there: Sequence[Thread], words: Words) -> str:
    """`` Only process 5 listens for that connection, and nobody has accepted it: ...``."""
    if not (back := asking_back(thread, there, words)):
        return ""
    first = (_accepts_afterwards(one, words.graph.wait_of(one.id), words) for one in back)
    accepting = [one for listeners in first for one in listeners if one.pid == thread.pid]
    if accepting:
        return (
            f" Only process {thread.pid} itself listens for the connection which is waited for "
            f"there, and nobody accepts it: {does(accepting[0], words)}. So each of the two "
            "processes waits for the other."
        )
    return (
        f" Only process {thread.pid} itself listens for the connection which is waited for there, "
        f"and nobody has accepted it, while {words.thread_name(thread)} waits here: so each of the "
        "two waits for the other."
    )


def told_own_knocking(loop: NodeId, words: Words) -> str:
    """`` Nobody has accepted 2 connections that it watches (TCP connection to 127.0.0.1:80): only
    this process listens there, and its loop does not ask for them now.``, of the thread of an event
    loop or hub; or nothing."""
    found = [
        one.name
        for one in words.capture.watched
        if one.thread == loop and not one.accepted and set(one.peers) == {loop.pid}
    ]
    if not found:
        return ""
    asks = [one.accepts for one in words.capture.inward if one.thread == loop]
    rests = ", and that loop does not ask for them now" if asks == [()] else ""
    return (
        f" Nobody has accepted {counted(len(found), 'connection')} that it watches "
        f"({joined(list(dict.fromkeys(found))[:NAMES_LISTED])}): only this process listens there"
        f"{rests}."
    )


def knocks_at_itself(node: NodeId, words: Words) -> Watched | None:
    """The connection of a task that waits for what comes over it, and that leads to its own
    process, where nobody has accepted it for over a second: the event loops there let nobody in,
    and no other thread runs the program. None: it is not like that."""
    task, wait = words.actor(node), words.graph.wait_of(node)
    address = heard_from(wait, words) if wait and isinstance(task, Task) else None
    process = words.capture.process(node.pid) if address else None
    if address is None or process is None:
        return None
    loops = [one for one in words.capture.event_loops if one.pid == process.pid]
    carriers = {_carrier(one) for one in loops}
    others = (one for one in process.threads if one.id not in carriers)
    if not all(_lets_nobody_in(one, words) for one in loops) or any(map(below_application, others)):
        return None
    own = (one for one in words.capture.watched if one.thread.pid == process.pid)
    knocks = (one for one in own if not one.accepted and one.peers == (process.pid,))
    knocks = (one for one in knocks if one.leads_to(address))
    return next(filter(_is_left, knocks), None)


def _lets_nobody_in(loop: EventLoop, words: Words) -> bool:
    """Whether it watches no listening socket; of a loop that does not tell, whether all that it
    watches are connections."""
    if loop.accepting is not None:
        return loop.accepting == 0
    own = [one for one in words.capture.watched if one.thread == _carrier(loop)]
    return loop.watched == len(own)


def _carrier(loop: EventLoop) -> NodeId | None:
    """Its thread; None: it has none now."""
    return thread_id(loop.pid, loop.tid) if loop.tid is not None else None


def _is_left(one: Watched) -> bool:
    """Whether it has waited over a second for what it has sent to be answered."""
    return one.traffic is not None and (one.traffic.sent_s or 0.0) >= STILL_S


def told_knocks_at_itself(node: NodeId, words: Words) -> str:
    """`` Nobody has accepted that connection: only this process itself listens there, and its event
    loop lets nobody in now. Meanwhile task serve waits ...``; empty: it is not like that."""
    if knocks_at_itself(node, words) is None:
        return ""
    others = [
        one
        for one in words.capture.tasks
        if one.pid == node.pid and one.id != node and words.graph.wait_of(one.id)
    ]
    meanwhile = clauses([doing(one, words) for one in others[:NAMES_LISTED]], len(others))
    told = f" Meanwhile {meanwhile}." if others else ""
    return (
        " Nobody has accepted that connection: only this process itself listens there, and its "
        f"event loop lets nobody in now. So it waits for itself.{told}"
    )


def knocking(thread: Thread, task: Task, words: Words) -> str:
    """``, and for process 5 to accept another connection``, if the event loop of *task*, at the
    other end of what *thread* waits for, watches one which only the own process of *thread* listens
    for, and has not accepted; else nothing."""
    loop = thread_id(task.pid, task.loop_tid) if task.loop_tid is not None else None
    knocks = any(
        one.thread == loop and not one.accepted and set(one.peers) == {thread.pid}
        for one in words.capture.watched
    )
    return f", and for process {thread.pid} to accept another connection" if knocks else ""


def told_knocking(thread: Thread, task: Task | None, words: Words) -> str:
    """`` Its event loop watches another connection, for which only process 5 listens ...``."""
    if task is None or not knocking(thread, task, words):
        return ""
    return (
        f" Its event loop watches another connection, for which only process {thread.pid} listens, "
        f"and which nobody has accepted, while {words.thread_name(thread)} waits here: as far as "
        "can be seen, each of the two waits for the other."
    )
