"""Who only waits behind what a finding tells, as a part of its sentence."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from hangtui.analysis.places import program_frame
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.actors import REMOTE
from hangtui.findings.backlog import TOLD
from hangtui.findings.english import counted, listed
from hangtui.findings.forks import loop_left_behind
from hangtui.findings.given_work import given_work
from hangtui.findings.outside.actor_pools import told_lying
from hangtui.findings.outside.dataset_blocks import takers
from hangtui.findings.own_line_first import awaits_client, from_own_line, with_askers
from hangtui.findings.pool_workers import clients_of, serves_pool
from hangtui.findings.resources import PYTHON_LOCKS
from hangtui.findings.services import of_library
from hangtui.findings.stack_queries import (
    at,
    at_own_line,
    below_application,
    called,
    depth_of,
    name_of,
    own_frame,
)
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Finding,
    NodeId,
    NodeKind,
    Reason,
    Severity,
    Task,
    Thread,
    ThreadRef,
    thread_id,
)

_NAMED = PYTHON_LOCKS | {NodeKind.FILE_LOCK, NodeKind.QUEUE}
_ENDS = (NodeKind.SOCKET, NodeKind.PIPE)
_BEHIND = " Behind it "
"""How the sentence goes on of a rule that tells itself who waits for the thread to end."""
_RING = " behind "
"""What is in the sentence of a rule that tells itself who waits for those of a ring."""


def with_victims(
    finding: Finding, threads: Mapping[NodeId, Thread], capture: Capture, graph: WaitGraph
) -> Finding:
    """Add who only waits behind the threads and resources of a finding, beside those that its rule
    knows; of notes, behind what uses a processor, or one wait that lasts."""
    behind_note = finding.reason in (Reason.COUNTED, Reason.ONE_WAIT)
    if (finding.severity is Severity.NOTE and not behind_note) or finding.reason is Reason.CRASH:
        return finding
    own = places(finding.threads)
    roots = [node for one in finding.threads if (node := thread_id(one.pid, one.tid)) in threads]
    whole = finding.subject
    if whole and whole.kind is NodeKind.PROCESS and finding.reason is Reason.ONE_WAIT:
        roots.append(whole)  # what keeps a process as a whole keeps who waits for its end
    words = words_of(capture, graph)
    behind = graph.behind_all((*roots, *finding.resources))
    found = [threads[node] for node in behind if node in threads]
    first = [threads[node] for node in roots if node in threads]
    clients = [client for one in first for client in clients_of(one, words)]
    more = (*clients, *takers(first, words), *_callers(first, words))
    found += [one for one in dict.fromkeys(more) if one not in found]
    others = [thread for thread in found if (thread.pid, thread.tid) not in own]
    others = _without_served(others, roots, words)
    if finding.tasks:  # what a client sends need not be what these tasks are to bring
        others = [thread for thread in others if not awaits_client(thread, words)]
    # Who could end the wait, and waits for its turn, is told as that.
    awaited = [wait.target for node in roots for wait in graph.waits_of(node)]
    enders = {h.target for node in (*finding.resources, *awaited) for h in graph.holders_of(node)}
    inside = {one.pid for one in finding.threads} if finding.tells_process else set()
    told = [] if finding.tells_victims else [one for one in others if one.pid not in inside]
    behind_it = [
        one
        for one in told
        if one.id not in enders and not of_library(one, words) and not serves_pool(one)
    ]
    finding, leads = from_own_line(finding, behind_it, words)
    finding = finding if leads else with_askers(finding, others, words)
    sentence = finding.sentence
    known, told_of = (
        sentence.partition(_BEHIND)[2] + sentence.partition(TOLD)[2],
        sentence if finding.severity is Severity.NOTE else "",
    )
    behind_it = [
        one
        for one in behind_it
        if one is not leads
        and f"{words.thread_name(one)} waits" not in known
        and words.thread_name(one) not in told_of
    ]
    if behind_it:
        names = listed([f"{words.thread_name(one)}{at_own_line(one)}" for one in behind_it])
        one = len(behind_it) == 1
        sentence += (
            f" {counted(len(behind_it), 'more thread')} {'waits' if one else 'wait'} behind that: "
            f"{names}{_for_what(behind_it, sentence, words) or _in_call(behind_it)}."
        )
    ring = finding.reason is Reason.RING and bool(finding.tasks) and _RING not in sentence
    if ring or (finding.reason is Reason.ONE_WAIT and not finding.tasks):
        sentence += _tasks_behind([one for one in behind if one not in finding.tasks], words)
    lying = told_lying((*roots, *(one.id for one in others)), words)
    sentence += lying if lying not in sentence else ""
    victims = dict.fromkeys((*finding.victims, *map(ref, others)))
    return replace(finding, sentence=sentence, victims=tuple(victims))


def _without_served(behind: list[Thread], roots: Collection[NodeId], words: Words) -> list[Thread]:
    """*behind*, nearest first, without who waits for others than *roots*, and who waits for those
    in turn."""
    away: set[NodeId] = set()
    for thread in behind:
        wait = words.graph.wait_of(thread.id)
        holds = words.graph.holders_of(wait.target) if wait is not None else ()
        for_those = not away.isdisjoint(one.target for one in holds)
        if for_those or _for_others(thread, roots, words):
            away.add(thread.id)
    return [thread for thread in behind if thread.id not in away]


def _for_others(thread: Thread, roots: Collection[NodeId], words: Words) -> bool:
    """Whether it waits for what any thread of a process could bring over a connection or a pipe,
    and of these not one of *roots*, but the main one, or one that serves there; unless the frames
    of one of *roots* show that it has that in hand."""
    wait = words.graph.wait_of(thread.id)
    if wait is None or wait.target.kind not in _ENDS or not roots:
        return False
    holders = words.threads(hold.target for hold in words.graph.holders_of(wait.target))
    known = words.wait(wait)
    in_hand = known.answering if known is not None else ()
    own = {one.id for one in holders} & set(roots)
    serve = {one.id for one in holders if _serves(one, words)}
    return bool(serve and own) and serve.isdisjoint(roots) and own.isdisjoint(in_hand)


def _serves(thread: Thread, words: Words) -> bool:
    """Whether a thread is inside of a request, waits for somebody to connect, or is the main one of
    its process."""
    wait = words.graph.wait_of(thread.id)
    accepts = wait is not None and words.operation(wait) == "accept"
    return accepts or thread.tid == thread.pid or given_work(thread) is not None


def _callers(threads: Iterable[Thread], words: Words) -> list[Thread]:
    """Who waits for a result of an actor that runs in one of *threads*, whether that stood still
    meanwhile or not: it is in one of the actor's methods, or makes the actor."""
    graph = words.graph
    held = [hold.source for one in threads for hold in graph.held_by(one.id)]
    asked = [node for node in held if node.kind in REMOTE]
    return words.threads(wait.source for node in asked for wait in graph.waiters_of(node))


