"""Functions of the program that would end a wait, in words: who would have to call them."""

from collections.abc import Iterable, Sequence

from hangtui.analysis.places import package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import SCHEDULERS, coming
from hangtui.findings.ended import told_any_gone, told_threads_gone
from hangtui.findings.english import clauses, joined, listed
from hangtui.findings.heard_by_loop import told_heard
from hangtui.findings.inert import OF_THE_PROCESS
from hangtui.findings.on_the_way import onward
from hangtui.findings.other_end import told_sender
from hangtui.findings.own_pipes import told_own_pipe
from hangtui.findings.package_queries import package_entry
from hangtui.findings.pools import position
from hangtui.findings.protocol_calls import told_without
from hangtui.findings.resources import given_back_by_nobody, releases_nobody
from hangtui.findings.run_elsewhere import (
    code_by_name,
    inside_elsewhere,
    is_inside,
    nobody_inside,
    told_elsewhere,
)
from hangtui.findings.stack_queries import does, main_thread
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.to_come import told_by_name
from hangtui.findings.waiting_inside import named_inside, who_runs
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeId, NodeKind, Resource, Thread

_NOBODYS = frozenset(
    {NodeKind.CONDITION, NodeKind.EVENT, NodeKind.FUTURE, NodeKind.QUEUE, NodeKind.SEMAPHORE}
)
"""What nobody has."""
_OF_THE_PROGRAM = _NOBODYS - {NodeKind.FUTURE, NodeKind.QUEUE}


def told_written(resource: Resource | None, actor: Actor, words: Words | None = None) -> str:
    """`` The program does so in fetch (crawl.py:19), which nobody runs.``, of a wait of *actor* for
    *resource*; those that it is inside of itself come to it only once the wait has ended, or not
    at all. Empty: none are known. *words*: of the capture, if other processes may run them."""
    known, own = resource.enders if resource else (), own_code(resource, actor)
    away = inside_elsewhere(known, resource.id, words) if resource and words else {}
    idle = [one for one in known if one not in own and one not in away]
    lock = resource is not None and resource.kind is NodeKind.LOCK
    does = "gives it back" if lock else "does so"
    text = f" The program {does} in {who_runs(idle, resource, actor, words)}." if idle else ""
    if idle and words is not None:
        text += told_by_name(resource, words)
    if idle and words is not None:
        text += told_without(idle, actor.pid, words)
    if resource is not None and words is not None and away:
        text += told_elsewhere(away, resource.id, words)
    if own:
        also = " also" if idle else ""
        names = named_inside(own, resource, actor, words)
        alike = f", as is that of {names}" if names else ""
        text += (
            f" The program{also} {does} in {joined(own)}, which this wait is inside of{alike}: "
            "nobody else runs that."
        )
    if resource is not None and resource.called_back and not text:
        text = f" {joined(resource.called_back)} would do so; no stack is inside of that."
    if inside := code_by_name(resource, actor):
        who = "thread" if isinstance(actor, Thread) else "task"
        return (
            f" By its name, {joined(inside)} would do so, which this wait is inside of: this "
            f"{who} comes to that once more only when it has returned."
        )
    if resource is not None and resource.alike and resource.unbegun is None and not text:
        text = f" By its name, {joined(resource.alike)} would do so"
        if words is not None and nobody_inside(resource.alike, actor.pid, words):
            text += "; no stack is inside of that."
        else:
            text += (
                ": to what is taken out of something there, from which nothing leads to this one. "
                "Another one may have come in its place, or it was taken out before."
            )
    if resource is not None and (queue := resource.own_queue):
        text += (
            f" An item that leads to it lies in the queue {queue.name}, from which only "
            f"{queue.taken_in} is seen to take, further out on this very stack: it waits for what "
            "it would do next itself."
        )
    return text


def lost_in_title(resource: Resource | None, pid: int | None, words: Words) -> str:
    """``; by its name Client.dispatch (client.py:32) would, but nothing leads from there to it``,
    or ``, and no stack is in it``, of what only code that goes by its name would end the wait for;
    empty: none is known. *pid*: of who waits."""
    if resource is None or not resource.alike or resource.called_back:
        return ""
    waiting = [words.actor(edge.source) for edge in words.graph.waiters_of(resource.id)]
    if any(code_by_name(resource, one) for one in waiting if one):
        return ""
    unrun = nobody_inside(resource.alike, pid, words)
    them = "it" if len(resource.alike) == 1 else "any of them"
    rest = f"and no stack is in {them}" if unrun else "but nothing leads from there to it"
    return f"; by its name {joined(resource.alike)} would, {rest}"


