"""Somebody waits in ``join()`` of a queue, and those who work for it all wait for its next item, or
nobody works for it."""

from collections.abc import Iterator, Sequence

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.beyond_doubt import waking_signals
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.ended import told_threads_gone
from hangtui.findings.english import counted, joined, lasting
from hangtui.findings.grounds import NOBODY
from hangtui.findings.inert import all_waits, only_ticks
from hangtui.findings.lookers import lasted_s
from hangtui.findings.pools import position, waited_s
from hangtui.findings.stack_queries import POOL_FILES, at, name_of, own_frame, way_of
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Actor, Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    Finding,
    Nearness,
    NodeKind,
    PythonFrame,
    Resource,
    Severity,
    Task,
    Thread,
)

ID = "tasks-not-done"
GROUND = NOBODY
HELP = """\
`Queue.join()` returns once `task_done()` was called for every item that was put. A worker that
leaves it out for one item, by an exception, a `continue` or an early `return`, makes that wait last
for ever, although nothing is left to do.

The same goes for a queue whose workers have ended, or were never started.

How it is known: one waits in `join()`, while those who work for this queue wait in `get()` of the
same one, so that it is empty; the frames of everybody in the process were searched, and nobody else
refers to it; or a thread waits in `join()`, and nobody at all refers to it. It is a warning if
several looks saw that for a second or more. Where threads of a
pool work on what they were given, or another process may, one of them may be about to report an
item, and it is a note. It is an error if nothing is left in a process of greenlets that could do
anything: all of them wait for each other, or do nothing but sleep again and again.
"""

_PLACES = (
    ("concurrent/futures/thread.py", "run"),
    ("concurrent/futures/process.py", "run"),
    *((file, "worker") for file in POOL_FILES),
    ("gevent/threadpool.py", "_ThreadPool__run_task"),
)
"""Where what was handed on is worked on, or its result is waited for."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such queue."""
    words = words_of(capture, graph)
    closed = {process.pid for process in capture.processes if all_waits(process, words)}
    found = []
    for queue in capture.resources:
        if queue.kind is not NodeKind.QUEUE or not queue.wakers_known or queue.pid in closed:
            continue
        joining = list(_waiting(queue, "join", words))
        workers = list(_waiting(queue, "get", words))
        if joining and workers and _all_of_them(queue, [one for one, _ in workers], words):
            found.append(_finding(queue, joining, workers, words))
        elif joining and not workers and _left_alone(queue, joining[0][0], words):
            found.append(_left(queue, joining, words))
    return found


def _waiting(queue: Resource, method: str, words: Words) -> Iterator[tuple[Actor, Edge]]:
    """Who waits for nothing else, without a timeout."""
    for wait in words.graph.waiters_of(queue.id):
        actor = words.actor(wait.source)
        alone = len(words.graph.waits_of(wait.source)) == 1
        if actor and alone and wait.stable and not wait.expires and way_of(wait, words) == method:
            yield actor, wait


def _all_of_them(queue: Resource, workers: Sequence[Actor], words: Words) -> bool:
    """Whether nobody else is seen who could call ``task_done()``."""
    names = {one.id for one in workers}
    # The thread of an event loop refers to what its tasks do, and does nothing else meanwhile.
    loops = {one.id for one in words.carriers([task for task in workers if isinstance(task, Task)])}
    return all(
        one.candidate in names or (one.candidate in loops and one.nearness is Nearness.REFERS)
        for one in words.graph.wakers_of(queue.id)
        if one.complement is Complement.TASK_DONE
    )


def _left_alone(queue: Resource, actor: Actor, words: Words) -> bool:
    """Whether nobody is seen who takes from a queue that a thread waits for, and that for a while.
    What an event loop calls next no frame shows."""
    done = (one.complement is Complement.TASK_DONE for one in words.graph.wakers_of(queue.id))
    return isinstance(actor, Thread) and waited_s(actor, words) >= STILL_S and not any(done)


