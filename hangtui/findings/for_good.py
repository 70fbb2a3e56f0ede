"""Makes an error of what a rule only warns of, where nobody is left who could end it."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from hangtui.analysis.places import package_of
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.analysis.wakers import coming
from hangtui.findings.beyond_doubt import no_rest, task_no_rest
from hangtui.findings.claims import made_sure, without_reserve
from hangtui.findings.english import counted, listed
from hangtui.findings.housekeepers import keeps_house, listens
from hangtui.findings.inert import CONNECTIONS
from hangtui.findings.lookers import Lookers
from hangtui.findings.messages import STREAMED, message_of
from hangtui.findings.other_end import hears_itself
from hangtui.findings.outside.traffic import unfetched_there
from hangtui.findings.polled import polls_in_package
from hangtui.findings.pools import POOLS
from hangtui.findings.stack_queries import index_of, kind_of, wait_for_ever, way_of
from hangtui.findings.standstill import asks_on, standstill
from hangtui.findings.words import Words, words_of
from hangtui.model import (
    FIRST_TASK,
    Capture,
    Finding,
    NodeId,
    NodeKind,
    Process,
    Reason,
    Resource,
    Severity,
    Task,
    Thread,
    thread_id,
)

_OF_WAITS = (Reason.RING, Reason.NOBODY, Reason.ONE_WAIT, Reason.ENDED)
"""What findings rest on that tell of somebody who waits."""
_NOTES = frozenset({"waker-busy"})
"""Findings that warn of nothing by themselves, and tell who alone would end a wait."""
_OF_ANSWERS = ("unanswered-call",)
"""Findings of who waits for an answer: no signal by which the program is asked to end brings it."""
_GIVES = ("send", "write")
_TURNS = (NodeKind.LOCK, NodeKind.RLOCK)
_BROUGHT = (NodeKind.EVENT, NodeKind.FUTURE, NodeKind.QUEUE)
_ANSWERS = (
    ("/http/client.py", "getresponse"),
    ("/http/client.py", "read"),
    ("/http/client.py", "readinto"),
    ("/Pyro5/client.py", "_pyroInvoke"),
)
"""Where an answer to what was sent is waited for, which comes from nobody else, beside those that
have words of their own: the end of a file's name, and its function."""
_REQUESTS = ("/http/server.py", "handle_one_request")
"""Where the next request of a connection is waited for, by one who has answered the last one to
the end, if nothing but the read of a socket lies above it."""
_SOCKET = "/socket.py"
_SAY_SO = (Reason.RING, Reason.NOBODY)
"""What findings rest on that say themselves that nobody ends a wait."""
_AND_NEW = "; somebody new who connects has no part in that"


def made_errors(findings: Sequence[Finding], capture: Capture, graph: WaitGraph) -> list[Finding]:
    """*findings*, of which a warning about processes that stand still for good is an error, if one
    of those it tells of waits so as nobody rests."""
    words = words_of(capture, graph)
    return [_judged(finding, words) for finding in findings]


def _judged(finding: Finding, words: Words) -> Finding:
    warns = finding.severity is Severity.WARNING or finding.id in _NOTES or finding.owed
    if not warns or finding.reason not in _OF_WAITS:
        return finding
    pids = sorted({one.pid for one in finding.threads})
    answer = finding.id in _OF_ANSWERS
    group = standstill(pids, words, asked_to_end=answer) if _owed(finding, words) else []
    new = "" if group else _AND_NEW
    if not group and (asking := _of_those_there(finding, words)):
        answered = all(_is_answered(one, words) for one in asking)
        group = standstill(pids, words, accepting=True, asked_to_end=answered)
    elif not group and _goes_on_for_none(finding, words):
        group = standstill(pids, words, accepting=True)
    if not group:
        return finding
    return replace(
        finding,
        title=made_sure(finding.title),
        sentence=f"{without_reserve(finding.sentence)}{_told(finding, group)}",
        severity=Severity.ERROR,
        reason=Reason.NOBODY,
        never_ends=True,
        evidence=(*finding.evidence, f"{_why(group)}{new}"),
    )


def _owed(finding: Finding, words: Words) -> bool:
    """Whether one of its threads does not rest in its wait until it is stopped."""
    if finding.owed:
        return True
    if any(hears_itself(one, words) or polls_in_package(one, words) for one in finding.tasks):
        return True
    waits = (wait for one in finding.tasks for wait in words.graph.waits_of(one))
    if any(not wait.expires and task_no_rest(wait, way_of(wait, words), words) for wait in waits):
        return True
    threads = words.threads(thread_id(one.pid, one.tid) for one in finding.threads)
    if any(asks_on(one, words) or _looks_on(one, words) for one in threads):
        return True
    # In a ring, who has the lock waits for who wants it.
    ring = threads if finding.reason is Reason.RING else ()
    return any(
        _has_to_go_on(one, words, [other for other in ring if other is not one]) for one in threads
    )


