"""Who waits, in other processes, for those that stand at the end of a chain: the outermost first.

Besides the waits of the graph these are whom no edge leads from: the requests of a server that wait
for its engine, who has sent a command to its workers and polls for the answer, and the ranks of a
job that have come to an operation which another one has not. All of them are inferred.
"""

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.jobs import Inside, by_place, named, rank_thread
from hangtui.findings.message_rings import answerer
from hangtui.findings.outside.rank_elsewhere import divided
from hangtui.findings.pool_workers import started_by
from hangtui.findings.protocols import awaits_answer, requested, servers_of
from hangtui.findings.roles import places_of, ranks_among
from hangtui.findings.stack_queries import below_application, main_thread
from hangtui.findings.words import Actor, Words, words_of
from hangtui.model import Capture, NodeId, NodeKind, Pid, Thread

_MOST = 4
"""Processes that are told."""


class Outer(NamedTuple):
    """One that waits for the process before it in the order in which they were found."""

    actor: NodeId
    """A main thread; the first of the tasks that are requests."""
    inferred: bool
    ranks: str = ""
    """Of one of several ranks that wait at the same line: all of these, ``ranks 0-2, 4-511``."""
    requests: int = 0
    """How many wait alike there; 0: it is none."""
    toward: Pid | None = None
    """The process whose answer it waits for now, as the ring of its messages tells."""


@lru_cache(maxsize=8)
def outside_in(capture: Capture, graph: WaitGraph, nodes: tuple[NodeId, ...]) -> tuple[Outer, ...]:
    """Who waits in other processes for *nodes*, the outermost first: each for the process of the
    next one, the last for one of *nodes*."""
    ranks = ranks_among(capture)
    mains = [
        main
        for process in capture.processes
        if (
            main := rank_thread(process, capture)
            if ranks.get(process.pid)
            else main_thread(process)
        )
    ]
    if not nodes or len(mains) < 2:
        return ()
    inside = {node.pid for node in nodes}
    found: list[Outer] = []
    reached: tuple[NodeId, ...] = nodes
    while len(found) < _MOST:
        others = [main for main in mains if main.pid not in inside]
        following = next(_waiting(capture, graph, reached, others), None)
        if following is None and found and found[0].requests:
            following = next(_clients(graph, found[0].actor.pid, others), None)
        if following is None:
            break
        found.insert(0, following)
        inside.add(following.actor.pid)
        reached = (following.actor,)
    return tuple(found)


def _waiting(
    capture: Capture, graph: WaitGraph, reached: tuple[NodeId, ...], mains: Iterable[Thread]
) -> Iterator[Outer]:
    """Who of *mains*, or which requests in their processes, wait for one of *reached*: those first
    of whom it is known, and of the others those that wait for nobody else as well."""
    behind = set(graph.behind_all(reached))
    pids = {node.pid for node in reached}
    for main in mains:
        if main.id in behind and below_application(main):
            yield Outer(main.id, inferred=False)
    yield from _ranks(pids, mains, words_of(capture, graph))
    for main in mains:
        if awaits_answer(main) and _children(capture, main.pid) & pids:
            worker = answerer(main.pid, capture)
            toward = worker.pid if worker and worker.pid in pids else None
            yield Outer(main.id, inferred=True, toward=toward)
    yield from _requests(capture, pids, {main.pid for main in mains})


def _children(capture: Capture, pid: int) -> set[int]:
    return {process.pid for process in started_by(pid, capture)}


def _ranks(pids: Collection[int], mains: Iterable[Thread], words: Words) -> Iterator[Outer]:
    """Ranks that wait for one whose process is among *pids*, and which is elsewhere."""
    for inside, missing in divided(words.capture):
        away = any(thread.pid in pids for thread in missing)
        if not away or any(thread.pid in pids for thread, _ in inside):
            continue
        waiting = {thread.id for thread, _ in inside}
        for main in mains:
            if main.id in waiting:
                yield Outer(main.id, inferred=True, ranks=_alike(main, inside, words))


def _alike(main: Thread, inside: Iterable[Inside], words: Words) -> str:
    """The ranks that wait where *main* does, if there are more."""
    found = (those for *_, those in by_place(inside) if main in those)
    those = next(found, [])
    numbered = places_of(words.capture).keys() >= {thread.pid for thread in those}
    return named(those, words) if numbered and those[1:] else ""


def _requests(capture: Capture, pids: Collection[Pid], others: Collection[Pid]) -> Iterator[Outer]:
    """The requests of a server that wait for its engine, whose process is among *pids*."""
    for engine in filter(None, map(capture.process, pids)):
        kinds = servers_of(engine) if engine.ppid in others else ()
        if not kinds:
            continue
        server = capture.process(engine.ppid)
        threads = server.threads if server else ()
        tasks = [task for task in capture.tasks if task.pid == engine.ppid]
        actors: list[Actor] = [*tasks, *threads]
        found = [one.id for one in actors if requested(one, kinds)]
        if found:
            yield Outer(found[0], inferred=True, requests=len(found))


def _clients(graph: WaitGraph, server: Pid, mains: Iterable[Thread]) -> Iterator[Outer]:
    """Who waits for data over a connection whose other end a server has, all of whose requests
    that are known wait as well."""
    for main in mains:
        wait = graph.wait_of(main.id)
        if wait is None or wait.target.kind is not NodeKind.SOCKET:
            continue
        ends = {hold.target.pid for hold in graph.holders_of(wait.target)}
        if ends == {server} and below_application(main):
            yield Outer(main.id, inferred=True)
