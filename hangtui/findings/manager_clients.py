"""Who may ask a manager of multiprocessing for something: only what descends from the process that
started it has its key, and connects to it at its first call."""

from collections.abc import Iterable

from hangtui.analysis.places import frame_at
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.by_the_clock import goes_on, moves
from hangtui.findings.child_ends import ended_children, told_ended
from hangtui.findings.doing import doing
from hangtui.findings.english import clauses, listed
from hangtui.findings.housekeepers import listens
from hangtui.findings.looked import polled_by
from hangtui.findings.loops import idle_loops
from hangtui.findings.pool_workers import FORK_SERVER, stands_in
from hangtui.findings.roles import serves_proxies
from hangtui.findings.services import is_helper
from hangtui.findings.stack_queries import (
    at,
    below_application,
    callers,
    does,
    index_of,
    main_thread,
    own_frame,
)
from hangtui.findings.telling_tasks import telling_tasks
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeKind, Process, Thread

MANAGERS = "/multiprocessing/managers.py"
_DEAD = ("Z", "X")
_BROUGHT = frozenset({NodeKind.EVENT, NodeKind.CONDITION, NodeKind.QUEUE, NodeKind.BARRIER})
_HAVE_CHILDREN = (None, FORK_SERVER)
"""What multiprocessing has for itself has none but this one, which starts processes for others."""


def is_manager(process: Process) -> bool:
    """Whether it serves clients as such a manager does."""
    return any(
        index_of(thread, {"serve_client", "serve_forever"}, MANAGERS) is not None
        for thread in process.threads
    )


def asks_manager(thread: Thread) -> bool:
    """Whether it waits for the answer to a call of a proxy."""
    return index_of(thread, {"_callmethod"}, MANAGERS) is not None


def family(pid: int, words: Words) -> set[int]:
    """A process with all that were looked at which it descends from, and all that live of these.
    Without who has started it, a number that was not looked at stands for that one. What a fork
    server has started descends from that."""
    process, top = words.capture.process(pid), pid
    while process is not None:
        top, process = process.pid, words.capture.process(process.ppid)
    found = [top] if top != pid else [pid, -1]
    for one in found:  # it grows
        member = words.capture.process(one)
        children = (member.around.children if member and member.around else None) or ()
        living = [c.pid for c in children if c.state not in _DEAD and c.helper in _HAVE_CHILDREN]
        found += [child for child in living if child not in found]
    return set(found)


def clients_behind(thread: Thread, wait: Edge, words: Words) -> set[int]:
    """The processes that may ask the same manager for something as *thread*, which waits for its
    answer; empty where the other end is none."""
    managers = _managers_at(thread, wait, words)
    found = set[int]().union(*(family(one.pid, words) for one in managers))
    return found - {thread.pid, *(one.pid for one in managers)}


def _managers_at(thread: Thread, wait: Edge, words: Words) -> list[Process]:
    """The managers that have the other end of what *thread* waits at."""
    pids = {hold.target.pid for hold in words.graph.holders_of(wait.target)} - {thread.pid}
    return [one for one in map(words.capture.process, pids) if one and is_manager(one)]


def _serves_anybody(manager: Process) -> bool:
    """Whether it is a program of its own, which has called `serve_forever()` itself: whoever has
    been given its key may connect, and bring what others wait for. What `start()` and `Manager()`
    have started is not."""
    main = main_thread(manager)
    if main is None or index_of(main, {"serve_forever"}, MANAGERS) is None:
        return False
    return index_of(main, {"_run_server"}, MANAGERS) is None


def left_to_clients(thread: Thread, wait: Edge, asked: Iterable[Actor], words: Words) -> bool:
    """Whether a manager has *thread* wait for what another client may bring it, which sleeps by the
    clock, is seen to get on, or waits until somebody connects to it, as the manager itself may; or
    for what a client has that goes on, and has to give back. *asked*: who is to answer."""
    asked = list(asked)
    behind = [edge for one in asked if (edge := words.graph.wait_of(one.id))]
    if not behind or len(behind) < len(asked):
        return False
    if all(_goes_on_with(one, words) for one in behind):
        return True
    if any(one.target.kind not in _BROUGHT for one in behind):
        return False
    if any(_serves_anybody(one) for one in _managers_at(thread, wait, words)):
        return True
    clients = map(words.capture.process, clients_behind(thread, wait, words))
    mains = [main for one in clients if one is not None and (main := main_thread(one))]
    return any(
        listens(main, words.capture)
        or goes_on(main, words)
        or moves(main, words)
        or _sleeps_between(main, words)
        for main in mains
    )


