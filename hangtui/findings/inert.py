"""Threads that cannot act before another one of their process does."""

from collections.abc import Collection, Iterable, Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.forks import forked_at
from hangtui.findings.housekeepers import keeps_house
from hangtui.findings.resources import of_processes
from hangtui.findings.roles import carries_collectives
from hangtui.findings.stack_queries import kind_of, name_of, stood_s, wait_for_ever
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import (
    Capture,
    EventLoop,
    LoopState,
    NodeKind,
    Pid,
    Process,
    PythonFrame,
    Task,
    TaskState,
    Thread,
    WorkerQueue,
)

OF_THE_PROCESS = {
    NodeKind.CONDITION: "notify",
    NodeKind.EVENT: "set",
    NodeKind.QUEUE: "put into",
    NodeKind.BARRIER: "join at",
    NodeKind.SEMAPHORE: "release",
    NodeKind.FUTURE: "finish",
    NodeKind.LOCK: "release",
    NodeKind.RLOCK: "release",
    NodeKind.MUTEX: "release",
    NodeKind.RWLOCK: "release",
    NodeKind.IMPORT_LOCK: "release",
    NodeKind.POOL: "give back to",
    NodeKind.LIMITER: "give back to",
}
"""What only threads of the same process can end, and what they would have to do."""
CONNECTIONS = frozenset({NodeKind.SOCKET, NodeKind.PIPE})
"""What only those end who have the other end of it, which may be this process alone."""
_LISTENING = frozenset(
    "epoll_wait epoll_pwait epoll_pwait2 poll ppoll select pselect6 accept accept4 recvfrom "
    "recvmsg read io_uring_enter".split()
)
"""System calls in which somebody from outside is waited for."""
_DEAD = "ZX"
_IDLE = frozenset({"_worker", "_work"})
_POOLS = ("/concurrent/futures/thread.py", "/trio/_core/_thread_cache.py")
"""Where threads of a pool wait for work, in functions of such a name."""
_GEVENT_POOL, _GEVENT_QUEUE = "/gevent/threadpool.py", "/gevent/_threading.py"


def at_connections(process: Process) -> list[Thread]:
    """Its native threads that stand where somebody from outside is waited for."""
    calls = ((one, one.syscall) for one in process.threads if not one.is_python)
    return [one for one, call in calls if call is not None and call.name in _LISTENING]


def hears(process: Process, capture: Capture, but: Collection[Thread]) -> bool:
    """Whether one of its threads, *but* those, or an event loop of it, stands where somebody from
    outside may be waited for."""
    calls = [one.syscall for one in process.threads if one not in but]
    loops = any(one.pid == process.pid for one in capture.event_loops)
    return loops or any(
        call is not None and call.name in _LISTENING and not call.sleeps for call in calls
    )


def by_the_clock(process: Process) -> list[Thread]:
    """Its native threads that go on when some time is over."""
    calls = ((one, one.syscall) for one in process.threads if not one.is_python)
    return [one for one, call in calls if call is not None and (call.sleeps or call.timed)]


def hearing_outside(process: Process, capture: Capture) -> list[Thread]:
    """The same, without those that watch connections, if the process has none: what is watched then
    are its own wake-up calls."""
    found = at_connections(process)
    known = (one for one in capture.unconnected if one.pid == process.pid)
    if not any(not one.begun and not one.pairs for one in known):
        return found
    return [one for one in found if one.syscall and "poll" not in one.syscall.name]


def wait_inside(thread: Thread, process: Process, words: Words) -> Edge | None:
    """What a thread waits for without a timeout, if only another thread of *process* can end it."""
    wait = wait_for_ever(thread, words)
    return wait if wait is not None and _inside(wait, process, words) else None


def all_waits(process: Process, words: Words) -> list[tuple[Thread, Edge]]:
    """What each Python thread waits for; nothing if one of them can go on by itself, or another
    thread ran: it may be a Python one that was about to begin when the interpreter was read. Those
    that torch has for collectives wake up all the time, and run no Python."""
    others = [thread for thread in process.threads if not thread.is_python]
    awake = (one for one in others if not one.blocked and one.state not in _DEAD)
    if not all(map(carries_collectives, awake)):
        return []
    waits: list[tuple[Thread, Edge]] = []
    threads = [thread for thread in process.threads if thread.is_python]
    for thread in threads:
        wait = wait_inside(thread, process, words)
        wait = wait or _for_clients(thread, words)
        if wait is None:
            return []
        waits.append((thread, wait))
    return waits


def alone(process: Process) -> bool:
    """Whether a process has one thread, and did not lose others in a fork: whatever that waits for
    in memory of its own, nobody changes."""
    forked = process.around is None or process.around.forked_from is not None
    return len(process.threads) == 1 and not forked and not forked_at(process.threads[0])


def _for_clients(thread: Thread, words: Words) -> Edge | None:
    """That somebody connects, where whoever does so ends nobody's wait."""
    wait = wait_for_ever(thread, words) if keeps_house(thread) else None
    return wait if wait is not None and words.operation(wait) == "accept" else None