def led_to_by_none(wait: Edge, words: Words) -> str:
    """``; nothing but this wait leads to it any more``, of what somebody was meant to end the wait
    for, by code that is known, or by its kind; empty: others may still do so. An event, say, that
    no code sets may be there to wait for good."""
    resource = words.resource(wait.target)
    others = {one.candidate for one in words.graph.wakers_of(wait.target)} - {wait.source}
    if resource is None or not resource.unshared or others or not resource.wakers_known:
        return ""
    meant = resource.enders or resource.kind in (NodeKind.CONDITION, NodeKind.SEMAPHORE)
    return "; nothing but this wait leads to it any more" if meant else ""


def told_sharing(wait: Edge, words: Words) -> str:
    """`` Nobody refers to it besides but MainThread, at main.py:29 (find), ...``, of what only
    variables of frames lead to; empty: others may."""
    resource = words.resource(wait.target)
    wakers = {one.candidate for one in words.graph.wakers_of(wait.target)} - {wait.source}
    others = [one for one in map(words.actor, sorted(wakers)) if one is not None]
    if resource is None or not resource.unshared or not others:
        return ""
    places = [
        f"{words.actor_name(one)}{f', at {where}' if (where := position(one)) else ''}"
        for one in others[:NAMES_LISTED]
    ]
    names = listed(places + [""] * (len(others) - len(places)))
    act = OF_THE_PROCESS.get(resource.kind, "end the wait for")
    return f" Nobody refers to it besides but {names}, and no code ahead there is seen to {act} it."


def elsewhere(wait: Edge, words: Words) -> list[Thread]:
    """The main threads of the other processes that have what is waited for, too: what their code
    comes to is not looked for there."""
    resource = words.resource(wait.target)
    pids = set(resource.sharers if resource else ()) - {wait.source.pid}
    others = filter(None, map(words.capture.process, sorted(pids)))
    return [main for one in others if (main := main_thread(one)) is not None]


def who_else(others: Sequence[Thread], words: Words) -> str:
    """`` Who else has it: MainThread of process 12 sleeps at main.py:9 (main).``, of `elsewhere`;
    empty: nobody."""
    return f" Who else has it: {clauses([does(one, words) for one in others])}." if others else ""


def short_else(wait: Edge | None, words: Words) -> str:
    """``; MainThread of process 12, which has it as well, waits at main.py:9 (main) for ...``, of
    what only one other process has, besides those that wait for it as well; empty: several have it,
    or none."""
    others = [one for one in elsewhere(wait, words) if not _also(one, wait, words)] if wait else []
    if len(others) != 1:
        return ""
    name = words.thread_name(others[0])
    does_so = does(others[0], words).removeprefix(f"{name} ")
    return f"; {name}, which has it as well, {does_so}"