def _looks_on(thread: Thread, words: Words) -> bool:
    """Whether it waits with a timeout, again and again, for what it does not rest by, and does
    nothing else but look whether that has come."""
    wait = words.graph.wait_of(thread.id)
    if wait is None or not wait.expires or not Lookers(words).only_looks(thread):
        return False
    return no_rest(thread, wait, way_of(wait, words), words)


def _has_to_go_on(thread: Thread, words: Words, behind: Collection[Thread] = ()) -> bool:
    """Whether it does not rest; nor does, of several that take turns, the one who has the lock, or
    who asks again and again whether they have ended. *behind*: who waits for that."""
    wait = wait_for_ever(thread, words)
    if wait is None:
        lookers, pids = Lookers(words), {one.pid for one in behind}
        return lookers.only_looks(thread) and not pids.isdisjoint(
            lookers.children_asked(thread) or ()
        )
    if kind_of(wait, words) in CONNECTIONS and words.operation(wait) in _GIVES:
        return True
    if not no_rest(thread, wait, way_of(wait, words), words):
        return False
    if kind_of(wait, words) not in _TURNS:
        return True
    holders = words.threads(hold.target for hold in words.graph.holders_of(wait.target))
    seen = (*behind, thread)
    return not holders or any(one in seen or _has_to_go_on(one, words, seen) for one in holders)


def _of_those_there(finding: Finding, words: Words) -> list[Thread]:
    """Those that wait, if somebody in particular ends each of these waits, who is there already:
    whoever has the lock, or the other end of the connection, and waits for such a one in turn.
    Nobody who connects later takes a part in that, as he may where somebody waits for an item or an
    event."""
    threads = words.threads(thread_id(one.pid, one.tid) for one in finding.threads)
    asking = [one for one in threads if _has_to_go_on(one, words)]
    for one in asking:  # it grows
        wait = wait_for_ever(one, words)
        if wait is None or not _is_given(one, wait, words):
            return []
        enders = words.threads(hold.target for hold in words.graph.holders_of(wait.target))
        if kind_of(wait, words) is NodeKind.THREAD:
            enders = words.threads([wait.target])
        listening = [ender for ender in enders if _listens(ender, words)]
        # What a server is to do itself, or has taken, may come with the next who connects.
        if kind_of(wait, words) not in CONNECTIONS and any(not keeps_house(e) for e in listening):
            return []
        asking += [ender for ender in enders if ender not in asking and ender not in listening]
    return asking


def _is_answered(thread: Thread, words: Words) -> bool:
    """Whether it waits for an answer, or for a thread: no signal by which the program is asked to
    end brings these, as one may open a lock that is waited for until then."""
    wait = wait_for_ever(thread, words)
    return wait is not None and kind_of(wait, words) in (*CONNECTIONS, NodeKind.THREAD)


