"""Threads or tasks that wait for what nobody holds, and all who could end that wait as well, for
one another in turn."""

from collections.abc import Mapping
from dataclasses import replace

from hangtui.analysis.places import library_frame, package_of, short_path
from hangtui.analysis.ring_kinds import (
    awaits_first,
    is_hard,
    is_rest,
    joins_first,
    over_streams,
    sets_afterwards,
    waits_for_its_result,
    waits_for_itself,
)
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.analysis.wakers import WakerRing, rings
from hangtui.findings.beyond_doubt import no_rest, waking_signals
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.claims import claim, without_reserve
from hangtui.findings.english import joined, listed
from hangtui.findings.given_work import called_by_server, inside_request
from hangtui.findings.grounds import RING
from hangtui.findings.lookers import lasted_s
from hangtui.findings.other_end import heard_from
from hangtui.findings.pools import position, waited_s
from hangtui.findings.re_entered import called_back_in
from hangtui.findings.rings import ring_of_calls
from hangtui.findings.stack_queries import at_own_line, below_application, way_of
from hangtui.findings.standing import stood_still
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.wakeups.mutual_wait_advice import advice
from hangtui.findings.wakeups.mutual_wait_scope import (
    closed_to,
    for_clients,
    nobody_comes,
    nobody_else,
    owes_answer,
    stood_s,
    theirs_alone,
    unwatched,
)
from hangtui.findings.wakeups.mutual_wait_words import (
    gives_back,
    has_all_parties,
    have_items,
    sentence,
    unknown,
    waker,
)
from hangtui.findings.wakeups.only_each_other import only_each_other
from hangtui.findings.wakeups.pool_fed_by_results import fed_by_results
from hangtui.findings.words import Actor, Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeId,
    NodeKind,
    Severity,
    Task,
    Thread,
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

It is a note if none of them stands in a request that a server has called it for or has a lock that
another one wants, waits for room or for others at a barrier, or joins the thread or awaits the task
that waits for what it does next, and not all of them want a turn of a lock or semaphore, and other
threads are left, or the event loop has connections or timers: what is meant to be idle may look the
same. Timers do not count where one waits for the end of a task, its code sets behind that what the
task waits for, nobody else refers to it, and the loop has no more timers than tasks that sleep. It
is a warning there too if only variables of these tasks refer to the object, by its own count of
references; if they are threads, and neither other code of the program nor a signal or timer would
end these waits; if each has stood for a second inside of a `with` whose end would notify, and wants
to enter another one; and if the tasks have stood so for a second in one whose timers wake others
that only sleep, where nobody but those that wait for them refers to it: several of them, or one in
a loop that does other things in its round as well. Nothing is said of a worker that waits for work
then, or of whoever waits for its end.

Streams of asyncio whose two ends are in the process count as well: who writes to, reads from or
closes the other end. That is a warning if all tasks of the event loop wait for each other so, and
it has no timer, no signal handler and no connection of anybody else's: only somebody new who
connects could change that.

It is an error, too, if they have waited for a second, one of them at a barrier for as many more as
those are who come to it next, and these for a lock that one of them has.

Who waits for the next result of a `multiprocessing` Pool, of which all workers are idle and the
next task waits, in the iterable given to `imap()`, for what that thread does with a result, is told
of as a warning.

Processes in which everything that runs for a request of gRPC has waited for a second for an answer
of gRPC, while all their connections lead to one another or to who asks them, are told of, too.

Where a thread of another process has asked for something over a connection of the event loop in
which one of them is a task, and has waited for the answer since, it is a warning, too.

Nothing is said if threads came or went while the process was read, for one of these may end the
wait, unless several looks saw that none of those in the ring ran for a second.

One thread alone is told of as well, if what it waits for is set further out on its own stack, by a
function that goes on only after the wait: as a warning if that is a library's (`shutdown()` of a
server of `socketserver`, in a handler which that server has called), or if it has stood so for a
second and waits for the result of a future that its own code sets afterwards (the reader of answers
that asks for something itself, a task that loads a key in the batch which is to bring it), or for
what its own code puts into a channel that lies among those of questions without an answer; else as
a note. It is an error if it has waited for a second until a queue is done of which it has taken an
item itself, and reports that only after the wait, as its code says.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each ring."""
    words = words_of(capture, graph)
    found = [one for ring in rings(capture, graph) if (one := _judged(ring, words))]
    return [*found, *fed_by_results(ID, words), *ring_of_calls.found(ID, words)]


def _judged(ring: WakerRing, words: Words) -> Finding | None:
    ways = {wait.source: way_of(wait, words) for wait in ring.waits}
    hard = is_hard(ring, ways) or (waits_for_itself(ring) and _set_by_library(ring, words))
    members = words.actors(ring.actors)
    process = words.capture.process(ring.actors[0].pid)
    if len(members) < len(ring.actors) or process is None or _same_connection(ring, words):
        return None
    if for_clients(ring, members):
        return None
    # Who came or went while it was read may be the one who acts, and would have by now.
    if process.steady is False and min(waited_s(one, words) for one in members) < STILL_S:
        return None
    stopped = any(words.operation(wait) == "run" for wait in ring.waits)
    closed, sure = closed_to(process, members, words, loop_stopped=stopped)
    result = waits_for_its_result(ring)
    alone = len(members) == 1 and not (hard or waits_for_itself(ring) or result)
    if (is_rest(ring, ways) and not (closed or result)) or alone:
        return None
    # Who is to act after a join does not rest in that.
    ordered = joins_first(ring) or awaits_first(ring)
    ordered |= gives_back(ring)
    lasts = min(waited_s(one, words) for one in members) >= STILL_S
    threads = lasts and all(isinstance(one, Thread) for one in members) and not is_rest(ring, ways)
    owed = hard or ordered or result or threads or _owed(ring, ways, words)
    every = have_items(ring) or has_all_parties(ring, words)
    sure = (closed and sure and owed) or (every and lasts)
    found = _finding(ring, members, words, closed=closed, sure=sure)
    told = hard or closed or (joins_first(ring) and not waking_signals(process))
    # Who has one and enters the like once more only wants a turn.
    stood = len(members) > 1 and stood_s(members, words, ring) >= STILL_S
    told = told or ((threads or stood) and gives_back(ring))
    # A callback of a connection, say, may set the result of a future: it would have by now.
    told = told or (result and lasts)
    told = told or (threads and only_each_other(ring.waits, words))
    told = told or _owed_to_a_client(members, words) or (lasts and owes_answer(members, words))
    back = any(isinstance(one, Thread) and called_back_in(one) for one in members)
    told = told or (lasts and back and not waking_signals(process))
    if over_streams(ring):
        told = told or nobody_else(process, members, words)
    if awaits_first(ring):
        told = told or unwatched(members, words) or theirs_alone(ring, words)
    # Beside tasks that only sleep, nobody but these can be meant to.
    after = sets_afterwards(ring) or stood
    after = after or _on_their_way(members, words)
    told = told or (after and nobody_comes(ring, process, members, words))
    return found if told else _perhaps_at_rest(found)


def _same_connection(ring: WakerRing, words: Words) -> bool:
    """Whether all wait for what comes or leaves over one connection, at this end of it: its
    transport brings that, which nobody's stack shows."""
    heard = {heard_from(wait, words) for wait in ring.waits}
    return len(ring.waits) > 1 and len(heard) == 1 and None not in heard


