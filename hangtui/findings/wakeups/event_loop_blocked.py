"""A task or callback that blocks the thread of its event loop, and by that all other tasks."""

from hangtui.analysis.places import application_index, function_of, package_of, place
from hangtui.analysis.waitgraph import Cycle, Edge, WaitGraph
from hangtui.findings.english import counted, stillness
from hangtui.findings.forks import loop_left_behind
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.lifetimes.finalizers import case_of
from hangtui.findings.loops import terms_of
from hangtui.findings.on_the_way import onward, whose
from hangtui.findings.pool_holders import told_holders
from hangtui.findings.pools import lost
from hangtui.findings.stack_queries import (
    at,
    below_application,
    callers_of,
    collecting,
    name_of,
    own_frame,
    told,
)
from hangtui.findings.thresholds import LOOP_BLOCKED_STILL_MS
from hangtui.findings.words import Words, ref, words_of
from hangtui.findings.written import told_unended
from hangtui.model import (
    Capture,
    Certainty,
    EventLoop,
    Finding,
    GilState,
    LoopState,
    NodeKind,
    Severity,
    Task,
    Thread,
    thread_id,
)

ID = "event-loop-blocked"
GROUND = ONE_WAIT
_NOTEBOOKS = "IPython"
_FIRST = frozenset({"<module>", "_bootstrap"})
_RUNS = frozenset({"run_forever", "run_until_complete", "_run_once", "run", "mainloop"})
"""Functions that run event loops, or begin what does."""
HELP = """\
An event loop of asyncio or trio runs one task at a time. A task that calls something that blocks (a
request, a sleep, a lock) stops all others until it returns.

How it is known: the task's frames are on the stack of the loop's thread, which did not run while it
was watched. If the loop has no other task, and the call ends by a timeout, it is a note: so do
servers wait for their workers to start, before they serve anybody.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such event loop, unless its thread and a task wait for each other."""
    words = words_of(capture, graph)
    found = []
    for loop in capture.event_loops:
        thread = words.thread(thread_id(loop.pid, loop.tid)) if loop.tid is not None else None
        if thread is None or loop.state is not LoopState.BUSY or not _blocked(thread):
            continue
        if loop_left_behind(thread, loop, words) or _switched_out(thread, loop):
            continue
        if _runs_cells(thread):
            continue
        if not _has_task(graph.cycle_of(thread.id), words) and _serves(loop, words):
            found.append(_finding(loop, thread, words))
    return found


def _blocked(thread: Thread) -> bool:
    """Asleep in the kernel for long, and not for the GIL, whose holder is then to blame."""
    return (
        thread.still is True
        and thread.still_ms is not None
        and thread.still_ms >= LOOP_BLOCKED_STILL_MS
        and thread.state in ("S", "D")
        and thread.gil is not GilState.WAITS
    )


def _switched_out(thread: Thread, loop: EventLoop) -> bool:
    """Whether no frame that runs the loop is on its thread's stack, which is known to its
    beginning: they are in a greenlet, as of a library that has given the thread back to who called
    it."""
    stack = thread.python_stack or ()
    if not stack or name_of(stack[-1]) not in _FIRST or "uvloop" in loop.type_name:
        return False  # uvloop runs in C
    if loop.library != "asyncio":
        return False
    return not any(name_of(frame) in _RUNS for frame in stack)


def _runs_cells(thread: Thread) -> bool:
    """Whether it runs a cell of a notebook, whose kernel has nothing else to do meanwhile."""
    stack = thread.python_stack or ()
    own = application_index(stack)
    return own is not None and any(package_of(frame) == _NOTEBOOKS for frame in stack[own + 1 :])


def _serves(loop: EventLoop, words: Words) -> bool:
    """Whether it is there for others than whoever blocks it. Who never has the need does not switch
    to a hub: there is one as soon as somebody has asked for it. A library may run a loop for the
    one call that was made to it."""
    if loop.task is None or any(task.id != loop.task for task in words.tasks_of(loop)):
        return True
    if loop.task.kind is NodeKind.GREENLET:
        return False
    task = words.actor(loop.task)
    within = isinstance(task, Task) and not below_application(task)
    return not within or loop.timers != 0 or loop.watched != 0