def _is_given(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether one thing alone ends a wait: that a lock is given back, or that what was sent is
    taken or answered. Who waits for whatever comes over a connection may get it from anybody."""
    kind, resource = kind_of(wait, words), words.resource(wait.target)
    if kind in _TURNS:
        return bool(words.graph.holders_of(wait.target))
    if kind in POOLS:
        return _all_with_known(wait, resource, words)
    if kind in _BROUGHT:
        return _has_its_bringer(thread, wait, resource, words)
    if kind in CONNECTIONS:
        answered = _awaits_answer(thread) or _next_request(thread)
        unaccepted = resource is not None and resource.unaccepted
        untaken = unaccepted or bool(unfetched_there(resource, words.capture))
        return answered or untaken or words.operation(wait) in _GIVES
    return kind is NodeKind.THREAD


def _awaits_answer(thread: Thread) -> bool:
    """Whether it waits in a call that has sent something and reads the answer."""
    if any(index_of(thread, {name}, file) is not None for file, name in _ANSWERS):
        return True
    message = message_of(thread.python_stack or ())
    return message is not None and message not in STREAMED


def _all_with_known(wait: Edge, resource: Resource | None, words: Words) -> bool:
    """Whether all that a pool can lend is lent to those who are there."""
    holders = words.graph.holders_of(wait.target)
    size = resource.size if resource and resource.exhausted else None
    if resource is None or size is None:
        return False
    return max(len(holders), (resource.accounted or 0) if holders else 0) >= size


def _has_its_bringer(thread: Thread, wait: Edge, resource: Resource | None, words: Words) -> bool:
    """Whether nobody else can bring it than who is known to be at it; or than functions of the
    package that it belongs to, none of which is running or about to, and which does not serve."""
    holders = words.graph.holders_of(wait.target)
    if holders and all(hold.evidence.certainty.supports_claim for hold in holders):
        return True
    if resource is None or not resource.wakers_known or resource.enders:
        return False
    known = bool(holders) or (bool(resource.called_back) and not _is_served(thread, words))
    return known and not coming(words.graph, wait.target, way_of(wait, words))


def _goes_on_for_none(finding: Finding, words: Words) -> bool:
    """Whether it tells of a ring in which the program itself waits that began there, or who has an
    answer to get; and of which nobody else is seen who could end one of its waits: they are for
    what packages have for themselves, or for what nothing but these frames leads to."""
    if finding.reason is not Reason.RING or not _is_asked(finding, words):
        return False
    tasks = [one for one in map(words.actor, finding.tasks) if isinstance(one, Task)]
    carriers = {one.id for one in words.carriers(tasks)}
    threads = {thread_id(one.pid, one.tid) for one in finding.threads}
    ring = {*finding.tasks, *(threads - carriers)}
    return bool(ring) and all(_comes_from(ring, words.graph.wait_of(one), words) for one in ring)


def _comes_from(ring: Collection[NodeId], wait: Edge | None, words: Words) -> bool:
    """Whether nobody is seen who could end a wait but who is in a ring."""
    resource = words.resource(wait.target) if wait is not None else None
    if wait is None or wait.expires or resource is None or not resource.wakers_known:
        return False
    own = bool(resource.called_back) or resource.unshared
    wakers = {one.candidate for one in words.graph.wakers_of(wait.target)}
    return own and not resource.enders and bool(wakers) and wakers.issubset(ring)


def _is_asked(finding: Finding, words: Words) -> bool:
    """Whether the task that the program began with is in it, or a thread behind it has asked for
    something over a connection, and waits for the answer."""
    names = {getattr(words.actor(one), "name", None) for one in finding.tasks}
    behind = words.threads(thread_id(one.pid, one.tid) for one in finding.victims)
    waits = ((one, wait_for_ever(one, words)) for one in behind)
    asked = (one for one, wait in waits if wait and kind_of(wait, words) in CONNECTIONS)
    return FIRST_TASK in names or any(_awaits_answer(one) for one in asked)


def _is_served(thread: Thread, words: Words) -> bool:
    """Whether a package in which it waits has a thread that waits for somebody to connect."""
    packages = {package_of(frame) for frame in thread.python_stack or ()} - {None}
    inward = (one for one in words.capture.inward if one.accepts and one.thread.pid == thread.pid)
    return any(
        not packages.isdisjoint(map(package_of, one.python_stack or ()))
        for one in words.threads(each.thread for each in inward)
    )


def _next_request(thread: Thread) -> bool:
    """Whether it waits for another request, which comes from who has the other end alone."""
    file, name = _REQUESTS
    index = index_of(thread, {name}, file)
    inside = (thread.python_stack or ())[:index]
    return index is not None and all(frame.filename.endswith(_SOCKET) for frame in inside)


def _listens(thread: Thread, words: Words) -> bool:
    """Whether it waits for somebody to connect, or is a library's own that has nothing to do."""
    return listens(thread, words.capture) or keeps_house(thread)


def _told(finding: Finding, group: Sequence[Process]) -> str:
    """That nobody is left, as a sentence, where *finding* does not say so itself."""
    if finding.reason in _SAY_SO:
        return ""
    who = "all threads of these processes wait" if group[1:] else "all threads of the process wait"
    return f" Nobody is left who could end that: {who}."


def _why(group: Sequence[Process]) -> str:
    """Why nobody ends it, as a line of evidence."""
    count = sum(len(process.threads) for process in group)
    pids = listed([str(process.pid) for process in group])
    which = f"process{'es' if group[1:] else ''} {pids}"
    if count == 1:
        return (
            f"the only thread of {which} waits without a timeout, and no signal has a handler that "
            "could end it"
        )
    return (
        f"each of the {counted(count, 'thread')} of {which} waits, without a timeout, for what "
        "only another one of them could do, or only looks whether one did; none handles a signal "
        "that could end it"
    )
