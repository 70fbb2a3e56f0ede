"""An event loop that nothing in its process can wake, while tasks wait in it."""

from collections.abc import Collection, Iterable, Iterator

from hangtui.analysis.places import place
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.english import clauses, joined, listed, stillness
from hangtui.findings.grounds import NOBODY
from hangtui.findings.loops import terms_of
from hangtui.findings.pools import POOLS, held, lent_by, pool_of, position
from hangtui.findings.stack_queries import name_of
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.wakeups.beyond_doubt import nobody_will, task_no_rest
from hangtui.findings.wakeups.nobody_left_advice import way_of
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    EventLoop,
    Finding,
    LoopState,
    NodeId,
    NodeKind,
    Process,
    Severity,
    Task,
    TaskState,
    Thread,
    thread_id,
)

ID = "event-loop-stalled"
GROUND = NOBODY
HELP = """\
Tasks wait in an event loop of asyncio or trio for a future that nobody will set.

How it is known: the loop is idle; it has no timer, no connection and no signal handler that could
wake it, and the process has no other thread but such as wait for these tasks, or for work. It is an
error if several looks saw that it did not run for a second or more, no signal has a handler, and
there are several tasks, or the only one waits for a lock, a semaphore, a pool or room in a queue,
which nobody does to rest.
"""

