"""Who could end the first wait of a process that makes no progress, as the end of a title."""

from collections.abc import Sequence

from hangtui.analysis.places import library_frame, package_of
from hangtui.findings.backlog import knocks_at_itself
from hangtui.findings.dispatched import short_dispatched
from hangtui.findings.doing import doing, own_package
from hangtui.findings.enders import enders
from hangtui.findings.english import clauses, either, joined, listed
from hangtui.findings.looked import polled_by
from hangtui.findings.on_the_way import whose
from hangtui.findings.other_end import (
    at_other_end,
    has_both_ends,
    held_elsewhere,
)
from hangtui.findings.outside.library_peers import short_there
from hangtui.findings.outside.traffic import no_connection
from hangtui.findings.polled import asks_forgotten
from hangtui.findings.protocol_calls import without_connection
from hangtui.findings.rest.signalled_by import short_children
from hangtui.findings.run_elsewhere import inside_elsewhere
from hangtui.findings.stack_queries import below_application, does, main_thread, name_of
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.to_come import by_timer, short_by_name, short_by_signal
from hangtui.findings.waiting_inside import short_inside, short_past
from hangtui.findings.words import Actor, Words
from hangtui.findings.written import (
    lost_in_title,
    nobody_comes,
    only_inside,
    own_code,
    short_else,
)
from hangtui.model import (
    NodeId,
    Resource,
    Task,
)


def by_whom(first: NodeId, words: Words) -> str:
    """Who could end the first wait, or has the other end of its connection."""
    wait = words.graph.wait_of(first)
    there = at_other_end(wait, words) if wait else []
    if gone := asks_forgotten(first, words):
        return f": gone without a word are {gone}"
    if not there:
        actor = words.actor(first)
        inside = isinstance(actor, Task) and wait is not None and nobody_comes(wait, words)
        inside = inside and not _lets_in(first, words)
        itself = only_inside(wait, actor, "end that", words) if inside and wait and actor else ""
        told = (
            itself
            or short_dispatched(first, words)
            or _by_one(first, words)
            or _of_library(first, words)
        )
        told = told or _changed_by(first, words)
        told = told or _called_back(first, words) or _has_other_end(first, words)
        told = told or short_by_signal(wait, words)
        told = told or _listening(first, words) or short_children(first, words)
        return told or short_else(wait, words)
    names = listed([words.actor_name(one) for one in there])
    waits = "waits" if len(there) == 1 else "wait"
    return f"{_called_back(first, words)}; at the other end {names} {waits} as well"


def _of_library(first: NodeId, words: Words) -> str:
    """``; task _read_stream awaits data of a pipe; process 12 has the other end ...``, of who waits
    for the end of a task that a library runs for it."""
    wait = words.graph.wait_of(first)
    awaited = words.actor(wait.target) if wait else None
    if not isinstance(awaited, Task) or below_application(awaited) or not awaited.python_stack:
        return ""
    return f"; {doing(awaited, words, alone=False)}{whose(awaited.id, words)}"


def _by_one(first: NodeId, words: Words) -> str:
    """By whom alone the first goes on, and what `_called_back` says of that one."""
    wait, by = words.graph.wait_of(first), whose(first, words)
    found = enders(wait, words) if wait and by else []
    return f"{by}{_called_back(found[0].id, words) if len(found) == 1 else ''}"


def _has_other_end(first: NodeId, words: Words) -> str:
    """``; process 12 alone has the other end open, and there sorter waits at app.py:9 (sort)``, of
    a task that waits for one connection; or that it is in the task's own process."""
    held = held_elsewhere(first, words)
    if knocks_at_itself(first, words):
        return "; only this very process listens there, and accepts nothing now"
    if held is None:
        itself = words.graph.wait_of(first) is None and has_both_ends(first, words)
        return "; only this very process has the other end open" if itself else ""
    process = words.capture.process(held.peers[0])
    main = main_thread(process) if process else None
    there = short_there([held], words) or (f"; there {does(main, words)}" if main else "")
    name = words.process_name(held.peers[0])
    return f"; {name} alone has the other end open{there.replace(';', ', and', 1)}"


