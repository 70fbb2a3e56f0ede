"""Who could end a wait in a package, and what they do meanwhile."""

from collections.abc import Iterable, Iterator

from hangtui.analysis.places import application_index, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming
from hangtui.findings.by_the_clock import the_only
from hangtui.findings.child_ends import ended_children, told_ended
from hangtui.findings.doing import doing
from hangtui.findings.ended import told_any_gone
from hangtui.findings.enders import called, enders, only
from hangtui.findings.english import counted, joined, listed
from hangtui.findings.inert import OF_THE_PROCESS, hearing_outside
from hangtui.findings.outside.java_threads import told_java
from hangtui.findings.outside.library_goals import LOCKS
from hangtui.findings.outside.peer_end import there_is
from hangtui.findings.outside.traffic import watched
from hangtui.findings.re_entered import told_again, told_by_its_own, told_further_out
from hangtui.findings.resources import is_native, noted
from hangtui.findings.services import is_service
from hangtui.findings.stack_queries import (
    at_own_line,
    below_application,
    does,
    kind_of,
    main_thread,
    way_of,
)
from hangtui.findings.words import Words
from hangtui.findings.written import told_alone, told_stuck
from hangtui.model import (
    NodeId,
    Process,
    Task,
    Thread,
)

Member = tuple[Thread, Edge | None]
"""A thread, and what it waits for if that is known."""
_OTHERS, _LINKS = 3, 8
"""Other threads of the process that are told; waits that are followed."""


def parted(members: list[Member], words: Words) -> Iterator[list[Member]]:
    """Those that have what others of them wait for, who wait for something else, and the others."""
    holds = (words.graph.holders_of(wait.target) for _, wait in members if wait is not None)
    having = {hold.target for each in holds for hold in each}
    parts: tuple[list[Member], list[Member]] = ([], [])
    for member in members:
        parts[member[0].id not in having].append(member)
    yield from filter(None, parts)


def all_enders(wait: Edge, words: Words) -> list[Thread | Task]:
    """Those who could end it, if they are known: who holds it, is seen on the way to end it, or
    alone shares it."""
    holders = [hold.target for hold in words.graph.holders_of(wait.target)]
    if holders:
        return [one for one in map(words.actor, holders) if one is not None]
    if on_the_way := enders(wait, words):
        return on_the_way
    resource = words.resource(wait.target)
    sharers = set(resource.sharers if resource else ()) - {wait.source.pid}
    processes = [words.capture.process(pid) for pid in sharers]
    mains = [main_thread(process) for process in processes if process is not None]
    alone = the_only((thread for thread in mains if thread is not None), words)
    return [*alone] if len(alone) == len(sharers) else []


def ender(wait: Edge | None, words: Words) -> str:
    """Those whose code is seen to come to what would end a wait."""
    wakers = coming(words.graph, wait.target, words.method(wait)) if wait else ()
    who = sorted({one.candidate for one in wakers})
    thread = words.thread(wait.source) if wait else None
    if thread is not None and (java := told_java(thread, words)):
        return java
    if wait is None or not who:
        resource = words.resource(wait.target) if wait else None
        process = words.capture.process(wait.source.pid) if wait else None
        native = hearing_outside(process, words.capture) if process else []
        if is_native(resource) and native:
            listening = listed([one.name for one in native])
            what = f"what comes to the connections of native threads ({listening}) may end that"
            own = told_further_out(thread) if thread is not None else ""
            return f"{own}; or {what}." if own else f"{what[:1].upper()}{what[1:]}."
        if resource is not None and resource.called_back:
            known = f"{joined(resource.called_back)} would end that; no stack is inside of it."
            itself = told_by_its_own(thread) if thread is not None else ""
            return f"{known} {itself}." if itself else known
        return f"Who could end that is not recorded{noted(resource) if wait else ''}."
    names = [words.name(one) for one in who[:_OTHERS]]
    names += [f"{len(who) - _OTHERS} more"] if len(who) > _OTHERS else []
    return f"{only(names, wakers, words.actor(wait.source))}."


