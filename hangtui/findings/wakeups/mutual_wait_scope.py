"""Whether anybody could end the waits of a ring who is not in it."""

from hangtui.analysis.wakers import WakerRing
from hangtui.findings.beyond_doubt import waking_but_ending, waking_signals
from hangtui.findings.inert import all_waits, only_ticks, waits_for_work
from hangtui.findings.outside.traffic import own_ends
from hangtui.findings.pools import waited_s
from hangtui.findings.roles import serves_proxies
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.wakeups.stalled_loops import stalled
from hangtui.findings.words import Actor, Words
from hangtui.model import (
    Capture,
    EventLoop,
    NodeId,
    NodeKind,
    Process,
    Task,
    TaskState,
    Thread,
    thread_id,
)

_SERVES = "connections (Server.serve_forever)"
"""What the task of a server says that it waits for."""


def for_clients(ring: WakerRing, members: list[Actor]) -> bool:
    """Whether threads of a manager of multiprocessing wait at a queue for its clients: what the
    others of them do next is up to theirs."""
    serve = all(isinstance(one, Thread) and serves_proxies(one) for one in members)
    return serve and all(wait.target.kind is NodeKind.QUEUE for wait in ring.waits)


def stood_s(members: list[Actor], words: Words, ring: WakerRing | None = None) -> float:
    """For how long all of them were seen to wait, also tasks of a loop that runs meanwhile. In a
    *ring* that nobody else could set going, one that surely is the same as before, and has not gone
    on, tells that those are which wait for it, and so on: another one in its place and of its name
    would have got there only after what these have not done."""
    lasted = [max(waited_s(one, words), words.stays.get(one.id, 0.0)) for one in members]
    if ring is not None and max(lasted) > min(lasted) and not _strangers(ring, members, words):
        met = [max(waited_s(one, words), words.met_s.get(one.id, 0.0)) for one in members]
        return min(*met, max(lasted))
    return min(lasted)


def _strangers(ring: WakerRing, members: list[Actor], words: Words) -> set[NodeId]:
    """Who refers to what they wait for but these, those that wait for these, and the thread that
    runs their loop."""
    targets = {wait.target for wait in ring.waits if wait.target.kind.is_resource}
    candidates = {one.candidate for target in targets for one in words.graph.wakers_of(target)}
    candidates -= set(words.graph.behind_all(ring.actors))
    candidates -= {thread.id for thread in words.carriers(members)}
    return candidates - set(ring.actors)


def theirs_alone(ring: WakerRing, words: Words) -> bool:
    """Whether nobody but these has what they wait for, so that nobody else can come to end it."""
    targets = {wait.target for wait in ring.waits if wait.target.kind.is_resource}
    found = [words.resource(target) for target in targets]
    candidates = {one.candidate for target in targets for one in words.graph.wakers_of(target)}
    return bool(found) and candidates <= set(ring.actors) and all(r and r.unshared for r in found)


def nobody_comes(ring: WakerRing, process: Process, members: list[Actor], words: Words) -> bool:
    """Whether nobody else refers to what they wait for but those that wait for these and the thread
    that runs their loop, and no connection, no signal and no timer but those that wake tasks can
    bring somebody who does."""
    own = {member.loop for member in members if isinstance(member, Task)}
    pid = process.pid
    loops = [one for one in words.capture.event_loops if one.pid == pid and one.address in own]
    if _strangers(ring, members, words) or waking_signals(process) or not loops:
        return False
    return all(
        one.watched == 0 and one.signal_handlers == 0 and _wakes_tasks(one, members, words)
        for one in loops
    )


def _wakes_tasks(loop: EventLoop, members: list[Actor], words: Words) -> bool:
    """Whether there are as many of its tasks that a timer may wake as it has timers: else one may
    be there to call something."""
    waits = {one.id: words.graph.waits_of(one.id) for one in words.tasks_of(loop)}
    resting = [
        task
        for task in words.tasks_of(loop)
        if task.state is TaskState.WAITING
        and task not in members
        and task.python_stack
        and (not waits[task.id] or any(wait.expires for wait in waits[task.id]))
    ]
    return loop.timers is not None and loop.timers <= len(resting)


