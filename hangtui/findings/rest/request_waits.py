"""A task or thread that a server, or a queue of jobs, has called the application in waits, while
its process goes on with other things."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from hangtui.analysis.places import line_and_function, package_of
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.analysis.whereabouts import where_of
from hangtui.findings.doing import doing
from hangtui.findings.english import clauses, counted
from hangtui.findings.given_work import given_work
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.inert import OF_THE_PROCESS
from hangtui.findings.looked import polled_by
from hangtui.findings.lookers import lasted_s
from hangtui.findings.on_the_way import onward
from hangtui.findings.other_end import who_is_there
from hangtui.findings.package_queries import package_entry
from hangtui.findings.polled import stayed_s
from hangtui.findings.pools import waited_s
from hangtui.findings.remote_sides import awaits_request
from hangtui.findings.rest.by_whom import by_whom
from hangtui.findings.silent_peers import asked_s, just_heard, silent_s, who_is_silent
from hangtui.findings.stack_queries import below_application, polls, still
from hangtui.findings.telling_tasks import awaited_by_server, innermost, takes_messages
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Actor, Words, ref, words_of
from hangtui.findings.written import brought_by_nobody, told_unended
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeId,
    NodeKind,
    Process,
    Severity,
    Task,
    TaskState,
    Thread,
)

ID = "request-waits"
GROUND = ONE_WAIT
HELP = """\
A server (uvicorn, aiohttp, tornado, hypercorn, quart, socketio), a queue of jobs (arq, taskiq,
procrastinate, faststream), a bot (aiogram, telegram, discord), a scheduler (apscheduler, tornado's
PeriodicCallback) or textual has called the application in a task of asyncio, and that has waited
for over a second at one place: somebody waits for its answer, or for the next call, which comes
after it. The rest of the process goes on meanwhile: heartbeats, other requests, threads that take
what comes. So nothing else shows that this one does not.

Often that is as it should be: a slow query, say. It is a warning if what it waits for is brought by
no code that is known, and nobody is on the way to it; or if those who could end it wait for it in
turn, as another request of the process from which it awaits an answer does. It is not told where
another finding tells of the same task, nor of one that only sleeps. Of a thread that was called so
it is a note, if it waits for what only its own process could bring, or sleeps on the same lines
again and again, as who looks whether something is there, and no other finding tells of it.

How it is known: the function of the server is on the task's stack, and the task was met in the same
wait by several looks. What it waits for is told of the innermost task that it awaits.
"""

_ADVICE = "Bound the wait with a timeout, so that it becomes an error which says where."
_MOST = 1000
"""Tasks of a process that are looked at."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each process with such a task."""
    words = words_of(capture, graph)
    found = []
    for process in capture.processes:
        tasks = list(_waiting(process, words))
        if tasks:
            found.append(_finding(process, tasks, words))
        if threads := _threads(process, words):
            waiting = {one.id for one in threads}
            threads.sort(key=lambda one: _behind_others(one, waiting, words))
            found.append(_of_thread(threads[0], threads, words))
    return found


def _waiting(process: Process, words: Words) -> Iterator[tuple[Task, Task]]:
    """The tasks of requests that wait, with who tells what for."""
    running = {one.address for one in words.capture.event_loops if one.task is not None}
    mine = (one for one in words.capture.tasks if one.pid == process.pid)
    for count, task in enumerate(mine):
        if count >= _MOST:
            return
        if task.state is not TaskState.WAITING or task.loop in running:
            continue
        if awaited_by_server(task, words) is None or takes_messages(task, words):
            continue
        last = innermost(task, words)
        if _only_sleeps(last, words) or just_heard(last, words) or awaits_request(last, words):
            continue
        lasted = max(_lasted_s(task, last, words), words.met_s.get(last.id, 0.0))
        if polled_by(last.id, words) or lasted >= STILL_S:
            yield task, last


def _threads(process: Process, words: Words) -> list[Thread]:
    """The threads of requests that wait for something of their process, without a timeout, or sleep
    again and again on the same lines."""
    found = []
    for thread in process.threads:
        if not (given_work(thread) and below_application(thread)):
            continue
        wait = words.graph.wait_of(thread.id)
        if wait is None and (polled_by(thread.id, words) or polls(thread, words)):
            found.append(thread)
        inside = wait is not None and not wait.expires and wait.target.kind in OF_THE_PROCESS
        if inside and thread.asleep:
            found.append(thread)
    return [one for one in found if _stood_s(one, words) >= STILL_S]


def _stood_s(thread: Thread, words: Words) -> float:
    """For how long a thread was in one wait, or on the lines from which it only looks."""
    looks = words.graph.wait_of(thread.id) is None
    return stayed_s(thread, words) if looks else waited_s(thread, words)


def _of_thread(first: Thread, threads: list[Thread], words: Words) -> Finding:
    """The finding of the first one of *threads*."""
    what, owner = given_work(first), by_whom(first.id, words)
    wait = words.graph.wait_of(first.id)
    vain = wait is not None and brought_by_nobody(wait, first, words)
    does = f"Inside {what}, {doing(first, words, alone=not owner)}"
    since = f" for {_stood_s(first, words):.0f} s or more"
    others = _told(threads[1:], words)
    nobody = "; nobody is seen on the way to that" if vain else owner
    return Finding(
        id=ID,
        severity=Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"{does}{since}{nobody}",
        sentence=(
            f"{does},{since}. Other threads of the process may go on meanwhile."
            f"{_told_end(first, wait, words)}{others}"
        ),
        threads=tuple(map(ref, threads)),
        subject=first.id,
        resources=(wait.target,) if wait and wait.target.kind.is_resource else (),
        where=where_of(first.python_stack or ()),
        evidence=(*((words.reading(wait),) if wait else ()), still(threads)),
        unknown=("whether what it waits for will come",),
        advice=(_ADVICE,),
    )