def at_its_end(wait: Edge | None, words: Words, *, one: bool = False) -> str:
    """``; only desk could end that, behind which calendar waits at app.py:9 (book) for approved``,
    or ``: desk and calendar wait for each other``, of a chain of waits, each of which one alone
    could end; *one*: also if it has one link. Empty: it has none, or somebody may end one of them
    otherwise."""
    chain: list[Thread | Task] = []
    while wait is not None and len(coming := enders(wait, words)) == 1 and len(chain) < _LINKS:
        if coming[0] in chain:
            ring = [words.actor_name(one) for one in chain[chain.index(coming[0]) :]]
            each = (
                f"{joined(ring)} wait for each other" if ring[1:] else f"{ring[0]} waits for itself"
            )
            return f"; only {words.actor_name(chain[0])} could end that: {each}"
        chain.append(coming[0])
        wait = words.graph.wait_of(chain[-1].id)
    if not chain:
        return ""
    name, last = words.actor_name(chain[0]), chain[-1]
    if chain[1:]:
        return f"; only {name} could end that, behind which {doing(last, words)}"
    # What another process brings, or the clock, may be on its way.
    inside = wait is not None and not wait.expires and wait.target.kind in OF_THE_PROCESS
    does = doing(last, words).removeprefix(f"{name} ")
    return f"; only {name} could end that, and {does}" if inside and one else ""


def stuck(wait: Edge, words: Words) -> str:
    """That the only one who is on the way to end it waits for what nobody comes to."""
    coming = enders(wait, words)
    return told_stuck(coming[0], words) if len(coming) == 1 else ""


def whose(wait: Edge | None, words: Words) -> str:
    """``; loader has it, at app.py:12 (load)``, of a lock that one thread surely has."""
    holds = words.graph.holders_of(wait.target) if wait else ()
    if wait is None or len(holds) != 1 or kind_of(wait, words) not in LOCKS:
        return ""
    holder = words.thread(holds[0].target)
    if holder is None or not holds[0].evidence.certainty.supports_claim:
        return ""
    where = at_own_line(holder)
    return f"; {words.thread_name(holder)} has it{f',{where}' if where else ''}"


def ended(thread: Thread, words: Words) -> str:
    """That children have ended, one of which may have been to end the wait."""
    process = words.capture.process(thread.pid)
    return told_ended(ended_children(process) if process else [], "its")


def doing_now(holders: Iterable[NodeId], words: Words) -> str:
    """What the threads and tasks do that could end it: first those in the application."""
    found = [one for one in map(words.actor, holders) if one is not None]
    found.sort(key=lambda one: not below_application(one))
    told = [f"{doing(one, words)}{told_again(one)}" for one in found[:_OTHERS]]
    return f" Now {joined(told)}." if told else ""


def _peer_of(thread: Thread, words: Words) -> str:
    """What the one does at whom *thread* waits, if it waits over a connection."""
    wait = words.graph.wait_of(thread.id)
    return there_is(thread, wait, words) if wait and words.is_channel(wait.target) else ""


def meanwhile(threads: list[Thread], package: str, wait: Edge | None, words: Words) -> str:
    """What the others do who may end it, see `others_there`."""
    process = words.capture.process(threads[0].pid)
    others = [t for t in (process.threads if process else ()) if t.is_python and t not in threads]
    chosen = others_there(threads, package, wait, words)
    if not chosen:
        running = [t for t in others if t.python_stack is None or t.python_stack]
        return "" if running else _alone(threads, process)
    more = f"; {counted(len(chosen) - _OTHERS, 'more thread')}" if chosen[_OTHERS:] else ""
    now = [f"{does(t, words)}{_peer_of(t, words)}" for t in chosen[:_OTHERS]]
    there = f"There, {joined(now)}{more}."
    known = process is not None and not process.incomplete and all(t.python_stack for t in others)
    if known and not any(map(below_application, others)):
        there += " No other thread of the process is in the program's own code."
    itself = next(filter(None, map(told_by_its_own, [*chosen[:_OTHERS], *threads])), "")
    there += f" {itself}." if itself else ""
    if len(chosen) > 1:
        return there
    connections = watched(chosen, words.capture)
    there += f" It watches {listed(connections)}." if connections else ""
    there += _left_to(threads, chosen[0], words)
    wakers = coming(words.graph, wait.target, words.method(wait)) if wait else ()
    ahead = {one.candidate for one in wakers}
    return there if wait is None or chosen[0].id in ahead else there + told_alone(chosen[0], words)