def asks_in_vain(waits: Iterable[tuple[Thread, Edge]], words: Words) -> bool:
    """Whether one of those who wait has sent something over a second ago, by a connection of which
    their process has both ends, and nothing has come back."""
    resources = (words.resource(wait.target) for _, wait in waits)
    traffic = (one.traffic for one in resources if one and one.traffic)
    return any(
        one.sent_last is True and not one.accepted and (one.sent_s or 0.0) >= STILL_S
        for one in traffic
    )


def unwoken(pid: Pid, words: Words) -> list[WorkerQueue]:
    """The queues of a process with items in them, whose takers have stood for long where only this
    process itself could wake them."""
    queues = [one for one in words.capture.worker_queues if one.unwoken and one.pid == pid]
    if not queues:
        return []  # it is asked of each wait
    own = {one.thread for one in words.capture.inward if one.ends == (pid,) and not one.accepts}
    return [
        queue
        for queue in queues
        if own.issuperset(queue.takers)
        and all(stood_s(one, words) >= STILL_S for one in words.threads(queue.takers))
    ]


def _to_be_woken(wait: Edge, words: Words) -> bool:
    """Whether it waits to hear of what lies in a queue already, and no other process could wake
    it."""
    return any(wait.source in one.takers for one in unwoken(wait.source.pid, words))


def _inside(wait: Edge, process: Process, words: Words) -> bool:
    kind = kind_of(wait, words)
    if kind is NodeKind.THREAD:
        return wait.target.pid == process.pid
    if kind in CONNECTIONS:
        ends = words.graph.holders_of(wait.target)
        if not ends:
            return _to_be_woken(wait, words)
        sure = all(end.evidence.certainty.supports_claim for end in ends)
        return sure and all(end.target.pid == process.pid for end in ends)
    resource = words.resource(wait.target)
    ended_inside = kind in OF_THE_PROCESS or (kind is NodeKind.FUTEX and alone(process))
    if not ended_inside or resource is None or resource.pid != process.pid:
        return False
    shared = resource.id.shared or of_processes(resource)
    # One that nobody has is told of by a rule of its own.
    return not shared or resource.sharers == (process.pid,)


def waits_for_work(thread: Thread) -> bool:
    """Whether it is the worker of a pool, and has none."""
    stack = thread.python_stack or ()
    idle = bool(stack) and name_of(stack[0]) in _IDLE and stack[0].filename.endswith(_POOLS)
    return (idle or _takes_of_gevent(stack)) and thread.blocked


def _takes_of_gevent(stack: Sequence[PythonFrame]) -> bool:
    """Whether a thread of gevent's pool takes its next task, from a queue of gevent's own."""
    own = [one for one in stack if one.filename.endswith(_GEVENT_POOL)]
    inner = stack[: stack.index(own[0])] if own else ()
    takes = bool(inner) and name_of(inner[-1]) == "get"
    return takes and name_of(own[0]) == "run" and inner[-1].filename.endswith(_GEVENT_QUEUE)


def has_no_source(loop: EventLoop, own: int) -> bool:
    """Whether an event loop waits without a timer, a connection or a signal handler: only another
    thread can wake it. *own*: the connections that nobody else has an end of."""
    return (
        loop.state is LoopState.IDLE
        and loop.ending_timers == 0
        and loop.watched == own
        and loop.signal_handlers == 0
    )


def only_ticks(process: Process, words: Words) -> bool:
    """Whether nothing is left in a process of greenlets that could do anything: each waits, without
    a timeout, for what only others of the process could end, or does nothing but sleep again and
    again; and so do all other threads."""
    hubs = [one for one in words.capture.event_loops if one.pid == process.pid]
    tasks = [task for hub in hubs for task in words.tasks_of(hub)]
    tickers = [task for task in tasks if task.sleeps_for_ever]
    if not tickers or not all(_hears_nothing(hub, words) for hub in hubs):
        return False
    running = {hub.tid for hub in hubs}
    others = (one for one in process.threads if one.tid not in running)
    return all(task in tickers or _stays(task, process, words) for task in tasks) and all(
        waits_for_work(one) or wait_inside(one, process, words) is not None for one in others
    )


def _hears_nothing(hub: EventLoop, words: Words) -> bool:
    """Whether a hub has only the timers of those that sleep again and again."""
    sleeping = sum(bool(task.sleeps_for_ever) for task in words.tasks_of(hub))
    idle = hub.state is LoopState.IDLE and hub.watched == 0 and hub.signal_handlers == 0
    return idle and hub.tid is not None and hub.timers is not None and hub.timers <= sleeping


def _stays(task: Task, process: Process, words: Words) -> bool:
    waits = words.graph.waits_of(task.id)
    ends = OF_THE_PROCESS.keys() | {NodeKind.GREENLET}
    return (
        task.state is TaskState.WAITING
        and task.still is True
        and bool(waits)
        and all(
            wait.stable
            and not wait.expires
            and wait.target.pid == process.pid
            and wait.target.kind in ends
            for wait in waits
        )
    )
