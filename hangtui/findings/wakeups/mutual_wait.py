"""Threads or tasks that wait for what nobody holds, and all who could end that wait as well, for
one another in turn."""

from collections.abc import Mapping
from dataclasses import replace

from hangtui.analysis.places import library_frame, short_path
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.analysis.wakers import (
    WakerRing,
    awaits_first,
    comes_to_it,
    is_hard,
    is_rest,
    joins_first,
    over_streams,
    rings,
    sets_afterwards,
    waits_for_itself,
)
from hangtui.findings.beyond_doubt import no_rest, waking_signals
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.english import clauses, joined, listed
from hangtui.findings.grounds import RING
from hangtui.findings.inert import all_waits, only_ticks, waits_for_work
from hangtui.findings.outside.traffic import own_ends
from hangtui.findings.stack_queries import at_own_line
from hangtui.findings.standing import stood_still
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.wakeups.event_loop_stalled import stalled
from hangtui.findings.wakeups.nobody_left_advice import act, way_of
from hangtui.findings.wakeups.pool_fed_by_results import fed_by_results
from hangtui.findings.words import Actor, Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    CouldWake,
    EventLoop,
    Finding,
    NodeId,
    NodeKind,
    Process,
    Severity,
    Task,
    TaskState,
    Thread,
    thread_id,
)

ID = "mutual-wait"
_ADDRESS = " at 0x"
GROUND = RING
HELP = """\
A condition, an event, a queue or a barrier has no holder: somebody has to notify, set, put, take or
arrive. Here everyone whose code reaches that call waits as well, for one of the others: a notifier
waits for the lock that the waiter holds, two bounded queues are full and the reader of each writes
to the other, a barrier lacks a thread that waits for a lock of one that has arrived, the two tasks
of asyncio that have the ends of a connection both wait for data from the other one.

How it is known: the stacks and the code of all threads and tasks of the process were searched for
references to what is waited for, and for the calls that end the wait. That these are the only ones
is an inference, so it is a *possible* deadlock, a warning. It is an error if every Python thread of
the process waits without a timeout for another one of them, it has no native threads and handles no
signals: then nobody is left, whoever should have done it. Greenlets that do nothing any more but
sleep again and again count for nobody.

It is a note if none of them has a lock that another one wants, waits for room or for others at a
barrier, or joins the thread or awaits the task that waits for what it does next, and not all of
them want a turn of a lock or semaphore, and other threads are left, or the event loop has
connections or timers: what is meant to be idle may look the same. Timers do not count where one
waits for the end of a task, its code sets behind that what the task waits for, nobody else refers
to it, and the loop has no more timers than tasks that sleep. It is a warning there too if
only variables of these tasks refer to the object, by its own count of references. Nothing is said
of a worker that waits for work then, or of whoever waits for its end.

Streams of asyncio whose two ends are in the process count as well: who writes to, reads from or
closes the other end. That is a warning if all tasks of the event loop wait for each other so, and
it has no timer, no signal handler and no connection of anybody else's: only somebody new who
connects could change that.

Who waits for the next result of a `multiprocessing` Pool, of which all workers are idle and the
next task waits, in the iterable given to `imap()`, for what that thread does with a result, is told
of as a warning.

One thread alone is told of as well, if what it waits for is set further out on its own stack, by a
function that goes on only after the wait: as a warning if that is a library's (`shutdown()` of a
server of `socketserver`, in a handler which that server has called), else as a note.
"""

_SERVES = "connections (Server.serve_forever)"
"""What the task of a server says that it waits for."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each ring."""
    words = words_of(capture, graph)
    found = [one for ring in rings(capture, graph) if (one := _judged(ring, words))]
    return [*found, *fed_by_results(ID, words)]


def _judged(ring: WakerRing, words: Words) -> Finding | None:
    ways = {wait.source: way_of(wait, words) for wait in ring.waits}
    hard = is_hard(ring, ways) or (waits_for_itself(ring) and _set_by_library(ring, words))
    members = words.actors(ring.actors)
    process = words.capture.process(ring.actors[0].pid)
    if len(members) < len(ring.actors) or process is None or process.steady is False:
        return None
    closed, sure = _closed(process, members, words)
    alone = len(members) == 1 and not (hard or waits_for_itself(ring))
    if (is_rest(ring, ways) and not closed) or alone:
        return None
    # Who is to act after a join does not rest in that.
    ordered = joins_first(ring) or awaits_first(ring)
    sure = closed and sure and (hard or ordered or _owed(ring, ways, words))
    found = _finding(ring, members, words, closed=closed, sure=sure)
    told = hard or closed or (joins_first(ring) and not waking_signals(process))
    if over_streams(ring):
        told = told or _nobody_else(process, members, words)
    if awaits_first(ring):
        told = told or _unwatched(members, words) or _theirs_alone(ring, words)
        told = told or (sets_afterwards(ring) and _nobody_comes(ring, process, members, words))
    return found if told else _perhaps_at_rest(found)