def _alone(loop: EventLoop, thread: Thread, others: list[Task]) -> bool:
    """Whether the loop has this task alone, which looks again by itself: nobody is known to wait
    for the loop."""
    call = thread.syscall
    return loop.task is not None and not others and call is not None and call.timed is True


def _has_task(cycle: Cycle | None, words: Words) -> bool:
    actors = words.actors(cycle.nodes) if cycle else []
    return any(isinstance(actor, Task) for actor in actors)


def _finding(loop: EventLoop, thread: Thread, words: Words) -> Finding:
    task = words.actor(loop.task) if loop.task else None
    culprit = words.actor_name(task) if task else "a callback"
    name = words.thread_name(thread)
    wait = words.graph.wait_of(thread.id)
    call = thread.syscall
    sleeps = wait is None and call is not None and call.sleeps
    called = f" in {call.name}" if call and not sleeps else ""
    inside = f" {words.goal(wait)}" if wait else called
    verb = "sleep" if sleeps else "wait"
    others = [other for other in words.tasks_of(loop) if other is not task]
    where, terms = place(thread), terms_of(loop)
    return Finding(
        id=ID,
        severity=Severity.NOTE if _alone(loop, thread, others) else Severity.WARNING,
        certainty=Certainty.PROVEN,
        title=f"{terms.loop.capitalize()} blocked: {culprit} makes {name} {verb}"
        f"{at(own_frame(thread))}{inside}{whose(thread.id, words) if wait else ''}",
        sentence=(
            f"{culprit[:1].upper()}{culprit[1:]} blocks the {terms.whole} of {name}: it {verb}s"
            f"{f' at {where}' if where else ''}{callers_of(thread, own_frame(thread))}{inside}, "
            f"and until that returns the {terms.short} serves no other {terms.unit}, timer or "
            f"connection{_waiting(others, terms.unit)}.{_held(wait, thread, words)}"
        ),
        threads=(ref(thread),),
        tasks=(loop.task,) if loop.task else (),
        subject=thread.id,
        evidence=(
            f"the {terms.loop} is inside {culprit}: its frames are on the stack of {name}",
            *_leads(thread),
            *([words.reading(wait)] if wait else []),
            stillness([thread], loop=True),
        ),
        advice=_advice(loop, thread, words),
    )


def _held(wait: Edge | None, thread: Thread, words: Words) -> str:
    """Who holds or could end what the thread waits for, and what that one waits for in turn, as
    sentences; or that nobody is seen to."""
    if wait is None:
        return ""
    pool = words.resource(wait.target)
    if pool is not None and pool.lends is not None:
        told = [*told_holders(pool, words), lost(pool)]
        return "".join(f" {one}" for one in told if one)
    return onward(wait.source, words).text or told_unended(wait, thread, words)


def _advice(loop: EventLoop, thread: Thread, words: Words) -> tuple[str, ...]:
    """Only for a call that the line makes: not where the collector or a finalizer waits, which may
    strike at any line, nor where C code waits of which nothing was read."""
    stack = thread.python_stack or ()
    terms = terms_of(loop)
    called = application_index(stack) != 0 or thread.native_stack is not None
    if not called or collecting(thread) or case_of(thread, words) is not None:
        return ()
    return (
        (f"{terms.instead}{at(own_frame(thread))}, or move it into a thread: {terms.in_thread}."),
    )


def _waiting(others: list[Task], unit: str) -> str:
    return f" ({counted(len(others), f'other {unit}')})" if others else ""


def _leads(thread: Thread) -> list[str]:
    line, innermost = told(own_frame(thread)), (thread.python_stack or (None,))[0]
    if not line or innermost is None:
        return []
    return [f"the call was made at {line}; the innermost frame is {function_of(innermost)}"]