def _for_what(behind: Iterable[Thread], told: str, words: Words) -> str:
    """``, for Shop.lock``, ``, for room in Log.queue``: the lock, file lock or queue, known by its
    name, for which all of them wait; empty: they wait for several things, or *told* names it."""
    waits = [words.graph.wait_of(one.id) for one in behind]
    targets = {wait.target if wait else None for wait in waits}
    resource = words.resource(target) if len(targets) == 1 and (target := targets.pop()) else None
    named = resource is not None and resource.kind in _NAMED and bool(resource.name)
    name = words.name(resource.id) if resource is not None and named else ""
    return f", {words.goal(waits[0])}" if waits[0] and name and name not in told else ""


def _in_call(behind: Sequence[Thread]) -> str:
    """`` in Queue.get (queues.py:101)``: what the line of the only one has called; empty: there are
    several, it is that line itself which waits, or a function of a package's own."""
    frame = own_frame(behind[0]) if len(behind) == 1 else None
    index = depth_of(behind[0], frame) if frame else 0
    stack = behind[0].python_stack or ()
    hidden = not index or name_of(stack[index - 1]).startswith("_")
    return "" if hidden else called(behind[0], index)


def _tasks_behind(behind: Iterable[NodeId], words: Words) -> str:
    """`` 1 task waits behind that: task report at app.py:27 (report).``: those of the application
    that await what a thread is to bring; empty: there are none."""
    actors = map(words.actor, behind)
    tasks = [one for one in actors if isinstance(one, Task) and below_application(one)]
    tasks = [one for one in tasks if not _is_copy(one, words)]
    if not tasks:
        return ""
    told = listed(
        [f"{words.actor_name(one)}{at(program_frame(one.python_stack or ()))}" for one in tasks]
    )
    verb = "waits" if len(tasks) == 1 else "wait"
    return f" {counted(len(tasks), 'task')} {verb} behind that: {told}."


def _is_copy(task: Task, words: Words) -> bool:
    """Whether it is one of the parent's that a fork has copied: nobody runs it here."""
    thread = words.thread(thread_id(task.pid, task.loop_tid or 0))
    loops = [
        one for one in words.capture.event_loops if (one.pid, one.address) == (task.pid, task.loop)
    ]
    return thread is not None and any(loop_left_behind(thread, one, words) for one in loops)


def places(refs: Iterable[ThreadRef]) -> set[tuple[int, int]]:
    """Threads by the numbers of their processes and their own."""
    return {(thread.pid, thread.tid) for thread in refs}