def _left_to(threads: list[Thread], other: Thread, words: Words) -> str:
    """`` Only MainThread comes to FREE.release() (app.py:20), which would end that, and only after
    its own wait: if the two wait for each other, neither goes on.``, of what *other* waits for;
    empty: others may end that, or it is not known."""
    wait = words.graph.wait_of(other.id)
    comers = coming(words.graph, wait.target, way_of(wait, words)) if wait else ()
    resource = words.resource(wait.target) if wait else None
    if not comers or wait is None or wait.expires or resource is None or not resource.wakers_known:
        return ""
    if {one.candidate for one in comers} - {one.id for one in threads}:
        return ""
    calls = joined(list(dict.fromkeys(map(called, comers))))
    names = joined([words.thread_name(one) for one in threads])
    return (
        f" Only {names} {'comes' if len(threads) == 1 else 'come'} to {calls}, which would end "
        "that, and only after this wait: if that thread is needed to end it, neither goes on."
    )


def others_there(
    threads: list[Thread], package: str, wait: Edge | None, words: Words
) -> list[Thread]:
    """The others who may end it: those in the application, else the package's own; first those
    that are on the way to end *wait*."""
    process = words.capture.process(threads[0].pid)
    others = [t for t in (process.threads if process else ()) if t.is_python and t not in threads]
    stacks = [(thread, thread.python_stack or ()) for thread in others]
    chosen = [thread for thread, stack in stacks if application_index(stack) is not None]
    chosen = chosen or [t for t, stack in stacks if any(package_of(f) == package for f in stack)]
    chosen = [t for t in chosen if not is_service(t, words)] or chosen
    inside = [t for t in others if _is_native(t, package)] if not chosen else []
    chosen = chosen or [t for t in inside if not t.asleep or _elsewhere(t, threads, words)]
    wakers = coming(words.graph, wait.target, words.method(wait)) if wait else ()
    ahead = {one.candidate for one in wakers}
    # Who would end it may be a thread of the package's own.
    chosen += [one for one in others if one.id in ahead and one not in chosen]
    chosen.sort(key=lambda one: one.id not in ahead)
    return chosen


def _alone(threads: list[Thread], process: Process | None) -> str:
    """That nobody else is there who runs Python code, if all threads are known, and which threads
    have ended, or were never started."""
    if process is None or process.incomplete:
        return ""
    one = len(threads) == 1
    who = "No other thread" if one else "No thread but these"
    gone = told_any_gone(process, "it")
    return f"{who} of the process runs Python code{_children(process)}.{gone}"


def _children(process: Process) -> str:
    """``, and it has no children``, if that is known."""
    around = process.around
    none = around is not None and around.children is not None and not around.children
    return ", and that has no children" if none else ""


def _elsewhere(thread: Thread, threads: list[Thread], words: Words) -> bool:
    """Whether it waits for something else than one of *threads*."""
    wait = words.graph.wait_of(thread.id)
    return wait is not None and wait.target not in {one.id for one in threads}


def _is_native(thread: Thread, package: str) -> bool:
    """Whether C code of the package is on its stack."""
    packages = ((frame.package or "").partition(" ")[0] for frame in thread.native_stack or ())
    return package in packages
