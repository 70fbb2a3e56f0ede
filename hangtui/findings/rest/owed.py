"""Whether a process that stands still waits for what somebody in it is to deliver, and nobody in it
seems to be on the way to it."""

from collections.abc import Sequence

from hangtui.analysis.places import application_index
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.by_the_clock import goes_on, moves
from hangtui.findings.enders import enders
from hangtui.findings.given_work import called_by_server
from hangtui.findings.givers import givers_going_on
from hangtui.findings.housekeepers import listens
from hangtui.findings.inert import wait_inside
from hangtui.findings.library_waits import retries_within
from hangtui.findings.on_the_way import Onward
from hangtui.findings.outside.library_peers import asks_dns
from hangtui.findings.outside.never_answered import never_answered
from hangtui.findings.outside.traffic import is_own
from hangtui.findings.pool_workers import fork_servers, has_task, started_by
from hangtui.findings.resources import OWED, of_processes
from hangtui.findings.rest.rests import Rests
from hangtui.findings.services import is_service
from hangtui.findings.shapes import takes_from_queue
from hangtui.findings.stack_queries import (
    below_application,
    kind_of,
    main_thread,
    own_frame,
    polls,
    stood_s,
)
from hangtui.findings.thresholds import AGES_S, STILL_S
from hangtui.findings.unseen_children import unseen_children
from hangtui.findings.words import Words
from hangtui.findings.written import elsewhere, nobody_comes
from hangtui.model import NodeId, NodeKind, Process, Task, Thread

_LONG_TRY_S = 5.0
"""What of a sleep between two tries is left at least if it is no mere moment."""
_MOST_STAGES = 20
"""Processes that wait for each other and are followed."""
_THREADING, _OF_TIMER = "/threading.py", 3
"""The file of ``Condition.wait``, ``Event.wait`` and ``Timer.run``, and how many these are."""
_FROM_ELSEWHERE = {NodeKind.SOCKET, NodeKind.PIPE, NodeKind.PROCESS, NodeKind.FILE_LOCK}
"""What may come at any time, from another process."""


def lasted_s(thread: Thread, words: Words) -> float:
    """For how long several looks saw it wait below the same line of the application."""
    seen = words.progress.get(thread.id)
    return seen.stayed_s if seen else 0.0


def sleeps_for_ages(node: NodeId, words: Words) -> bool:
    """Whether all that could end the wait of a thread or task are threads that sleep for so long
    that nobody waits for it."""
    wait = words.graph.wait_of(node)
    others = enders(wait, words) if wait and not wait.expires else []
    calls = [one.syscall if isinstance(one, Thread) else None for one in others]
    sleeps = [call.sleep if call else None for call in calls]
    return bool(sleeps) and all(sleep is not None and sleep.lasts_s >= AGES_S for sleep in sleeps)


def ended_by_itself(node: NodeId, words: Words) -> str:
    """``, which looks at Evening.dawn again and again, and only MainThread comes to end that, after
    this wait``, of one that waits for the end of a thread; empty: it is not like that."""
    wait = words.graph.wait_of(node)
    other = words.thread(wait.target) if wait and not wait.expires else None
    looks = words.graph.wait_of(other.id) if other else None
    if other is None or looks is None or not looks.expires or not polls(other, words):
        return ""
    process = words.capture.process(other.pid)
    alone = sum(bool(one.is_python) for one in process.threads) == 2 if process else False
    known = (one for one in words.capture.looking if one.waiter == other.id)
    # What else it looks at nobody else is there to change.
    only_looks = any(one.endless or (alone and not one.asks_children) for one in known)
    if not only_looks or [one.id for one in enders(looks, words)] != [node]:
        return ""
    return (
        f", which looks at {words.name(looks.target)} again and again, and only "
        f"{words.actor_name(words.thread(node) or other)} comes to end that, after this wait"
    )


def left_behind(node: NodeId, words: Words) -> bool:
    """Whether it is a task that waits for what nobody is on the way to do, in a loop which ticks,
    but was met with the same tasks in every look; or a thread that waits so."""
    wait, actor = words.graph.wait_of(node), words.actor(node)
    if wait is None or actor is None or wait.expires or not nobody_comes(wait, words):
        return False
    if goes_on(actor, words):
        return False
    loops = words.carriers([actor]) if isinstance(actor, Task) else [actor]
    return bool(loops) and all(lasted_s(one, words) >= STILL_S for one in loops)


