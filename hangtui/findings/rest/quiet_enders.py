"""Who could end the first wait of a process that makes no progress, as far as that is known."""

from collections.abc import Sequence

from hangtui.analysis.places import application_index, library_frame, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.awaited_signals import sent_by_whom
from hangtui.findings.collectives import ONLY_RANKS, awaited_of_ranks
from hangtui.findings.doing import doing, own_package
from hangtui.findings.ended import told_any_gone, told_threads_gone
from hangtui.findings.enders import enders
from hangtui.findings.english import clauses, either, joined, listed
from hangtui.findings.looked import polled_by
from hangtui.findings.on_the_way import whose
from hangtui.findings.other_end import (
    at_other_end,
    has_both_ends,
    held_elsewhere,
    told_other_end,
)
from hangtui.findings.outside.library_peers import asks_dns, short_there, told_there
from hangtui.findings.outside.traffic import no_connection
from hangtui.findings.package_queries import hands_over
from hangtui.findings.polled import asks_forgotten, told_changes, told_forgotten
from hangtui.findings.protocol_calls import without_connection
from hangtui.findings.resources import noted, noted_cancelled
from hangtui.findings.rest.signalled_by import short_children, told_children
from hangtui.findings.rest.unanswered import Unanswered, left_to
from hangtui.findings.run_elsewhere import inside_elsewhere, inside_others
from hangtui.findings.shapes import stops_clock
from hangtui.findings.stack_queries import below_application, does, main_thread, name_of
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.to_come import by_timer, short_by_name, short_by_signal, told_to_come
from hangtui.findings.waiting_inside import short_inside
from hangtui.findings.words import Actor, Words
from hangtui.findings.written import (
    elsewhere,
    lost_in_title,
    nobody_comes,
    only_inside,
    own_code,
    short_else,
    told_sharing,
    told_written,
    who_else,
)
from hangtui.model import (
    NodeId,
    Resource,
    Task,
    Thread,
    Watched,
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
        told = itself or _by_one(first, words) or _of_library(first, words)
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
    if idle and (own := _tasks_of_package(idle, first, words)):
        return f"; {joined(idle)} would end that, and no stack is in {them}: {own}"
    if classes := without_connection(idle, first.pid, words):
        whose = either(classes)
        return f"; {joined(idle)} would end that, and no connection of {whose} is open"
    runs = f"no stack is in {them}" if _lets_in(first, words) else f"nobody runs {them}"
    runs = short_by_name(resource, words) or runs
    return f"; {joined(idle)} would end that, and {runs}" if idle else ""


def _beside(resource: Resource, actor: Actor, words: Words) -> str:
    own = own_code(resource, actor)
    return "" if own else short_inside(resource.enders, resource, actor, words)


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


def _tasks_of_package(enders: Sequence[str], first: NodeId, words: Words) -> str:
    """What the tasks do that the package of all these functions runs for itself, and that may come
    to them; empty: there are none."""
    packages = {one.partition("'s ")[0] if "'s " in one else "" for one in enders}
    tasks = [
        one
        for one in words.capture.tasks
        if one.pid == first.pid and one.id != first and own_package(one) in packages
    ]
    return clauses([doing(one, words) for one in tasks[:NAMES_LISTED]], len(tasks), NAMES_LISTED)


def left_to_whom(connections: list[Watched], due: Unanswered | None, words: Words) -> str:
    """Who at the other end of a connection is to end the wait; empty: that is not it."""
    if connections:
        return left_to(connections, due.owed if due else "to answer", words)
    if due is None or due.says is None:
        return ""
    who = f" As far as can be seen, whoever has the other end of that is {due.owed}."
    return f"{who}{told_there(due.over, words)}{due.limit}"


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


def unheard(first: NodeId, words: Words) -> str:
    """That it is not known who should end the first wait, with what is."""
    wait, actor = words.graph.wait_of(first), words.actor(first)
    resource = words.resource(wait.target) if wait else None
    if wait and actor and (there := at_other_end(wait, words)):
        written = told_written(resource, actor, words) if nobody_comes(wait, words) else ""
        return f"{told_other_end(there, words)}{written}"
    if wait and asks_dns(wait, words):
        return (
            " The name server has to answer; before it gives up, the resolver asks again, and "
            "other name servers if it knows any (options timeout and attempts of resolv.conf)."
        )
    if wait and (server := _left_to_serve(wait, words)):
        return server
    unknown = f" Who should end that is not known{noted(resource)}"
    process = words.capture.process(first.pid) if first.pid else None
    if isinstance(actor, Thread) and process and (signals := sent_by_whom(actor, process)):
        return f"{signals}{told_children(first, words)}"
    if isinstance(actor, Thread) and awaited_of_ranks(actor):
        return f" {ONLY_RANKS}"
    if told := told_to_come(resource, first.pid):
        return told
    if wait is None or actor is None or not nobody_comes(wait, words):
        return f"{unknown}.{noted_cancelled(resource)}"
    shared = f" in process {first.pid}" if (others := elsewhere(wait, words)) else ""
    nobody = f"no thread and no task that is there{shared} is seen on the way to"
    written = told_written(resource, actor, words)  # then it is known which code should
    seen = f"{unknown}: {nobody} do so"
    if written:
        seen = f" {nobody.capitalize()} end that{noted(resource)}"
    told = f"{written}{told_sharing(wait, words)}"
    if own := _tasks_of_package(resource.enders if resource else (), first, words):
        told += f" Meanwhile {own}."
    return f"{seen}.{told}{who_else(others, words)}"


def _left_to_serve(wait: Edge, words: Words) -> str:
    """`` oven was left to cheroot to serve (Server.serve), and ends once somebody stops that: who
    should is not known.``, of who waits for such a thread to end; of one that waits for work in
    the program's own code that; empty: it waits for somebody else."""
    server = words.actor(wait.target)
    stack = (server.python_stack if isinstance(server, Thread) else None) or ()
    index = application_index(stack)
    if isinstance(server, Thread) and index is None:
        return _package_alone(server, words)
    if index is None or not isinstance(server, Thread):
        return ""
    if not index or not hands_over(stack, index):
        its = words.graph.wait_of(server.id)
        rests = its is not None and words.method(its) == "get"
        return f" It is left to that thread to end: {does(server, words)}." if rests else ""
    called = stack[index - 1]
    whose = f" to {package}" if (package := package_of(called)) else ""
    return (
        f" {words.thread_name(server)} was left{whose} to serve ({called.function}), and ends once "
        "somebody stops that: who should is not known."
    )


def _package_alone(server: Thread, words: Words) -> str:
    """`` manager runs code of ws4py alone (Manager.run): it ends once that is done, or told
    to stop. Who should tell it is not known.``; empty: it runs that of no one package."""
    inside = [one for one in server.python_stack or () if package_of(one)]
    packages = {package_of(one) for one in inside}
    if len(packages) != 1:
        return ""
    return (
        f" {words.thread_name(server)} runs code of {packages.pop()} alone "
        f"({inside[-1].function}): it ends once that is done, or told to stop. Who should tell it "
        "is not known."
    )


def who_changes(first: NodeId, words: Words) -> str:
    """That its timeout may never run out, and who comes to change what it looks at, or what its
    children do."""
    told = f"{by_stopped_clock(first, words)}{told_changes(first, words)}"
    told += told_forgotten(first, words) or _threads_gone(first, words)
    return f"{told}{_children_do(first, words)}"


def _threads_gone(first: NodeId, words: Words) -> str:
    """`` Threads of it that have ended: house.``, of one that looks whether a package has noted
    something, or at what nobody runs the code to change; of that also how many they are, if none is
    known by its name."""
    polled, process = polled_by(first, words), words.capture.process(first.pid)
    if polled is None or polled.of_packages:
        return told_threads_gone(process) if polled else ""
    unrun = bool(polled.written) and not polled.changers and not polled.past
    unrun = unrun and not inside_others(polled.written, first.pid, words)
    return told_any_gone(process, "it") if unrun else ""


def _children_do(first: NodeId, words: Words) -> str:
    """`` What its child does meanwhile: MainThread of process 12 waits at service.py:3 (serve) for
    ...``, of the children of one that polls which run the application and were looked at; empty: it
    does not poll, or those who come to change what it looks at are told, or it has none."""
    process, polled = words.capture.process(first.pid), polled_by(first, words)
    if process is None or polled is None or told_changes(first, words):
        return ""
    around = process.around.children if process.around else None
    living = [one for one in around or () if one.state not in "ZX" and not one.helper]
    found = [child for one in living if (child := words.capture.process(one.pid))]
    mains = [main for one in found if (main := main_thread(one)) and below_application(main)]
    if not mains:
        return ""
    told = clauses([does(one, words) for one in mains[:NAMES_LISTED]], len(mains))
    one = len(mains) == 1
    return f" {'What its child does' if one else 'What its children do'} meanwhile: {told}."


def by_stopped_clock(first: NodeId, words: Words) -> str:
    """That the timeout of the first wait may never run out."""
    actor = words.actor(first)
    package = stops_clock((actor.python_stack if actor else None) or ())
    timed = isinstance(actor, Thread) and actor.syscall is not None and actor.syscall.timed
    if not package or not timed:
        return ""
    return (
        f" {package} called that line, and stops the clock of Python code unless it is told not "
        "to: a timeout that is counted by that does not run out."
    )
