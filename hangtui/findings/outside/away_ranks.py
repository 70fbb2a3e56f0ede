"""What a rank does that is not where the others of its job wait for it."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Edge, Relation
from hangtui.analysis.wakers import coming
from hangtui.findings.actors import ACTOR_TITLE, rests_as_actor
from hangtui.findings.awaited_signals import for_signals
from hangtui.findings.collectives import asks_store, collective, exchange
from hangtui.findings.enders import enders, only
from hangtui.findings.english import lasting
from hangtui.findings.exits import exit_function
from hangtui.findings.library_calls import awaited_in_library
from hangtui.findings.looked import looked_at, polled_by
from hangtui.findings.message_rings import unread_by
from hangtui.findings.on_the_way import onward
from hangtui.findings.onward import chain, links, told_last, told_there
from hangtui.findings.outside.due import in_hand
from hangtui.findings.outside.message_peers import awaited
from hangtui.findings.outside.others_in_library import others_in_library
from hangtui.findings.outside.rank_waits import works
from hangtui.findings.outside.store_waits import awaits_key, key_goal
from hangtui.findings.package_queries import library_wait
from hangtui.findings.polled import told_changes
from hangtui.findings.protocols import awaits_command
from hangtui.findings.rpc_calls import answering, remote_call
from hangtui.findings.rpc_calls import awaited as awaited_answer
from hangtui.findings.stack_queries import at, kind_of, main_thread, own_frame, way_of
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Thread

_ONE_WAY = ("broadcast", "scatter", "recv")
"""How operations begin in which one rank hands out what it has, when it has something."""
_HEARS = frozenset({"accept", "message"})


def leads_at_rest(operation: str, missing: Sequence[Thread], words: Words) -> bool:
    """Whether those who are missing hand out what comes from outside, and nothing has come: each
    waits for somebody to connect, for input, or for what a thread that waits so may hand it."""
    return operation.startswith(_ONE_WAY) and all(_hears(one, words) for one in missing)


def _hears(thread: Thread, words: Words) -> bool:
    wait = words.graph.wait_of(thread.id)
    if wait is None:
        return False
    if words.operation(wait) in _HEARS:
        return True
    process = words.capture.process(thread.pid)
    takes = kind_of(wait, words) is NodeKind.QUEUE and way_of(wait, words) == "get"
    others = [one for one in (process.threads if process else ()) if one is not thread]
    edges = (edge for one in others for edge in words.graph.waits_of(one.id))
    return takes and any(words.operation(edge) in _HEARS for edge in edges)


def at_its_end(thread: Thread, words: Words) -> Thread | None:
    """The main thread of a rank whose program is over: its exit waits for what is left."""
    process = words.capture.process(thread.pid)
    main = main_thread(process) if process else None
    return main if main is not None and exit_function(main) else None


def idle_actor(thread: Thread, words: Words) -> str:
    """``the actor Stage of Ray``, of a rank that is one and runs nothing; else empty."""
    process = words.capture.process(thread.pid)
    if process is None or not rests_as_actor(process):
        return ""
    return f"the actor {(process.role or '').removeprefix(ACTOR_TITLE)} of Ray"


def in_library(thread: Thread, words: Words) -> str:
    """``, in zmq, for a message of another socket``: what it waits for in a package, where the
    graph has nothing that it waits for."""
    package = library_wait(thread)
    waits = thread.asleep and package is not None and words.graph.wait_of(thread.id) is None
    goal = awaited_in_library(thread) if waits else None
    return f", in {package}, {goal}" if goal else ""


def told_away(thread: Thread, words: Words) -> str:
    """``Rank 1 (process 7) is elsewhere at save.py:9 (save)``, and what keeps it there."""
    found = chain(thread.id, words)
    inside = "" if found else in_library(thread, words)
    call, signals = remote_call(thread, words.capture), for_signals(thread)
    goal = _goal(thread, found, inside, words)
    name = words.process_name(thread.pid)
    if protocol := awaits_command(thread):
        told_of = f"waits for its next command ({protocol.name})"
        return f"{name[:1].upper()}{name[1:]} {told_of}{_answered(thread, words)}"
    if actor := idle_actor(thread, words):
        return f"{name[:1].upper()}{name[1:]} is {actor}, which runs no call now"
    place = f"{at(own_frame(thread))}{goal}"
    if exit_ := at_its_end(thread, words):
        beside = "" if exit_ is thread else f", where its thread {thread.name} is still"
        place = f" at the end of its program{beside}{place}"
    else:
        place = f" {'at work ' if works(thread, words) else ''}elsewhere{place}"
    told = [f"{name[:1].upper()}{name[1:]} is{place}"]
    if asks_store(thread) and not call and not signals:
        return told[0]
    if call is not None:
        return f"{told[0]}. {answering(thread, words).removesuffix('.')}".removesuffix(". ")
    if inside:
        others = others_in_library(thread.pid, library_wait(thread) or "", words)
        return f"{told[0]}.{others.removesuffix('.')}".removesuffix(".")
    ends = _other_end(found, words)
    behind = "" if ends or not found else _behind(found[-1], words)
    return ", ".join([*told, *links(found, words)]) + ends + behind


def _goal(thread: Thread, found: Sequence[Edge], inside: str, words: Words) -> str:
    """What it waits for there; *inside*: that of a package."""
    if call := remote_call(thread, words.capture):
        return f", waiting {awaited_answer(call)}"
    if signals := for_signals(thread):
        return f", waiting{signals}"
    if asks_store(thread):
        return ", waiting for a key that another rank has to set in the job's store"
    if operation := exchange(thread):
        return f" in {operation}, {awaited(thread, words.capture)}"
    if inside:
        return inside.replace(", in", ", waiting in", 1)
    return f", waiting {words.goal(found[0])}" if found else _by_the_clock(thread, words)


def _answered(thread: Thread, words: Words) -> str:
    """``, and has taken all that were sent``, of a worker, as the rings of its messages tell."""
    left = unread_by(thread.pid, words.capture)
    if left is None:
        return ""
    return ", which lies in its ring of messages" if left else ", and has taken all that were sent"


def _other_end(found: list[Edge], words: Words) -> str:
    """``, where MainThread of process 12 waits in all_gather``: what those do who could end the
    last wait of a chain; ``, and sleeps at feed.py:3 (pause)`` of who is at its end."""
    if not found:
        return ""
    if found[-1].relation is not Relation.WAITS_FOR:
        return told_last(found, words)
    last = words.thread(found[-1].source)
    if last is None:
        return ""
    there = in_hand(last, words)
    operation = collective(there[0]) if len(there) == 1 else None
    if operation and there[0].pid != last.pid:
        name = words.thread_name(there[0])
        return f", where {name} waits in {operation} until every rank of its group has called it"
    return told_there(last, words)


def _behind(last: Edge, words: Words) -> str:
    """``. Only upload is seen on the way to ready.set() (app.py:3), which would end that: ...``,
    of the last wait of a chain, for what nobody holds."""
    if last.relation is not Relation.WAITS_FOR or words.graph.holders_of(last.target):
        return ""
    able = enders(last, words)
    if len(able) == 1 and isinstance(able[0], Thread) and awaits_key(able[0]):
        wakers = coming(words.graph, last.target, way_of(last, words))
        name = words.thread_name(able[0])
        key = f"waits{at(own_frame(able[0]))} {key_goal(able[0], words.capture)}"
        return f". {only([name], wakers, words.actor(last.source))}: {name} {key}"
    text = onward(last.source, words).text
    return text and f".{text.removesuffix('.')}"


def _by_the_clock(thread: Thread, words: Words) -> str:
    """``, where it looks again and again at os.path.exists() of /tmp/index, which is not there``;
    or how long it sleeps."""
    polled = polled_by(thread.id, words)
    if polled is None:
        return _asleep(thread)
    changes = told_changes(thread.id, words).removesuffix(".")
    return f", where it looks again and again at {looked_at(polled)}{changes and f'.{changes}'}"


def _asleep(thread: Thread) -> str:
    """``, asleep for another 59 min``."""
    sleep = thread.syscall.sleep if thread.syscall else None
    left = sleep.left_s if sleep else None
    return f", asleep for another {lasting(left)}" if left is not None and left >= 1 else ""
