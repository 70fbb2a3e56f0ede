"""Tasks that wait for one another, down to a wait that nobody comes to end, in a process of which
other threads get on."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.beyond_doubt import task_no_rest
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.doing import doing
from hangtui.findings.enders import enders
from hangtui.findings.english import joined
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.lookers import lasted_s
from hangtui.findings.on_the_way import onward, whose
from hangtui.findings.stack_queries import moved, polls, stands, way_of
from hangtui.findings.suspended import suspended
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.findings.written import brought_by_nobody, nobody_comes, told_unended
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeId,
    Process,
    Severity,
    Task,
    Thread,
    thread_id,
)

ID = "tasks-held-up"
GROUND = ONE_WAIT
HELP = """\
A task waits for room in a queue or a channel, or for a lock, a semaphore or a connection of a pool:
for something that nobody rests by. Who alone could end that is a task as well, and waits in turn;
so it goes on, down to a wait which no thread and no task is on the way to end. Meanwhile other
threads of the process get on, so that the process as a whole looks alive.

How it is known: all looks met these tasks in the same waits, without a timeout, for over a second,
and the frames of everybody in the process were searched for who would end them. It is a warning if
neither the frames of who runs meanwhile lead to one of these, nor code of the program is known that
would end the last of them; else it is a note, which names that code: it may be run for the next
request.
"""

_LINKS = 8
"""Waits that are followed, one behind the other."""
_MOST = 50
"""Things waited for, of which it is followed who could end that."""


class _Link(NamedTuple):
    """One of the tasks, and what it waits for."""

    task: Task
    wait: Edge


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """At most one finding for each process."""
    words = words_of(capture, graph)
    found = []
    for process in capture.processes:
        going = _going(process, words)
        if not going:
            continue
        chains = (_chain(task, words) for task in _heads(process, words))
        longest = max(chains, key=len, default=[])
        if longest:
            found.append(_finding(process, going, longest, words))
    return found


def _heads(process: Process, words: Words) -> Iterable[Task]:
    """Who waits so as nobody rests, one of those that wait for the same: thousands may do that."""
    found: dict[NodeId, Task] = {}
    for task in suspended(process, words):
        wait = words.graph.wait_of(task.id)
        if wait is not None and task_no_rest(wait, way_of(wait, words), words):
            found.setdefault(wait.target, task)
    return islice(found.values(), _MOST)


def _going(process: Process, words: Words) -> list[Thread]:
    """The threads of Python that ran meanwhile, but for an event loop's that only ticks: else it is
    told as a process in which nothing gets on."""
    loops = {thread_id(one.pid, one.tid) for one in words.capture.event_loops if one.tid}
    python = [thread for thread in process.threads if thread.is_python]
    return [one for one in python if _ran(one, words, ticks=one.id not in loops)]


def _ran(thread: Thread, words: Words, *, ticks: bool) -> bool:
    """*ticks*: also where it was asleep on the same lines each time."""
    if thread.runs is None:
        return False  # it is not known
    return moved(thread, words) or not stands(thread, words) or (ticks and polls(thread, words))


def _chain(task: Task, words: Words) -> list[_Link]:
    """Who waits for whom; empty: it rests, has not waited for long, or somebody may go on."""
    chain: list[_Link] = []
    seen: set[NodeId] = set()
    while len(chain) < _LINKS and task.id not in seen:
        wait = words.graph.wait_of(task.id)
        if wait is None or wait.expires or len(words.graph.waits_of(task.id)) != 1:
            return []
        if not task.still or lasted_s(task, words) < STILL_S:
            return []
        seen.add(task.id)
        chain.append(_Link(task, wait))
        others = enders(wait, words)
        if not others and nobody_comes(wait, words):
            return chain if chain[1:] else []
        if len(others) != 1 or not isinstance(others[0], Task):
            return []
        task = others[0]
    return []  # who waits in a ring is told as such


def _led_to(threads: Sequence[Thread], chain: Sequence[_Link], words: Words) -> bool:
    """Whether frames of one of *threads* lead to what one of the chain waits for."""
    going = {thread.id for thread in threads}
    found = (words.graph.wakers_of(one.wait.target) for one in chain)
    return any(one.candidate in going for wakers in found for one in wakers)


def _finding(
    process: Process, going: Sequence[Thread], chain: Sequence[_Link], words: Words
) -> Finding:
    first, last = chain[0], chain[-1]
    led = _led_to(going, chain, words)
    lost = not led and brought_by_nobody(last.wait, last.task, words)
    on = onward(first.task.id, words)
    names = joined([words.thread_name(one) for one in going[:NAMES_LISTED]])
    head = doing(first.task, words, alone=False)
    return Finding(
        id=ID,
        severity=Severity.WARNING if lost else Severity.NOTE,
        certainty=as_sure_as(Certainty.INFERRED, *(one.wait for one in chain)),
        title=f"{head[0].upper()}{head[1:]}{whose(first.task.id, words)}",
        sentence=(
            f"{head[0].upper()}{head[1:]}.{on.text}"
            f"{told_unended(last.wait, last.task, words)} Meanwhile {names} ran"
            f"{'' if led else ': nothing leads from there to one of these waits'}."
        ),
        subject=first.task.id,
        threads=tuple(map(ref, words.carriers([one.task for one in chain]))),
        tasks=tuple(one.task.id for one in chain),
        resources=tuple(dict.fromkeys(one.wait.target for one in chain)),
        processes=(process.pid,),
        evidence=tuple(words.reading(one.wait) for one in chain),
        unknown=("whether something from outside makes the program end the last of these waits",),
        advice=(
            (
                f"Look why {words.actor_name(last.task)} waits {words.goal(last.wait)}, and what "
                "was meant to end that."
            ),
        ),
    )
