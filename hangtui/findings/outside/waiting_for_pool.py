"""The application waits for what a pool or limiter of a library lends."""

from collections.abc import Iterator, Sequence

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.analysis.whereabouts import where_of
from hangtui.findings.by_the_clock import all_go_on
from hangtui.findings.enders import enders
from hangtui.findings.english import counted, joined
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.left_in_parent import left_in_parent
from hangtui.findings.lookers import lasted_s
from hangtui.findings.loop_timers import ends_by_timer
from hangtui.findings.on_the_way import onward
from hangtui.findings.other_end import databases_work
from hangtui.findings.outside.library_peers import answer_there
from hangtui.findings.outside.never_answered import answer_comes
from hangtui.findings.pool_holders import threads_of_holders, told_holders
from hangtui.findings.pools import (
    holds_of,
    lent_by,
    lent_on,
    lost,
    pools,
    position,
    unaccounted,
    unmade,
    until_back,
    waited_s,
)
from hangtui.findings.resources import noted_ended
from hangtui.findings.run_by_package import run_meanwhile, told_meanwhile
from hangtui.findings.stack_queries import below_application, does, stood_s
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Actor, Words, ref, words_of
from hangtui.model import (
    OF_THREAD,
    Capture,
    Certainty,
    Finding,
    Resource,
    Severity,
    Task,
    Thread,
    weakest,
)

ID = "waiting-for-pool"
GROUND = ONE_WAIT
_ITEM = "item"
"""What is lent by what no table knows."""
HELP = """\
A line of the application asked a library for a connection, a token or a worker, and all of them are
lent out. The finding says who has them, and what those are doing.

How it is known: the thread or task waits inside the library's call, on an object of the pool; the
pool counts what is out. Who has one follows from the `with` that it is inside, from a variable that
refers to it, or from the pool's own record. One that is out although no frame refers to it was
often never given back. It is a warning if the wait was seen to last for a second or more, unless
all who have one go on by the clock, in less than a minute and not again and again, or wait for
those who do, or for the answer of a database that executes their statements; or unless a timer may
lend it again soon, as a limiter of calls in a time does; or unless it was seen to be lent on
meanwhile, or each of those computes in a thread that runs a call for it. It is a note, too, if a
package asks for it in a task of its own, and nobody is known to have one: that may be the limit of
how much it does at once.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each pool that somebody waits for."""
    words = words_of(capture, graph)
    found = []
    for resource in pools(words):
        waits = [edge for edge in graph.waiters_of(resource.id) if words.actor(edge.source)]
        joins = [edge for edge in waits if words.operation(edge) == "join"]
        asks = [edge for edge in waits if edge not in joins]
        found += [_finding(resource, edges, words) for edges in (asks, joins) if edges]
    return found


def _at_work_elsewhere(resource: Resource, actors: Sequence[Actor], words: Words) -> bool:
    """Whether as many other threads of the process as things are out of a pool, of which nobody is
    known to have any, wait for a database that executes their statements."""
    process = words.capture.process(actors[0].pid)
    others = [t for t in (process.threads if process else ()) if t.is_python and t not in actors]
    at_work = [one for one in others if databases_work([one], words)]
    return bool(resource.out) and len(at_work) >= (resource.out or 0)