def _also(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether it waits for the same, to do the same with it."""
    own = words.graph.wait_of(thread.id)
    same = own is not None and own.target == wait.target
    return same and own is not None and words.operation(own) == words.operation(wait)


def own_code(resource: Resource | None, actor: Actor) -> list[str]:
    """Those of them that *actor*, who waits, is inside of."""
    running = {frame.function.rpartition(".")[2] for frame in actor.python_stack or ()}
    return [
        one
        for one in (resource.enders if resource else ())
        if is_inside(actor, one) or ("'s " in one and _name(one) in running)
    ]


def only_inside(wait: Edge, actor: Actor, act: str, words: Words) -> str:
    """``; what is to set it, fetch (crawl.py:19), is itself inside of this wait``: that the only
    code of the program's that would end a wait is what *actor* waits in; empty: it is not so."""
    resource = words.resource(wait.target)
    own = own_code(resource, actor)
    if resource is None or not own or len(own) < len(resource.enders):
        return ""
    return f"; what is to {act}, {joined(own)}, is itself inside of this wait"


def nobody_comes(wait: Edge, words: Words) -> bool:
    """Whether all threads and tasks were looked at, and none is on the way to end a wait."""
    resource = words.resource(wait.target)
    known = resource is not None and resource.wakers_known and resource.kind in _NOBODYS
    known = known and resource is not None and resource.timer_s is None
    # A result of another process's work is set by a library's own thread.
    if wait.target.kind is NodeKind.FUTURE and wait.source.kind is NodeKind.THREAD:
        return False
    return known and not coming(words.graph, wait.target, words.method(wait))


def brought_by_nobody(wait: Edge, actor: Actor, words: Words) -> bool:
    """Whether *actor* waits, on a line of the program's own, for what nobody is on the way to do,
    and no code that is known would, whoever calls it. Who sets a library's future is not known."""
    resource = words.resource(wait.target)
    entry = package_entry(actor)
    of_package = entry is not None and package_of(entry) not in SCHEDULERS
    if resource is None or wait.expires or of_package:
        return False
    if given_back_by_nobody(resource):
        return True
    known = not (resource.enders or resource.called_back or resource.alike)
    return known and resource.kind in _OF_THE_PROGRAM and nobody_comes(wait, words)


def told_unended(wait: Edge, actor: Actor, words: Words) -> str:
    """`` No thread and no task that is there is seen on the way to end that.``, and which code of
    the program would; empty: somebody is, or may be."""
    resource = words.resource(wait.target)
    if given_back_by_nobody(resource):
        known = f" It is locked, but {releases_nobody(resource)}."
    elif nobody_comes(wait, words):
        known = " No thread and no task that is there is seen on the way to end that."
    else:
        return ""
    return known + told_written(resource, actor, words)


def told_stuck(ender: Actor, words: Words) -> str:
    """`` No thread and no task that is there is seen on the way to end the wait of feeder for
    jobs.``, of who could end another wait, and waits itself; of who waits for what comes over a
    connection, who could send that; empty: somebody is on the way, or may be."""
    wait = words.graph.wait_of(ender.id)
    if wait is not None and (own := told_own_pipe(wait, words)):
        return own
    if wait is None or not nobody_comes(wait, words):
        return ""
    if sender := told_sender(wait, words):
        return sender
    return (
        " No thread and no task that is there is seen on the way to end the wait of "
        f"{words.actor_name(ender)} {words.goal(wait)}.{told_heard(wait, words)}"
    )


def told_alone(thread: Actor, words: Words) -> str:
    """What `told_stuck` says of one who may have no part in it, where it is known as well which
    code would end his wait."""
    wait = words.graph.wait_of(thread.id)
    if wait is None:
        return ""
    if own := told_own_pipe(wait, words):
        return own
    code = told_written(words.resource(wait.target), thread, words)
    return f"{told_stuck(thread, words)}{code}" if code and nobody_comes(wait, words) else ""


def at_the_end(told: Iterable[NodeId], words: Words) -> str:
    """That one of a chain of actors waits for what nobody comes to."""
    actors = [one for one in map(words.actor, sorted(told)) if one is not None]
    return next(filter(None, (told_stuck(one, words) for one in actors)), "")


def told_code(told: Iterable[NodeId], words: Words) -> str:
    """The same, with the code that would end that; empty: it is not known, or somebody comes."""
    actors = [one for one in map(words.actor, sorted(told)) if one is not None]
    return next(filter(None, (told_alone(one, words) for one in actors)), "")


def told_end(actors: Sequence[Actor], words: Words) -> str:
    """What the only one of *actors* waits for in the end, as sentences, and that nobody comes to
    that; empty: it is not known, or they are several."""
    if len(actors) != 1:
        return ""
    on = onward(actors[0].id, words)
    return f"{on.text}{at_the_end(on.told, words)}"


def _name(ender: str) -> str:
    """``fetch``, of ``Crawler.fetch (crawl.py:19)``."""
    return ender.partition(" (")[0].rpartition(".")[2]


def told_unrun(waits: Iterable[Edge], words: Words) -> str:
    """What `told_written` says of the first of *waits* of which it says something; of what is taken
    and given back by nobody, that first."""
    for target, wait in {one.target: one for one in waits}.items():
        actor, resource = words.actor(wait.source), words.resource(target)
        taken = given_back_by_nobody(resource)
        if actor is None or not (taken or nobody_comes(wait, words)):
            continue
        name = words.name(target)
        locked = f" {name} is locked, but {releases_nobody(resource)}." if taken else ""
        if text := f"{locked}{told_written(resource, actor, words)}":
            return text
    return ""


def told_gone(wait: Edge, words: Words) -> str:
    """`` Threads of it that have ended: prefetch.``, where what the program would do to end the
    wait is known, and nobody runs it: one of these may have been to."""
    resource = words.resource(wait.target)
    pid = wait.source.pid
    if resource is None or not nobody_comes(wait, words):
        return ""
    process, name = words.capture.process(pid), words.process_name(pid)
    if resource.enders:
        return told_threads_gone(process, name)
    unrun = bool(resource.alike) and nobody_inside(resource.alike, pid, words)
    return told_any_gone(process, name) if unrun else ""