def owed_in_ring(on: Onward, words: Words) -> bool:
    """Whether those who could end a wait were met for over a second waiting for each other in turn,
    one of them in what a server awaits, or for a lock that another one of them has."""
    tasks = [one for node in on.told if isinstance(one := words.actor(node), Task)]
    if not on.back or len(tasks) < len(on.told):
        return False
    # Who awaits an answer over a connection gets none from one that waits for a lock all the time.
    locked = any(_waits_for_lock_of(on, one, words) for one in tasks)
    known = [one for one in tasks if not locked or words.graph.wait_of(one.id)]
    lasts = all(words.stays.get(one.id, 0.0) >= STILL_S for one in known)
    return lasts and (locked or any(called_by_server(one) for one in tasks))


def _waits_for_lock_of(on: Onward, task: Task, words: Words) -> bool:
    wait = words.graph.wait_of(task.id)
    if wait is None or wait.expires or wait.target.kind is not NodeKind.LOCK:
        return False
    lasts = words.stays.get(task.id, 0.0) >= STILL_S
    return lasts and any(hold.target in on.told for hold in words.graph.holders_of(wait.target))


def retries_for_long(node: NodeId, words: Words) -> bool:
    """Whether it is a task that was met over a second where a library sleeps between two tries, for
    a moment or for over a minute: another sleep ends by the clock, and is to be judged by its end.
    """
    task = words.actor(node)
    if not isinstance(task, Task) or not (task.sleep or task.awaits == "sleep"):
        return False  # it is in a try
    if goes_on(task, words) and task.sleep and (task.sleep.left_s or 0.0) >= _LONG_TRY_S:
        return False
    stack = task.python_stack or ()
    loops = words.carriers([task])
    long = bool(loops) and all(lasted_s(one, words) >= STILL_S for one in loops)
    return long and retries_within(stack[: application_index(stack)]) is not None


def never_heard(node: NodeId, words: Words) -> bool:
    """Whether it is a thread that has asked somebody over a second ago who never said anything, and
    is not seen to go on; or a task that waits for such a thread."""
    wait = words.graph.wait_of(node)
    if wait and isinstance(words.actor(node), Task) and len(behind := enders(wait, words)) == 1:
        node, wait = behind[0].id, words.graph.wait_of(behind[0].id)
    thread = words.thread(node)
    if thread is None or wait is None:
        return False
    if asks_dns(wait, words):
        return lasted_s(thread, words) >= STILL_S or stood_s(thread, words) >= STILL_S
    process = words.capture.process(thread.pid)
    if process and thread.id not in words.progress and unseen_children(process, words.capture):
        return False  # one of those may be who is asked, and at work: a single look shows no more
    return never_answered(thread, wait, words)


def asks_itself(node: NodeId, words: Words) -> bool:
    """Whether it is a thread that waits for a lock which a task has, while over a connection of
    that task's loop, whose other end is in the same process, an answer is due."""
    wait = words.graph.wait_of(node)
    holds = words.graph.holders_of(wait.target) if wait else ()
    task = words.actor(holds[0].target) if len(holds) == 1 else None
    if wait is None or wait.expires or not isinstance(task, Task) or task.sleep is not None:
        return False
    loops = {one.id for one in words.carriers([task])}
    return any(
        one.thread in loops
        and is_own(one)
        and one.traffic is not None
        and one.traffic.sent_last is True
        and (one.traffic.sent_s or 0.0) >= STILL_S
        for one in words.capture.watched
    )


def owes(process: Process, waiting: Sequence[Thread], rests: Rests, words: Words) -> bool:
    """Whether one of *waiting*, those threads that are not at rest, waited for it all the time
    below a line of the application; and nobody sleeps or waits for what comes by itself."""
    if _others_work(process, rests, words):
        return False
    # What a library does by the clock for itself, such as to measure, ends no wait of others.
    own = (thread for thread in process.threads if not is_service(thread, words))
    sleeps = any(thread.syscall and thread.syscall.sleeps for thread in own)
    if sleeps or any(_may_go_on(thread, process, words) for thread in waiting):
        return False
    return any(_is_owed(thread, words) for thread in waiting)