def _changed_by(first: NodeId, words: Words) -> str:
    """``; only churn is seen to come to change that, and waits at a.py:9 (churn) for till``, of one
    that looks at something again and again."""
    polled = polled_by(first, words)
    who = [] if polled is None or polled.written else [one.actor for one in polled.changers]
    actor = words.actor(who[0]) if len(who) == 1 else None
    if actor is None:
        return ""
    name = words.actor_name(actor)
    does_so = doing(actor, words).removeprefix(f"{name} ")
    return f"; only {name} is seen to come to change that, and {does_so}"


def _called_back(first: NodeId, words: Words) -> str:
    """``; discord's Client._handle_ready (client.py:372) would end that, and no stack is in
    it``, or ``; open_shop (shop.py:5) would end that, and nobody runs it``, of a wait to which
    nobody is seen to come."""
    wait, actor = words.graph.wait_of(first), words.actor(first)
    if timer := by_timer(words.resource(wait.target) if wait else None):
        return f"; {timer}"
    resource = words.resource(wait.target) if wait and nobody_comes(wait, words) else None
    if resource is None or actor is None:
        return ""
    if lost := lost_in_title(resource, first.pid, words) or _beside(resource, actor, words):
        return lost
    if resource.called_back and not resource.enders:
        return f"; {joined(resource.called_back)} would end that, and no stack is in it"
    away = {*own_code(resource, actor), *inside_elsewhere(resource.enders, resource.id, words)}
    idle = resource.enders if away.isdisjoint(resource.enders) else ()
    them = "it" if len(idle) == 1 else "any of them"
    if idle and resource.enders_loop:
        loop = "a loop" if len(idle) == 1 else "loops"
        return f"; {joined(idle)}, {loop}, would end that, and nobody runs {them}"
    if idle and (own := tasks_of_package(idle, first, words)):
        return f"; {joined(idle)} would end that, and no stack is in {them}: {own}"
    if classes := without_connection(idle, first.pid, words):
        whose = either(classes)
        return f"; {joined(idle)} would end that, and no connection of {whose} is open"
    runs = f"no stack is in {them}" if _lets_in(first, words) else f"nobody runs {them}"
    runs = short_by_name(resource, words) or runs
    return f"; {joined(idle)} would end that, and {runs}" if idle else ""


def _beside(resource: Resource, actor: Actor, words: Words) -> str:
    own = own_code(resource, actor)
    inside = short_inside(resource.enders, resource, actor, words)
    return "" if own else inside or short_past(resource.enders, actor, words)


def _lets_in(node: NodeId, words: Words) -> bool:
    """Whether somebody may connect to its process, for whom it runs code that is on no stack now:
    an event loop accepts connections, or threads of C code or one of its tasks do."""
    if any(one.thread.pid == node.pid for one in words.capture.listening):
        return True
    loops = (one for one in words.capture.event_loops if one.pid == node.pid)
    tasks = (one for one in words.capture.tasks if one.pid == node.pid)
    return any(one.accepting for one in loops) or any(
        name_of(frame) == "accept" and (library_frame(frame) or package_of(frame))
        for task in tasks
        for frame in task.python_stack or ()
    )


def tasks_of_package(enders: Sequence[str], first: NodeId, words: Words) -> str:
    """What the tasks do that the package of all these functions runs for itself, and that may come
    to them; empty: there are none."""
    packages = {one.partition("'s ")[0] if "'s " in one else "" for one in enders}
    tasks = [
        one
        for one in words.capture.tasks
        if one.pid == first.pid and one.id != first and own_package(one) in packages
    ]
    return clauses([doing(one, words) for one in tasks[:NAMES_LISTED]], len(tasks), NAMES_LISTED)


def _listening(first: NodeId, words: Words) -> str:
    """``; its event loop hears only aiozmq's _ZmqLooplessTransportImpl``, of a task whose loop
    watches nothing but what objects of packages read by themselves, and has no timers."""
    actor = words.actor(first)
    loops = [one for one in words.capture.event_loops if one.pid == first.pid]
    if not isinstance(actor, Task) or len(loops) != 1 or loops[0].timers != 0:
        return ""
    (loop,) = loops
    if not loop.listeners or loop.watched != len(loop.listeners):
        return ""
    alone = no_connection(first.pid, words.capture)
    return f"; its event loop hears only {joined(loop.listeners)}{alone}"