def owes_answer(members: list[Actor], words: Words) -> bool:
    """Whether a thread of another process has asked for something over a connection that the event
    loop of one of these alone hears, and has waited for the answer since."""
    loops = {
        thread_id(one.pid, one.loop_tid)
        for one in members
        if isinstance(one, Task) and one.loop_tid
    }
    for resource in words.capture.resources:
        traffic = resource.traffic
        if traffic is None or not traffic.sent_last or (traffic.sent_s or 0.0) < STILL_S:
            continue
        ends = {hold.target for hold in words.graph.holders_of(resource.id)}
        if {end.pid for end in ends} == {one.pid for one in loops} and not ends.isdisjoint(loops):
            waits = words.graph.waiters_of(resource.id)
            if any(wait.stable and words.operation(wait) == "receive" for wait in waits):
                return True
    return False


def unwatched(members: list[Actor], words: Words) -> bool:
    """Whether no connection, timer or signal can have it done in the loops of these tasks."""
    own = {member.loop for member in members if isinstance(member, Task)}
    pid = members[0].id.pid
    loops = [one for one in words.capture.event_loops if one.pid == pid and one.address in own]
    return bool(loops) and not any(_listens(one) for one in loops)


def nobody_else(process: Process, members: list[Actor], words: Words) -> bool:
    """Whether all that runs in the process are these tasks, those that await them, and servers
    that wait for somebody to connect; no timer and no signal has anything done there."""
    own = {member.loop for member in members if isinstance(member, Task)}
    loops = [one for one in words.capture.event_loops if one.pid == process.pid]
    if not all(one.address in own and _hears_nobody(one, words.capture) for one in loops):
        return False
    carriers = {thread.id for thread in words.carriers(members)}
    resting = (waits_for_work(one) or one.id in carriers for one in process.threads)
    behind = {member.id for member in members}
    tasks = [task for loop in loops for task in words.tasks_of(loop)]
    for _ in tasks:
        more = {t.id for t in tasks if any(w.target in behind for w in words.graph.waits_of(t.id))}
        if more <= behind:
            break
        behind |= more
    left = (task for task in tasks if task.id not in behind)
    return all(resting) and all((task.awaits or "").startswith(_SERVES) for task in left)


def _hears_nobody(loop: EventLoop, capture: Capture) -> bool:
    """Whether its loop has no timer, no signal handler, and no connection of which anybody else has
    an end; that somebody new may connect to a server does not count."""
    if loop.tid is None or loop.watched is None or loop.accepting is None:
        return False
    own = own_ends(thread_id(loop.pid, loop.tid), capture)
    return loop.watched == own + loop.accepting and not (loop.timers or loop.signal_handlers)


def _listens(loop: EventLoop) -> bool:
    """Also to a connection whose two ends are its own, for what waits for room there is told by the
    loop; and to a timer, for whom it wakes may have been gone when it was looked for."""
    return any(one != 0 for one in (loop.watched, loop.timers, loop.signal_handlers))


def closed_to(
    process: Process, members: list[Actor], words: Words, *, loop_stopped: bool = False
) -> tuple[bool, bool]:
    """Whether nobody is left in the process who could act, and whether that is sure.
    *loop_stopped*: one of them keeps its event loop from running, so that it does not wait there to
    be told to end."""
    native = [thread for thread in process.threads if not thread.is_python]
    signals = waking_but_ending(process) if loop_stopped else waking_signals(process)
    quiet = signals == () and not native and process.steady is True
    if all_waits(process, words):
        return True, quiet
    loops = {member.loop for member in members if isinstance(member, Task)}
    for loop in words.capture.event_loops:
        if loop.pid != process.pid or loop.address not in loops or loop.tid is None:
            continue
        thread = words.thread(thread_id(loop.pid, loop.tid))
        if thread is not None and stalled(loop, thread, process, words):
            return True, quiet
    ticks = only_ticks(process, words)
    return ticks, ticks and quiet