def _lasted_s(asked: Task, last: Task, words: Words) -> float:
    """For how long *asked* was seen to wait for what *last* waits for. That one may have a name of
    its own: who waits for it tells that it is the same."""
    stood = max(lasted_s(last, words), lasted_s(asked, words))
    return max(stood, silent_s(last, words), asked_s(asked, words))


def _only_sleeps(task: Task, words: Words) -> bool:
    """Whether the clock wakes it, or nothing is known of what would."""
    if words.graph.wait_of(task.id) is not None:
        return False
    return (task.sleep is not None or not task.awaits) and polled_by(task.id, words) is None


def _in_vain(task: Task, words: Words) -> bool:
    """Whether nobody brings what it waits for."""
    wait = words.graph.wait_of(task.id)
    return wait is not None and brought_by_nobody(wait, task, words)


def _behind_others(task: Actor, waiting: AbstractSet[NodeId], words: Words) -> bool:
    """Whether another one of those *waiting* could end its wait."""
    return not waiting.isdisjoint(onward(task.id, words).told - {task.id})


def _whose(task: Actor, wait: Edge | None, words: Words) -> str:
    """Who could end its wait, as the end of a title."""
    if owner := by_whom(task.id, words):
        return owner
    there = _other_end(task, wait, words)
    if there and there == words.process_name(task.id.pid):
        return "; its own process has the other end open"
    return f"; the other end is open in {there}" if there else ""


def _in_turn(task: Actor, wait: Edge | None, others: Sequence[Task], words: Words) -> str:
    """``, where task b waits at app.py:9 (sell) for lock, which this one has``, of *task* that
    waits for the answer of its own process: the first of the *others* inside of requests that
    waits for what it has; empty: none does, or it waits for somebody else."""
    if _other_end(task, wait, words) != words.process_name(task.id.pid):
        return ""
    for one in others:
        own = words.graph.wait_of(one.id)
        holders = words.graph.holders_of(own.target) if own is not None else ()
        if any(hold.target == task.id for hold in holders):
            return f", where {doing(one, words, alone=False)}, which this one has"
    return ""


def _other_end(task: Actor, wait: Edge | None, words: Words) -> str:
    """Who has the other end open of the connection that it waits for; empty: that is not known."""
    if wait is not None:
        return who_is_there(wait, words)
    return who_is_silent(task, words) if isinstance(task, Task) else ""


def _told_end(task: Actor, wait: Edge | None, words: Words) -> str:
    """The same in sentences, and what those wait for in turn."""
    if on := onward(task.id, words).text:
        return on
    if there := _other_end(task, wait, words):
        return f" Only the other end of such a connection, open in {there}, could end that."
    return told_unended(wait, task, words) if wait is not None else ""


def _called(task: Task, told: str) -> str:
    """`` Its line has called httpx (_client.py:1774 (AsyncClient.get)).``: the package that it went
    into, if what is *told* names only one below that."""
    entry = package_entry(task)
    package = package_of(entry) if entry is not None else None
    if entry is None or package is None or package in told:
        return ""
    return f" Its line has called {package} ({line_and_function(entry)})."


def _told(others: Sequence[Actor], words: Words) -> str:
    """`` Besides, task b waits at ...; and 12 more.``; empty: there are none."""
    told = [doing(one, words) for one in others[:NAMES_LISTED]]
    return f" Besides, {clauses(told, len(others), NAMES_LISTED)}." if told else ""


def _finding(process: Process, found: list[tuple[Task, Task]], words: Words) -> Finding:
    tasks = list(dict.fromkeys(last for _, last in found))
    ids = {one.id for one in tasks}
    tasks.sort(key=lambda one: (not _in_vain(one, words), _behind_others(one, ids, words)))
    first = tasks[0]
    asked = next(task for task, last in found if last is first)
    wait = words.graph.wait_of(first.id)
    lasted = _lasted_s(asked, first, words)
    # Another task of that name may have been met in its place each time.
    sure = lasted >= STILL_S or polled_by(first.id, words) is not None
    vain = sure and _in_vain(first, words)
    since = f" for {lasted:.0f} s or more" if lasted >= STILL_S else ""
    what = awaited_by_server(asked, words)
    behind = "" if asked is first else f"; {words.actor_name(asked)} awaits its end"
    others = _told(tasks[1:], words)
    owner = _whose(first, wait, words)
    itself = _in_turn(first, wait, tasks[1:], words)
    nobody = "; nobody is seen on the way to that" if vain else f"{owner}{itself}"
    does = f"Inside {what}, {doing(first, words, alone=not owner)}"
    turn = (itself or onward(first.id, words).back) and lasted >= STILL_S
    return Finding(
        id=ID,
        severity=Severity.WARNING if vain or turn else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"{does}{since}{nobody}",
        sentence=(
            f"{does}{since and f',{since}'}{behind}.{_called(first, does)} The event loop is free "
            f"for other tasks meanwhile.{_told_end(first, wait, words)}{others}"
        ),
        threads=(),
        tasks=tuple(dict.fromkeys(one.id for pair in found for one in reversed(pair)))[:_MOST],
        subject=first.id,
        processes=(process.pid,),
        resources=(wait.target,) if wait and wait.target.kind is not NodeKind.TASK else (),
        where=where_of(first.python_stack or ()),
        evidence=(
            *((words.reading(wait),) if wait is not None else ()),
            f"{counted(len(found), 'task')} inside of {what} stood at one place in all looks",
        ),
        unknown=("whether what it waits for will come",),
        advice=(_ADVICE,),
    )