def _finding(resource: Resource, waits: list[Edge], words: Words) -> Finding:
    joins = words.operation(waits[0]) == "join"
    goal = until_back(resource) if joins else f"for {lent_by(resource)}"
    actors = words.actors(edge.source for edge in waits)
    if joins:
        actors = list(dict.fromkeys(_asker(one, words) for one in actors))
    carriers = words.carriers(actors)
    holds = holds_of(resource, words)
    # While those who have all of it get on, a wait in a queue may be any wait.
    served = not unaccounted(resource) and _get_on(resource, words.actors(holds), words)
    seen_s = waited_s if served else lasted_s
    lasted = max((seen_s(one, words) for one in actors), default=0.0)
    # Who waits for what others have in use waits for their work, which is judged where it is done.
    in_use = joins and resource.out is not None and not unaccounted(resource)
    long = lasted >= STILL_S and not in_use
    span = f" for {lasted:.0f} s or more" if long else ""
    known = [] if unaccounted(resource) else words.actors(holds)
    soon = all_go_on(known, words) or databases_work(known, words) or _answered(known, words)
    soon = soon or (resource.lends == _ITEM and not holds and _by_timer(actors, words))
    soon = soon or (not holds and _at_work_elsewhere(resource, actors, words))
    turns = not joins and lent_on(resource, words)
    busy = served and _compute(resource, words)
    kept_s = 0.0 if joins else _kept_s(resource, words)
    if kept_s >= STILL_S and not turns:
        long, span = True, f", and nobody gave one back for {kept_s:.0f} s or more"
    who = joined([words.actor_name(one) for one in actors[:NAMES_LISTED]])
    if len(actors) > NAMES_LISTED:
        who = counted(len(actors), actors[0].id.kind)
    verb = "waits" if len(actors) == 1 else "wait"
    # Where a package has asked for it, the application's line is what the others do with theirs.
    own = [] if below_application(actors[0]) else threads_of_holders(resource, words)
    does_it = next(filter(below_application, own), None)
    where = f" at {position(actors[0])}" if position(actors[0]) and not does_it else ""
    meanwhile = (
        f"; with one, {does(does_it, words)}{_back(does_it, actors, words)}" if does_it else ""
    )
    # What a package asks for itself, and nobody is known to have, may be how much it does at once.
    limit = not holds and not joins and not any(map(below_application, [*actors, *own]))
    calm = soon or turns or busy or limit
    beside = None if does_it or joins else run_meanwhile(actors[0], words)
    if beside is not None:
        meanwhile = told_meanwhile(beside, words)
    leads = does_it or beside
    certainties = (weakest([edge.evidence.certainty for edge in waits]),
                   *(hold.evidence.certainty for hold in holds.values()))  # fmt: skip
    return Finding(
        id=ID,
        severity=Severity.WARNING if long and not calm else Severity.NOTE,
        certainty=weakest(certainties) if not unaccounted(resource) else Certainty.INFERRED,
        title=f"{who} {verb}{where} {goal}{span}{meanwhile}",
        sentence=" ".join(
            filter(
                None,
                (
                    f"{who} {verb}{where} {goal}{span}.",
                    *told_holders(resource, words),
                    "It was lent on while it was watched." if turns else "",
                    lost(resource) if resource.exhausted or not holds else "",
                    unmade(resource),
                    _left(actors[0], resource, words),
                    f"{meanwhile[2].upper()}{meanwhile[3:]}." if beside else "",
                    onward(leads.id, words).text.strip() if leads else "",
                ),
            )
        ),
        where=where_of(leads.python_stack or ()) if leads else None,
        threads=tuple(ref(thread) for thread in carriers),
        tasks=tuple(one.id for one in actors if isinstance(one, Task)),
        subject=actors[0].id,
        resources=(resource.id,),
        evidence=(
            *(words.reading(edge) for edge in waits[:NAMES_LISTED]),
            *(words.reading(e) for e in words.graph.holders_of(resource.id)[:NAMES_LISTED]),
        ),
        unknown=tuple(_unknown(resource)),
        advice=tuple(_advice(resource, joins=joins)),
    )


def _back(holder: Thread, asking: Sequence[Actor], words: Words) -> str:
    """``, which only task serve (Task-8) could end, and that waits for one itself``, of one that
    has one of it and waits for who asks for one; empty: it does not."""
    wait = words.graph.wait_of(holder.id)
    able = enders(wait, words) if wait and not wait.expires else []
    if len(able) != 1 or able[0].id not in {one.id for one in asking}:
        return ""
    return f", which only {words.actor_name(able[0])} could end, and that waits for one itself"


def _get_on(pool: Resource, holders: Sequence[Actor], words: Words) -> bool:
    """Whether one of them, or a thread that runs a call for one, may have moved meanwhile."""
    ran = (words.progress.get(one.id) for one in threads_of_holders(pool, words))
    if any(seen is None or seen.ran for seen in ran):
        return True
    waits = (words.graph.wait_of(one.id) for one in holders)
    answered = any(wait is not None and wait.target in words.arrivals for wait in waits)
    return answered or any(lasted_s(one, words) == 0.0 for one in holders)


def _compute(pool: Resource, words: Words) -> bool:
    """Whether all who have it are at work, each in a thread that runs a call for it: what that does
    is judged there."""
    threads = threads_of_holders(pool, words)
    seen = [words.progress.get(one.id) for one in threads if one.state == "R" and not one.blocked]
    return bool(seen) and len(seen) == len(threads) and all(one and one.cpu_s for one in seen)


def _answered(holders: Sequence[Actor], words: Words) -> bool:
    """Whether each of them waits for an answer of others, who go on by the clock."""
    return bool(holders) and all(_answer_comes(one, words) for one in holders)