_IDLE = frozenset({"_worker", "_work"})
_POOLS = ("/concurrent/futures/thread.py", "/trio/_core/_thread_cache.py")
"""Where threads of a pool wait for work, in functions of such a name."""
_SIGNALS = "whether a signal whose handler was not set with the loop will wake it"


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such event loop; one whose tasks deadlock is explained by that."""
    words = words_of(capture, graph)
    found = []
    for loop in capture.event_loops:
        process = capture.process(loop.pid)
        tasks = words.tasks_of(loop)
        if process is None or not tasks or any(_in_ring(task, graph) for task in tasks):
            continue
        thread = words.thread(thread_id(loop.pid, loop.tid)) if loop.tid is not None else None
        if thread is not None and stalled(loop, thread, process, words):
            found.append(_finding(loop, thread, process, _last(tasks, graph), words))
    return found


def _in_ring(task: Task, graph: WaitGraph) -> bool:
    """Whether it surely is: that tells more."""
    cycle = graph.cycle_of(task.id)
    return cycle is not None and cycle.certainty.supports_claim


def stalled(loop: EventLoop, thread: Thread, process: Process, words: Words) -> bool:
    """No timer, no connection, no signal handler, and no other thread that does not wait for it."""
    others = [one for one in process.threads if one is not thread]
    return (
        loop.state is LoopState.IDLE
        and loop.timers == 0
        and loop.watched == 0
        and loop.signal_handlers == 0
        and all(_waits_for_loop(one, loop, words) for one in others)
        and process.steady is not False
        and thread.still is True
        and all(task.state is TaskState.WAITING for task in words.tasks_of(loop))
    )


def _waits_for_loop(thread: Thread, loop: EventLoop, words: Words) -> bool:
    """Whether it can do nothing before a task of the loop goes on: it waits for what only such
    tasks are to deliver, or it is the worker of a pool, without work."""
    if not thread.blocked or not thread.is_python:
        return False
    stack = thread.python_stack or ()
    if stack and name_of(stack[0]) in _IDLE and stack[0].filename.endswith(_POOLS):
        return True
    own = {task.id for task in words.tasks_of(loop)}
    waits = words.graph.waits_of(thread.id)
    return bool(waits) and all(
        not wait.expires and _ends_by(wait, own, words.graph) for wait in waits
    )


def _ends_by(wait: Edge, own: Collection[NodeId], graph: WaitGraph) -> bool:
    """Whether only tasks among *own* can end a wait."""
    if wait.target in own:
        return True
    holders = graph.holders_of(wait.target)
    return bool(holders) and all(
        hold.target in own and hold.evidence.certainty.supports_claim for hold in holders
    )


def _last(tasks: list[Task], graph: WaitGraph) -> list[Task]:
    """The tasks that do not just wait for other ones, those that wait for a pool first."""
    ids = {task.id for task in tasks}
    ends = [
        task for task in tasks if not any(wait.target in ids for wait in graph.waits_of(task.id))
    ]
    ends.sort(
        key=lambda task: not any(wait.target.kind in POOLS for wait in graph.waits_of(task.id))
    )
    return ends or tasks


def _finding(
    loop: EventLoop, thread: Thread, process: Process, tasks: list[Task], words: Words
) -> Finding:
    names = [words.actor_name(task) for task in tasks]
    told = [_told(task, words) for task in tasks[:NAMES_LISTED]]
    name = words.thread_name(thread)
    waits = [edge for task in tasks for edge in words.graph.waits_of(task.id)]
    certainty = as_sure_as(Certainty.PROVEN, *waits)
    never = nobody_will(process, process.threads, words)
    # One task alone may be there to keep the program alive until it is killed.
    several = len(words.tasks_of(loop)) > 1
    owed = any(task_no_rest(wait, way_of(wait, words), words) for wait in waits)
    sure = never and (several or owed)
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure and certainty.supports_claim else Severity.WARNING,
        certainty=certainty,
        title=f"Nothing can wake the event loop of {name}, and {listed(names)} "
        f"{'waits' if len(names) == 1 else 'wait'} in it",
        sentence=(
            f"{clauses(told, len(tasks))}. The {loop.library} event loop of {name} is idle, "
            f"without a timer, a connection or a signal handler, and {_alone(process)}, so "
            "nothing in this process can end the wait."
        ),
        threads=(ref(thread),),
        tasks=tuple(task.id for task in tasks),
        subject=tasks[0].id,
        resources=tuple(wait.target for task in tasks for wait in words.graph.waits_of(task.id)),
        evidence=(
            (
                f"the loop ({loop.type_name}) has 0 timers, watches 0 connections and handles 0 "
                f"signals; {_alone(process)}"
            ),
            *(f"{words.actor_name(task)} awaits {task.awaits}" for task in tasks[:NAMES_LISTED]),
            *_notes(tasks[:NAMES_LISTED], words),
            stillness([thread], loop=True),
        ),
        unknown=() if never else (_SIGNALS,),
        advice=(_advice(loop, tasks, words),),
    )


def _notes(tasks: Iterable[Task], words: Words) -> Iterator[str]:
    """What is known beyond that of what they wait for."""
    targets = [wait.target for task in tasks for wait in words.graph.waits_of(task.id)]
    for target in dict.fromkeys(targets):
        resource = words.resource(target)
        if resource is not None and resource.kind is NodeKind.QUEUE and resource.note:
            yield f"{words.name(target)}: {resource.note}"


def _alone(process: Process) -> str:
    if len(process.threads) == 1:
        return "there is no other thread"
    return "all other threads wait for its tasks, or for work"


def _told(task: Task, words: Words) -> str:
    wait = words.graph.wait_of(task.id)
    pool = pool_of(wait, words) if wait else None
    if pool is not None:
        what = lent_by(pool) + held(pool, words)
        return f"{words.actor_name(task)} waits at {position(task)} for {what}"
    where = place(task, _where(task, words))
    holders = (
        [words.name(hold.target) for hold in words.graph.holders_of(wait.target)] if wait else []
    )
    have = (
        f", which {joined(holders[:NAMES_LISTED])} {'has' if len(holders) == 1 else 'have'}"
        if holders
        else ""
    )
    return f"{words.actor_name(task)} awaits {task.awaits}{f' at {where}' if where else ''}{have}"


def _where(task: Task, words: Words) -> str | None:
    wait = words.graph.wait_of(task.id)
    return wait.evidence.where if wait else None


def _advice(loop: EventLoop, tasks: list[Task], words: Words) -> str:
    who = listed([words.actor_name(task) for task in tasks])
    return (
        "Find who should have set, released or put what is awaited, and why that never happened "
        f"(an exception, an early return, a wrong key), or bound the wait of {who} with "
        f"{terms_of(loop).timeout}."
    )