def _set_by_library(ring: WakerRing, words: Words) -> bool:
    """Whether the code that sets it is a library's, on the stack of the thread that waits: nobody
    else is meant to."""
    actor = words.actor(ring.actors[0])
    stack = (actor.python_stack if actor else None) or ()
    places = {one.call_line.rpartition(":")[0] for one in ring.wakers if one.call_line}
    setting = [frame for frame in stack if frame.filename.rpartition("/")[2] in places]
    return bool(setting) and all(map(library_frame, setting))


def _theirs_alone(ring: WakerRing, words: Words) -> bool:
    """Whether nobody but these has what they wait for, so that nobody else can come to end it."""
    targets = {wait.target for wait in ring.waits if wait.target.kind.is_resource}
    found = [words.resource(target) for target in targets]
    candidates = {one.candidate for target in targets for one in words.graph.wakers_of(target)}
    return bool(found) and candidates <= set(ring.actors) and all(r and r.unshared for r in found)


def _nobody_comes(ring: WakerRing, process: Process, members: list[Actor], words: Words) -> bool:
    """Whether nobody else refers to what they wait for, and no connection, no signal and no timer
    but those that wake tasks can bring somebody who does."""
    targets = {wait.target for wait in ring.waits if wait.target.kind.is_resource}
    candidates = {one.candidate for target in targets for one in words.graph.wakers_of(target)}
    own = {member.loop for member in members if isinstance(member, Task)}
    pid = process.pid
    loops = [one for one in words.capture.event_loops if one.pid == pid and one.address in own]
    if not candidates <= set(ring.actors) or waking_signals(process) or not loops:
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


def _unwatched(members: list[Actor], words: Words) -> bool:
    """Whether no connection, timer or signal can have it done in the loops of these tasks."""
    own = {member.loop for member in members if isinstance(member, Task)}
    pid = members[0].id.pid
    loops = [one for one in words.capture.event_loops if one.pid == pid and one.address in own]
    return bool(loops) and not any(_listens(one) for one in loops)


def _nobody_else(process: Process, members: list[Actor], words: Words) -> bool:
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


def _owed(ring: WakerRing, ways: Mapping[NodeId, str | None], words: Words) -> bool:
    """Whether one of its threads waits so as nobody rests: for an executor's threads to end; or
    one of its tasks only for its turn."""
    if any(words.operation(wait) == "run" for wait in ring.waits):
        return True  # it could go on, and its loop or hub does not run
    threads = ((wait, words.thread(wait.source)) for wait in ring.waits)
    return any(
        thread is not None and no_rest(thread, wait, ways.get(wait.source), words)
        for wait, thread in threads
    )


def _closed(process: Process, members: list[Actor], words: Words) -> tuple[bool, bool]:
    """Whether nobody is left in the process who could act, and whether that is sure."""
    native = [thread for thread in process.threads if not thread.is_python]
    quiet = not waking_signals(process) and not native and process.steady is True
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


def _finding(
    ring: WakerRing, members: list[Actor], words: Words, *, closed: bool, sure: bool
) -> Finding:
    names = [words.actor_name(member) for member in members]
    resources = tuple(dict.fromkeys(w.target for w in ring.waits if w.target.kind.is_resource))
    carriers = words.carriers(members)
    links = (*ring.waits, *ring.holds)
    certainty = as_sure_as(*links) if sure else Certainty.INFERRED
    sure = sure and certainty.supports_claim
    what = "Deadlock" if sure else "Possible deadlock"
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure else Severity.WARNING,
        certainty=certainty,
        title=f"{what}: {_who(names)}{_where(members, resources, words)} "
        f"({_what(resources, words)})",
        sentence=_sentence(ring, members, words, closed=closed, sure=sure),
        threads=tuple(ref(thread) for thread in carriers),
        tasks=tuple(member.id for member in members if isinstance(member, Task)),
        subject=members[0].id,
        resources=resources,
        evidence=(
            *(words.reading(edge) for edge in links[: 2 * NAMES_LISTED]),
            *(_waker(one, words) for one in ring.wakers[:NAMES_LISTED]),
            stood_still(members, words),
            "none of these waits has a timeout",
        ),
        unknown=tuple(_unknown(ring, words, sure=sure)),
        advice=tuple(_advice(ring, words)),
    )