def _is_owed(thread: Thread, words: Words) -> bool:
    wait = words.graph.wait_of(thread.id)
    if wait is None or kind_of(wait, words) not in OWED:
        return False
    if wait.expires and of_processes(words.resource(wait.target)):
        return False  # a loop that ticks by it: ``while not stop.wait(1)``
    if takes_from_queue(thread.python_stack or ()) and _has_its_turn(wait, words):
        return False
    own = below_application(thread)
    return own and lasted_s(thread, words) >= STILL_S


def _has_its_turn(wait: Edge, words: Words) -> bool:
    """Whether a reader of a queue between processes comes next once another one has got an item,
    as far as can be seen: who has the lock reads as well, or is not known."""
    holders = [words.thread(hold.target) for hold in words.graph.holders_of(wait.target)]
    return all(one is None or takes_from_queue(one.python_stack or ()) for one in holders)


def _may_go_on(thread: Thread, process: Process, words: Words) -> bool:
    """Whether a connection, another process, or a holder that sleeps by the clock may end what it
    does, or it is not known what would. A server's end is waited for until that is stopped."""
    wait = words.graph.wait_of(thread.id)
    if wait is None:
        return True
    if kind_of(wait, words) in _FROM_ELSEWHERE:
        return wait_inside(thread, process, words) is None
    resource = words.resource(wait.target)
    if resource is not None and resource.signals:
        return True  # who knows the program sends it one of them
    if _goes_on_elsewhere(wait, words) or any(map(_is_timer, enders(wait, words))):
        return True
    if givers_going_on(wait, words):
        return True
    holders = words.threads(hold.target for hold in words.graph.holders_of(wait.target))
    if kind_of(wait, words) is NodeKind.FUTURE and any(listens(h, words.capture) for h in holders):
        return True
    return any(one.syscall and one.syscall.sleeps for one in holders)


def _is_timer(actor: Thread | Task) -> bool:
    """Whether it is a ``threading.Timer`` that is to call its function once its time is over."""
    stack = (actor.python_stack or ())[:_OF_TIMER]
    own = [one.function.rpartition(".")[2] for one in stack if one.filename.endswith(_THREADING)]
    return isinstance(actor, Thread) and own == ["wait", "wait", "run"]


def _goes_on_elsewhere(wait: Edge, words: Words) -> bool:
    """Whether another process that has what is waited for goes on by the clock, is seen to get on,
    or listens; or waits for what such a one has in turn, as stages behind each other do."""
    waits, met = [wait], set[NodeId]()
    for edge in waits:  # which grows
        for one in elsewhere(edge, words):
            # Whoever connects there may bring what is handed on to the others.
            if goes_on(one, words) or moves(one, words) or listens(one, words.capture):
                return True
            if _ticks_beside(one, edge, words):
                return True
            further = words.graph.wait_of(one.id)
            if further is not None and one.id not in met and len(met) < _MOST_STAGES:
                met.add(one.id)
                waits.append(further)
    return False


def _ticks_beside(main: Thread, wait: Edge, words: Words) -> bool:
    """Whether another thread of *main*'s process sleeps now and then in the file of the line that
    waits: what it comes to in between is not known."""
    waiting = words.thread(wait.source)
    line = own_frame(waiting) if waiting is not None else None
    process = words.capture.process(main.pid)
    for one in process.threads if process and line else ():
        frame, call = own_frame(one), one.syscall
        there = frame is not None and line is not None and frame.filename == line.filename
        if there and one.tid != main.tid and call is not None and call.sleeps:
            return True
    return False


def _others_work(process: Process, rests: Rests, words: Words) -> bool:
    """Whether it has children that have something to do, or an event loop with something to wait
    for: either may come to the result, at its own pace."""
    if unseen_children(process, words.capture):
        return True
    servers = fork_servers(process.pid, words.capture)
    looked = [words.capture.process(one) for one in servers]
    if any(one is None or unseen_children(one, words.capture) for one in looked):
        return True
    children = started_by(process.pid, words.capture)
    if not all(rests.all_of(child) for child in children):
        return True
    if any(has_task(main) for main in map(main_thread, children) if main):
        return True
    loops = [loop for loop in words.capture.event_loops if loop.pid == process.pid]
    return any(loop.timers or loop.watched for loop in loops)