def _goes_on_with(wait: Edge, words: Words) -> bool:
    """Whether those who have what is waited for, which is recorded, go on by the clock."""
    holders = words.actors(hold.target for hold in words.graph.holders_of(wait.target))
    return bool(holders) and all(
        goes_on(one, words) or (isinstance(one, Thread) and _sleeps_between(one, words))
        for one in holders
    )


def _sleeps_between(main: Thread, words: Words) -> bool:
    """Whether it sleeps at a line of the application's own between pieces of its work: it looks at
    nothing in between, and does more than to sleep, as far as is known."""
    sleeps = main.syscall is not None and main.syscall.sleeps and below_application(main)
    looks = main.id in words.looking or polled_by(main.id, words) is not None
    return sleeps and not main.only_sleeps and not looks


def kept_from(thread: Thread, wait: Edge, words: Words) -> str:
    """``; MainThread of reader waits for Buffer.lock of that manager, which ... has``: who of its
    clients waits for what *thread* has of it; empty: nobody, as far as can be seen."""
    for pid in sorted(clients_behind(thread, wait, words)):
        process = words.capture.process(pid)
        main = main_thread(process) if process else None
        behind = _behind(main, words) if main else None
        held = words.graph.holders_of(behind.target) if behind else ()
        if main and behind and any(hold.target == thread.id for hold in held):
            return f"; {_client(main, words)}"
    return ""


def told_clients(
    thread: Thread, manager: Process, words: Words, asked: Iterable[Actor] = ()
) -> str:
    """What those do who may ask *manager* besides *thread*, which waits for its answer, what that
    is at for them, and which children of who started it have ended. *asked*: who is to answer."""
    starter = words.capture.process(manager.ppid)
    pids = sorted(family(manager.pid, words) - {manager.pid, thread.pid})
    others = [process for pid in pids if (process := words.capture.process(pid))]
    mains = [main_thread(one) for one in others if not is_helper(one) and not is_manager(one)]
    told = [_client(main, words) for main in mains if main is not None]
    busy = [one for one in manager.threads if serves_proxies(one) and below_application(one)]
    answering = {one.id for one in asked}
    here = [does(one, words) for one in busy if one.id not in answering]
    who = f" There, too, {clauses(here[:NAMES_LISTED], len(here))}." * bool(here)
    who += f" Other clients of that manager: {clauses(told[:NAMES_LISTED], len(told))}." * bool(
        told
    )
    new = [f"process {one.pid}" for one in others if stands_in(one, words)]
    who += f" In place of workers of a pool that had ended: {listed(new)}." * bool(new)
    if starter is None:
        return who
    return who + told_ended(ended_children(starter), f"process {starter.pid}'s")


def _client(main: Thread, words: Words) -> str:
    """What a client does, with the program's line that called the method of the proxy."""
    behind = _behind(main, words)
    holds = words.graph.holders_of(behind.target) if behind else ()
    if behind is not None and holds:
        kept = f"{words.name(behind.target)} of that manager, which {words.name(holds[0].target)}"
        return f"{words.thread_name(main)} waits{at(own_frame(main))} for {kept} has"
    wait = words.graph.wait_of(main.id)
    index = frame_at(main, wait.evidence.where) if wait else None
    if wait is None or index is None or not asks_manager(main):
        return _task_of(main, words) or does(main, words)
    return f"{words.thread_name(main)} {words.waiting(wait, callers(main, index, 1))}"


def _task_of(main: Thread, words: Words) -> str:
    """What the task waits for that tells most of those whose event loop *main* runs, with nothing
    to run; or nothing."""
    process = words.capture.process(main.pid)
    if process is None or main.id not in idle_loops(words.capture):
        return ""
    tasks = (one for one in telling_tasks(process, words) if one.loop_tid == main.tid)
    first = next((one for one in tasks if below_application(one)), None)
    return doing(first, words) if first is not None else ""


def _behind(client: Thread, words: Words) -> Edge | None:
    """What the manager's own thread waits for that serves *client*, which waits for its answer."""
    edge = words.graph.wait_of(client.id)
    wait = words.wait(edge) if edge and asks_manager(client) else None
    serving = words.threads(wait.answering) if wait else []
    return words.graph.wait_of(serving[0].id) if len(serving) == 1 else None