def _who(names: list[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} waits for itself"
    return f"{listed(names) if len(names) > 3 else joined(names)} wait for each other"


def _where(members: list[Actor], resources: tuple[NodeId, ...], words: Words) -> str:
    """The application's line that the first of them stands at, where the names of what they wait
    for say little: addresses."""
    first = members[0]
    bare = any(_ADDRESS in words.name(node) for node in resources)
    return at_own_line(first) if bare and isinstance(first, Thread) else ""


def _what(resources: tuple[NodeId, ...], words: Words) -> str:
    """What they wait for; a future, which stands for whoever gives its result, if it is all."""
    plain = [node for node in resources if node.kind is not NodeKind.FUTURE]
    return listed([words.name(node) for node in plain or resources])


def _perhaps_at_rest(found: Finding) -> Finding:
    """As a note: nothing in the ring tells a deadlock from a rest."""
    possible = "Possible deadlock: "
    return replace(
        found,
        severity=Severity.NOTE,
        title=f"{found.title.removeprefix(possible)}: a deadlock, or just idle",
        sentence=(
            f"{found.sentence.removeprefix(possible)} It is not a deadlock if somebody not seen "
            "here begins."
        ),
    )


def _sentence(
    ring: WakerRing, members: list[Actor], words: Words, *, closed: bool, sure: bool
) -> str:
    waits = {wait.source: wait for wait in ring.waits}
    told = [_clause(waits[member.id], ring, words) for member in members[:NAMES_LISTED]]
    start = "" if sure else "Possible deadlock: "
    ends = {1: "It cannot go on", 2: "Neither can go on"}
    end = ends.get(len(members), "None of them can go on")
    others = "all others of the process wait as well" if closed else "nobody else is seen to do it"
    pid = members[0].id.pid
    if closed and any(one.sleeps_for_ever for one in words.capture.tasks if one.pid == pid):
        others += ", or do nothing but sleep again and again"
    return f"{start}{clauses(told, len(members))}. {end}: {others}.{words.loops(members)}"


def _clause(wait: Edge, ring: WakerRing, words: Words) -> str:
    actor = words.actor(wait.source)
    who = words.actor_name(actor) if actor else words.name(wait.source)
    clause = f"{who} {words.waiting(wait)}"
    holds = [hold for hold in ring.holds if hold.source == wait.target]
    if holds:
        names = joined([words.name(hold.target) for hold in holds])
        verb = "holds" if len(holds) == 1 else "hold"
        if words.is_future(wait.target):
            verb = "has to set" if len(holds) == 1 else "are to set"
        return f"{clause}, which {names} {verb}{''.join(map(_taken, holds[:1]))}"
    wakers = [one for one in ring.wakers if one.resource == wait.target]
    if not wakers:
        return clause
    names = joined([words.name(one.candidate) for one in wakers[:NAMES_LISTED]])
    return f"{clause}, which only {names} could {act(wait, words)}{_call(wakers[0])}"


def _taken(hold: Edge) -> str:
    where = hold.evidence.where
    return f" (taken at {short_path(where)})" if where else ""


def _call(one: CouldWake) -> str:
    """`` (self.ready.notify(), app.py:20)``."""
    if one.call is None:
        return ""
    return f" ({one.call}(), {one.call_line})" if one.call_line else f" ({one.call}())"


def _waker(one: CouldWake, words: Words) -> str:
    evidence = one.evidence
    claim = f"{words.name(one.candidate)} could end waits for {words.name(one.resource)}"
    return f"{claim}: {evidence.text} ({evidence.certainty}, {evidence.source})"


def _unknown(ring: WakerRing, words: Words, *, sure: bool) -> list[str]:
    if sure:
        return []
    targets = dict.fromkeys(one.resource for one in ring.wakers)
    lines = [
        f"whether only {joined(_candidates(target, ring, words))} can end a wait for "
        f"{words.name(target)}: that is inferred from what stacks and code refer to"
        for target in targets
    ]
    members = set(ring.actors)
    others = dict.fromkeys(
        one.candidate
        for target in targets
        for one in words.graph.wakers_of(target)
        if one.candidate not in members and not comes_to_it(one)
    )
    if others:
        names = listed([words.name(one) for one in others])
        lines.append(f"whether code that is not seen on their stacks uses it: {names} refer to it")
    return lines


def _candidates(target: NodeId, ring: WakerRing, words: Words) -> list[str]:
    found = dict.fromkeys(one.candidate for one in ring.wakers if one.resource == target)
    return [words.name(one) for one in found][:NAMES_LISTED]


_NOT_AS_THREADS = (
    "Do not wait as threads do where others of the thread's greenlets have to get on: look whether "
    "it is there, and switch to them if it is not."
)


def _advice(ring: WakerRing, words: Words) -> list[str]:
    full = [wait for wait in ring.waits if way_of(wait, words) == "put"]
    waiting = {wait.source: wait for wait in ring.waits}
    for hold in ring.holds:
        wait = waiting.get(hold.target)
        lent = hold.source.kind is not NodeKind.FUTURE  # nobody takes a future and gives it back
        if wait is not None and wait.target != hold.source and lent:
            awaited, held = words.name(wait.target), words.name(hold.source)
            line = (
                f"Do not wait for {awaited} with {held} held, as {words.name(hold.target)} does: "
                f"whoever should {act(wait, words)} it needs {held} first. Wait outside it, or "
                "make one Condition of both."
            )
            return [line]
    if full:
        names = joined([words.name(wait.target) for wait in full])
        line = (
            f"Do not put into {names} in the thread that takes from the other one: give one "
            "direction a queue without a bound, or a thread of its own, or put with a timeout."
        )
        return [line]
    kinds = {wait.target.kind for wait in ring.waits}
    ended = sorted(kinds & {NodeKind.TASK, NodeKind.GREENLET})
    if ended:
        kind = ended[0]
        if any(words.operation(wait) == "started" for wait in ring.waits):
            line = (
                f"Do first what the {kind} waits for, or have the {kind} call "
                "task_status.started() before it waits."
            )
            return [line]
        line = (
            f"Do first what the {kind} waits for, then wait for its end (a TaskGroup, a nursery or "
            "gather() waits for it too), or cancel it."
        )
        return [line]
    if over_streams(ring):
        return [_stream_advice(ring, words)]
    if waits_for_itself(ring):
        line = (
            f"Do not wait for it in {words.name(ring.actors[0])}, which comes to what sets it"
            f"{_call(ring.wakers[0])} only afterwards: call this in another thread "
            "(threading.Thread(target=...).start())."
        )
        return [line]
    if NodeKind.THREAD in kinds:
        actors = map(words.actor, ring.actors)
        by_hand = any(isinstance(one, Task) and one.by_hand for one in actors)
        turn = next((wait for wait in ring.waits if words.operation(wait) == "run"), None)
        plain = _NOT_AS_THREADS if by_hand else "Do first what the thread waits for, then join it."
        return [_turn_advice(turn, ring, words) if turn else plain]
    return ["Bound one of the waits with a timeout, so that the ring opens and the error is seen."]


def _turn_advice(turn: Edge, ring: WakerRing, words: Words) -> str:
    """*turn*: the wait of one that could go on if its thread ran its loop or hub."""
    waits = [wait for wait in ring.waits if wait.source == turn.target]
    what = joined([words.name(wait.target) for wait in waits]) or "it"
    return (
        f"Do not wait for {what} in {words.name(turn.target)} by a call that stops its loop or "
        "hub: wait in the way of that library (its own queues, locks and events, await), or in "
        "another thread."
    )


def _stream_advice(ring: WakerRing, words: Words) -> str:
    if all(way_of(wait, words) == "send" for wait in ring.waits):
        return (
            "Read while you write: when both sides send more than the connection holds before "
            "they read, both wait for ever. Give reading a task of its own."
        )
    return (
        "Look at what each side takes for the end of a message: read() without a size returns only "
        "when the other side calls write_eof() or close(), readline() needs the newline, "
        "readexactly(n) all n bytes. Or bound the read: asyncio.wait_for(..., timeout)."
    )
