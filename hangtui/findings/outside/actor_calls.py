"""Calls that wait before an actor: in its queue, or because no worker is that actor."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.actors import remote_wait, runs_nothing
from hangtui.findings.english import counted, joined, listed
from hangtui.findings.on_the_way import onward
from hangtui.findings.outside.cluster_waits import is_unborn
from hangtui.findings.outside.cluster_workers import Workers
from hangtui.findings.outside.peer_chain import BACK
from hangtui.findings.stack_queries import at_own_line, below_application, does, main_thread
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes
from hangtui.model import Certainty, LoopState, NodeKind, Thread, thread_id


def queued(wait: Edge, words: Words) -> str:
    """`` It runs one method at a time, and 3 callers wait for it, so that at least 2 of their calls
    are in its queue: ...``; empty: it may run them all, or nothing is known of others."""
    holds = words.graph.holders_of(wait.target)
    one = wait.target.kind is NodeKind.ACTOR and len(holds) == 1
    if not one or holds[0].evidence.certainty is not Certainty.PROVEN:
        return ""
    callers = dict.fromkeys(edge.source for edge in words.graph.waiters_of(wait.target))
    # Who waits for several actors may have got the result of this one.
    alone = [one for one in callers if len(words.graph.waits_of(one)) == 1]
    threads = words.threads([one for one in alone if one != holds[0].target])
    if len(threads) < 2:
        return ""
    left = len(threads) - 1
    calls = "1 of their calls is" if left == 1 else f"{left} of their calls are"
    return (
        f" It runs one method at a time, and {counted(len(threads), 'caller')} wait for it, so "
        f"that at least {calls} in its queue: {listed([_caller(one, words) for one in threads])}."
    )


def _caller(thread: Thread, words: Words) -> str:
    """``MainThread of process 7 at main.py:9 (buy), for cart.add()``."""
    wait = remote_wait(thread.id, words)
    known = words.wait(wait) if wait else None
    asks = f", for {known.asks}" if known and known.asks else ""
    return f"{words.thread_name(thread)}{at_own_line(thread)}{asks}"


def at_rest(wait: Edge, there: Workers, words: Words) -> str:
    """That the actor which is waited for was captured, and runs nothing: so its call has not begun;
    and what runs meanwhile. Else empty."""
    resource = words.resource(wait.target)
    resting = {process.pid: process for process in there.resting}
    actor = resting.get(resource.pid) if resource else None
    if wait.target.kind is not NodeKind.ACTOR or actor is None or actor.pid == wait.source.pid:
        return ""
    if not runs_nothing(actor, words):
        return ""
    return (
        f"{words.process_name(actor.pid)} runs no method now: that call has not begun. It waits "
        "for its arguments (results of other tasks or methods that it was given), or behind a call "
        "that does, since Ray begins the calls of one caller in their order; or it is on its way."
        f"{_meanwhile(there, words)}"
    )


def in_loops(wait: Edge, words: Words) -> str:
    """What coroutines of the application wait for in the actor that has to answer; empty: it has
    none, or was not captured."""
    resource = words.resource(wait.target)
    process = words.capture.process(resource.pid) if resource else None
    if process is None or wait.target.kind is not NodeKind.ACTOR or process.pid == wait.source.pid:
        return ""
    if (blocked := blocked_loop(wait, words)) is not None:
        on = onward(blocked.id, words)
        back = BACK if wait.source in on.told else ""
        return (
            f"{words.process_name(process.pid)} runs its methods in an event loop. There "
            f"{does(blocked, words, alone=False)}, inside of one of them, and no other one begins "
            f"or goes on meanwhile.{on.text}{back}"
        )
    tasks = [one for one in words.capture.tasks if one.pid == process.pid]
    waits = [words.graph.wait_of(one.id) for one in tasks if below_application(one)]
    told = [f"{words.name(one.source)} {words.waiting(one)}" for one in waits if one]
    if not told:
        return ""
    return (
        f"{words.process_name(process.pid)} runs its methods in event loops. There "
        f"{joined(told[:NAMES_LISTED])}.{_would_end_them(wait, words)}"
    )


def ends_waits_of_others(wait: Edge, words: Words) -> list[str]:
    """The functions of the program, all of them the very method that is asked for, that alone would
    end what each task of the actor's event loops waits for: the call has not begun. Else empty."""
    resource, known = words.resource(wait.target), words.wait(wait)
    asked = (known.asks or "").partition("(")[0].rpartition(".")[2] if known else ""
    if resource is None or not asked or wait.target.kind is not NodeKind.ACTOR:
        return []
    tasks = [one for one in words.capture.tasks if one.pid == resource.pid]
    waits = [words.graph.wait_of(one.id) for one in tasks if below_application(one)]
    ends: dict[str, None] = {}
    for one in waits:
        target = words.resource(one.target) if one else None
        if one is None or target is None or not target.enders or not nobody_comes(one, words):
            return []
        ends.update(dict.fromkeys(target.enders))
    same = all(end.partition(" (")[0].rpartition(".")[2] == asked for end in ends)
    return list(ends) if same else []