def _answer_comes(holder: Actor, words: Words) -> bool:
    if isinstance(holder, Thread):
        wait = words.graph.wait_of(holder.id)
        return wait is not None and answer_comes(holder, wait, words)
    loops = {one.id for one in words.carriers([holder])}
    over = [
        one
        for one in words.capture.watched
        if one.thread in loops
        and holder.ends is not None
        and one.leads_to(holder.ends.remote)
        and holder.pid not in one.peers
    ]
    return all_go_on(answer_there(over, words) or _heard_by_loop(holder, words), words)


def _heard_by_loop(holder: Task, words: Words) -> list[Thread]:
    """Threads of others that have the other ends of what the thread of its loop waits at, at the
    address from which *holder* awaits an answer, and do not wait for the next client."""
    remote = holder.ends.remote if holder.ends else None
    waits = [edge for one in words.carriers([holder]) for edge in words.graph.waits_of(one.id)]
    found: list[Thread] = []
    for edge in waits if remote else ():
        resource, holds = words.resource(edge.target), words.graph.holders_of(edge.target)
        if resource is not None and resource.ends is not None and resource.ends.remote == remote:
            found += words.threads(hold.target for hold in holds)
    next_ = {
        t.id for t in found if (w := words.graph.wait_of(t.id)) and words.operation(w) == "accept"
    }
    return [one for one in found if one.pid != holder.pid and one.id not in next_]


def _by_timer(actors: Sequence[Actor], words: Words) -> bool:
    """Whether the event loop that runs all of these has a timer that may end their wait soon: a
    limiter that nobody has to give anything back to lends again by the clock."""
    tasks = [one for one in actors if isinstance(one, Task)]
    return len(tasks) == len(actors) and all(ends_by_timer(one, words).soon for one in tasks)


def _kept_s(pool: Resource, words: Words) -> float:
    """For how long none of those who have all of it can have given one back: threads that run calls
    for them stood still so long, and not by the clock."""
    threads = threads_of_holders(pool, words)
    if not pool.exhausted or unaccounted(pool) or not threads or all_go_on(threads, words):
        return 0.0
    return min(stood_s(thread, words) for thread in threads)


def _left(actor: Actor, pool: Resource, words: Words) -> str:
    """The pool's own threads that a fork has not copied, and that would make another one."""
    left = left_in_parent(actor, words) if isinstance(actor, Thread) else None
    if left:
        return f"{left.told}, so that nobody does that work here."
    process = words.capture.process(actor.pid)
    parent = process.around.forked_from if process and process.around else None
    if parent is None:
        return ""
    told = noted_ended(pool).strip()
    return (
        f"{told} The process was forked from process {parent}, and fork() copies only the thread "
        "that calls it."
        if told
        else ""
    )


def _asker(actor: Actor, words: Words) -> Actor:
    """The application's task that awaits a task of the library's own; else *actor* itself."""
    seen = {actor.id}
    while isinstance(actor, Task) and not below_application(actor):
        behind = words.actors(edge.source for edge in words.graph.waiters_of(actor.id))
        if len(behind) != 1 or behind[0].id in seen:
            break
        actor = behind[0]
        seen.add(actor.id)
    return actor


def _unknown(resource: Resource) -> Iterator[str]:
    if unaccounted(resource):
        yield (
            "who is to give back what was taken on behalf of something else"
            if len(resource.on_behalf) >= unaccounted(resource)
            else "who has those that are out and not accounted for"
        )
    if resource.out is None:
        yield f"how many {resource.lends}s are out: the attributes that count them are not there"


def _advice(resource: Resource, *, joins: bool) -> Iterator[str]:
    if unmade(resource):
        yield (
            f"See whether what the pool connects to can be reached from here: {resource.name} logs "
            "why each attempt failed."
        )
    elif resource.exhausted and resource.on_behalf:
        yield (
            f"Give each {resource.lends} that is taken with acquire_on_behalf_of() back with "
            "release_on_behalf_of(), in a `finally`: also if what comes between them fails."
        )
    elif joins and unaccounted(resource):
        way = f", by {resource.release}" if resource.release else ""
        yield (
            f"Look for a {resource.lends} that is taken and not given back on every way out{way}; "
            "and bound the wait for all of them."
        )
    elif resource.exhausted and any(OF_THREAD in one for one in resource.kept_in):
        yield (
            f"Give the {resource.lends} back at the end of each piece of work, in the thread that "
            "took it (SQLAlchemy's scoped_session: remove()): a thread-local keeps it while its "
            "thread rests. Or let the pool have more than there are threads."
        )
    elif resource.exhausted and unaccounted(resource):
        yield (
            f"Look for a {resource.lends} that is taken and not given back on every way out; and "
            f"whether the pool can make one at all."
        )