def _left(queue: Resource, joining: list[tuple[Actor, Edge]], words: Words) -> Finding:
    """Of a queue for which nobody works."""
    actor, wait = joining[0]
    name, frame = words.name(queue.id), own_frame(actor) if isinstance(actor, Thread) else None
    lasted = waited_s(actor, words)
    given = _handed_on(queue.pid, words)
    ended = told_threads_gone(words.capture.process(queue.pid))
    return Finding(
        id=ID,
        severity=Severity.NOTE if given else Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=(
            f"{words.actor_name(actor)} waits{at(frame) or f' at {position(actor)}'} in "
            f"{name}.join(), and no thread works for that queue"
        ),
        sentence=(
            f"{words.actor_name(actor)} {words.waiting(wait)}, until task_done() was called for "
            f"every item of it, for {lasting(lasted)} by now. No thread or task of process "
            f"{queue.pid} takes items from it or is about to call task_done(): whoever did has "
            f"ended, as by an exception, or was never started.{ended}"
        ),
        threads=tuple(ref(one) for one in words.carriers([one for one, _ in joining])),
        subject=actor.id,
        resources=(queue.id,),
        evidence=(
            *(words.reading(edge) for _, edge in joining[:NAMES_LISTED]),
            "the frames of all threads and tasks were searched: nobody else refers to it",
        ),
        unknown=("whether somebody is still to be started who works for it",),
        advice=(
            (
                f"Look for what ended the worker of {name}: have it catch what one item raises, "
                "and call task_done() in a finally, or wait for the worker as well."
            ),
        ),
    )


def _handed_on(pid: int, words: Words) -> bool:
    """Whether somebody in the process works on what he was given by somebody else."""
    stacks = [one.python_stack or () for one in words.capture.threads() if one.pid == pid]
    return any(_is_pool(frame) for stack in stacks for frame in stack)


def _is_pool(frame: PythonFrame) -> bool:
    return any(frame.filename.endswith(place) and name_of(frame) == name for place, name in _PLACES)


def _nobody_acts(pid: int, words: Words) -> bool:
    """Whether nothing in the process can come to it any more."""
    process = words.capture.process(pid)
    if process is None or process.steady is not True or waking_signals(process) != ():
        return False
    return only_ticks(process, words) and not _handed_on(pid, words)


def _severity(certainty: Certainty, *, sure: bool) -> Severity:
    if certainty.supports_claim:
        return Severity.ERROR
    return Severity.WARNING if sure else Severity.NOTE


def _finding(
    queue: Resource,
    joining: list[tuple[Actor, Edge]],
    workers: list[tuple[Actor, Edge]],
    words: Words,
) -> Finding:
    actor, wait = joining[0]
    everybody = [one for one, _ in (*joining, *workers)]
    lasted = min(lasted_s(one, words) for one in everybody)
    nobody = _nobody_acts(queue.pid, words)
    links = [edge for _, edge in (*joining, *workers)]
    certainty = as_sure_as(*links) if nobody else Certainty.INFERRED
    sure = nobody or (lasted >= STILL_S and not _handed_on(queue.pid, words))
    names = [words.actor_name(one) for one, _ in workers]
    who = joined(names) if len(names) <= NAMES_LISTED else counted(len(names), names[0].split()[0])
    places = joined(list(dict.fromkeys(position(one) for one, _ in workers))[:NAMES_LISTED])
    name = words.name(queue.id)
    alone = len(workers) == 1
    since = f" for {lasted:.0f} s or more" if lasted >= STILL_S else ""
    return Finding(
        id=ID,
        severity=_severity(certainty, sure=sure),
        certainty=certainty,
        title=(
            f"{words.actor_name(actor)} waits at {position(actor)} in {name}.join(), and "
            f"{'its only worker waits' if alone else 'all its workers wait'} for the next item: "
            "task_done() was left out"
        ),
        sentence=(
            f"{words.actor_name(actor)} {words.waiting(wait)}, until task_done() was called for "
            f"every item of it. {who} {'waits' if alone else 'wait'} for the next item at {places}"
            f"{since}: the queue is empty, nobody works on one of its items, and "
            "task_done() was not called for each that was taken."
        ),
        threads=tuple(ref(one) for one in words.carriers(everybody)),
        tasks=tuple(one.id for one in everybody if isinstance(one, Task)),
        subject=actor.id,
        resources=(queue.id,),
        evidence=(
            *(words.reading(edge) for _, edge in (*joining, *workers)[: 2 * NAMES_LISTED]),
            "the frames of all threads and tasks were searched: nobody else refers to it",
        ),
        unknown=(
            "whether an item was handed on to code that no frame shows, as a callback or a timer",
        ),
        advice=(
            (
                f"Call {name}.task_done() for every item taken at {places}, also when its "
                "processing raises or skips it: try: ... finally: task_done()."
            ),
        ),
    )