def _on_their_way(members: list[Actor], words: Words) -> bool:
    """Whether the waits of all of them are one step of many, and were seen for a second."""
    return all(
        isinstance(one, Task) and one.is_part and lasted_s(one, words) >= STILL_S for one in members
    )


def _owed_to_a_client(members: list[Actor], words: Words) -> bool:
    """Whether one of them has stood for a while in what a server has called it for."""
    return stood_s(members, words) >= STILL_S and any(
        inside_request(one) if isinstance(one, Thread) else called_by_server(one) for one in members
    )


def _set_by_library(ring: WakerRing, words: Words) -> bool:
    """Whether the code that sets it is a library's, on the stack of the thread that waits: nobody
    else is meant to."""
    actor = words.actor(ring.actors[0])
    stack = (actor.python_stack if actor else None) or ()
    places = {one.call_line.rpartition(":")[0] for one in ring.wakers if one.call_line}
    setting = [frame for frame in stack if short_path(frame.filename) in places]
    return bool(setting) and all(map(library_frame, setting))


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


def _finding(
    ring: WakerRing, members: list[Actor], words: Words, *, closed: bool, sure: bool
) -> Finding:
    names = [words.actor_name(member) for member in members]
    resources = tuple(dict.fromkeys(w.target for w in ring.waits if w.target.kind.is_resource))
    carriers = words.carriers(members)
    links = (*ring.waits, *ring.holds)
    certainty = as_sure_as(*links) if sure else Certainty.INFERRED
    sure = sure and certainty.supports_claim
    what = claim(sure=sure)
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure else Severity.WARNING,
        certainty=certainty,
        title=f"{what}: {_who(names)}{_where(members, resources, words)} "
        f"({_what(resources, words)})",
        sentence=sentence(ring, members, words, closed=closed, sure=sure),
        threads=tuple(ref(thread) for thread in carriers),
        tasks=tuple(member.id for member in members if isinstance(member, Task)),
        subject=members[0].id,
        resources=resources,
        evidence=(
            *(words.reading(edge) for edge in links[: 2 * NAMES_LISTED]),
            *(waker(one, words) for one in ring.wakers[:NAMES_LISTED]),
            stood_still(members, words),
            "none of these waits has a timeout",
        ),
        unknown=tuple(unknown(ring, words, sure=sure)),
        advice=tuple(advice(ring, words)),
    )


def _who(names: list[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} waits for itself"
    return f"{listed(names) if len(names) > 3 else joined(names)} wait for each other"


def _where(members: list[Actor], resources: tuple[NodeId, ...], words: Words) -> str:
    """The application's line that the first of them stands at, where the names of what they wait
    for say little: addresses; or where it waits for itself in a task that a library has made."""
    first = members[0]
    bare = any(_ADDRESS in words.name(node) for node in resources)
    if isinstance(first, Thread):
        return at_own_line(first) if bare else ""
    stack = first.python_stack or ()
    foreign = len(members) == 1 and stack and package_of(stack[-1])
    return f" at {position(first)}" if foreign and below_application(first) else ""


def _what(resources: tuple[NodeId, ...], words: Words) -> str:
    """What they wait for; a future, which stands for whoever gives its result, if it is all."""
    plain = [node for node in resources if node.kind is not NodeKind.FUTURE]
    return listed([words.name(node) for node in plain or resources])


def _perhaps_at_rest(found: Finding) -> Finding:
    """As a note: nothing in the ring tells a deadlock from a rest."""
    return replace(
        found,
        severity=Severity.NOTE,
        title=f"{without_reserve(found.title)}: a deadlock, unless somebody else begins",
        sentence=(
            f"{without_reserve(found.sentence)} It is not a deadlock if somebody not seen "
            "here begins."
        ),
    )