def _would_end_them(wait: Edge, words: Words) -> str:
    ends = ends_waits_of_others(wait, words)
    if not ends:
        return ""
    return (
        f" Only {joined(ends)} would let these go on, and that is the very call which is asked for "
        "here: it has not begun. An actor begins no more calls at a time than its max_concurrency, "
        "and those that wait take up places of it."
    )


def blocked_loop(wait: Edge, words: Words) -> Thread | None:
    """The thread of the only event loop of the actor that has to answer, if it stands below a line
    of the application and waits there itself: it runs nothing else meanwhile."""
    resource = words.resource(wait.target)
    if resource is None or wait.target.kind is not NodeKind.ACTOR:
        return None
    loops = [one for one in words.capture.event_loops if one.pid == resource.pid and one.tid]
    thread = words.thread(thread_id(loops[0].pid, loops[0].tid)) if len(loops) == 1 else None
    if thread is None or loops[0].state is not LoopState.BUSY or not below_application(thread):
        return None
    return thread if words.graph.wait_of(thread.id) else None


def blocked_by_asker(waits: Sequence[Edge], words: Words) -> bool:
    """Whether the loop that is to answer waits, in turn, for the one who asks."""
    blocked = blocked_loop(waits[0], words) if len(waits) == 1 else None
    return blocked is not None and waits[0].source in onward(blocked.id, words).told


def in_process(wait: Edge, words: Words) -> str:
    """``Now MainThread of DataLoader worker (process 8) waits at ...``, of a worker that is known
    by its process; empty: it was not captured, or is an actor, which may run several calls."""
    resource = words.resource(wait.target)
    process = words.capture.process(resource.pid) if resource else None
    main = main_thread(process) if process else None
    if wait.target.kind is not NodeKind.WORKER or main is None or main.pid == wait.source.pid:
        return ""
    return f"Now {does(main, words)}."


def _meanwhile(there: Workers, words: Words) -> str:
    """`` Meanwhile MainThread of ray::convert (process 7) sleeps at main.py:29 (convert).``"""
    serving = (one for one in words.capture.processes if one.pid in there.serving)
    threads = [thread for one in serving for thread in one.threads if below_application(thread)]
    told = [does(thread, words) for thread in threads[:NAMES_LISTED]]
    return f" Meanwhile {joined(told)}." if told else ""


def not_there(wait: Edge, there: Workers, words: Words) -> str:
    """That no process which was captured is the actor that is waited for; else empty."""
    if not is_unborn(wait, words):
        return ""
    if not _all_captured(there, words):
        starts = " A worker of Ray is being started now." if there.starting else ""
        return (
            "None of the processes that were captured is that actor: it has not been started yet, "
            f"is being started anew, or was not captured.{starts}"
        )
    return (
        "None of the workers of its cluster, which has one node, is that actor: it has not been "
        "started yet, or is being started anew. Of one that has ended for good Ray would tell who "
        "waits for it."
    )


def _all_captured(there: Workers, words: Words) -> bool:
    if there.starting or there.scheduler is None or there.scheduler.nodes != 1:
        return False
    nodes = [one for one in words.capture.processes if one.around and one.around.ray_node]
    children = [child for one in nodes if one.around for child in one.around.children or ()]
    found = [words.capture.process(child.pid) for child in children if child.state not in "ZX"]
    return bool(found) and all(one is not None and not one.incomplete for one in found)
