"""A task that could go on, in an event loop that sleeps: nobody woke the loop."""

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.english import clauses, counted, joined, listed, stillness
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.pools import position
from hangtui.findings.stack_queries import (
    at,
    below_application,
    does,
    name_of,
    own_frame,
    stood_s,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    EventLoop,
    Finding,
    LoopState,
    Severity,
    Task,
    TaskState,
    Thread,
    thread_id,
)

ID = "loop-not-woken"
GROUND = ONE_WAIT
_MODULE = "<module>"
HELP = """\
An event loop of asyncio sleeps until a timer, a connection or its own wake-up socket ends that. A
future that another thread sets, or a callback that it queues with `call_soon()`, makes a task ready
but wakes nobody: only `loop.call_soon_threadsafe()` does. The task goes on when something else
wakes the loop, which may be never.

How it is known: what the task awaited is done, and the thread of its loop sleeps in the selector
and did not run. While it sleeps only another thread, or a signal handler, can have done that. It is
a warning if several looks saw it for a second or more; an error, if the loop has no timer and no
connection, and nobody else is left who could wake it.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each loop that sleeps although tasks of it are ready."""
    words = words_of(capture, graph)
    found = []
    for loop in capture.event_loops:
        thread = words.thread(thread_id(loop.pid, loop.tid)) if loop.tid is not None else None
        # Other libraries' loops say otherwise which of their tasks are ready.
        idle = loop.state is LoopState.IDLE and loop.library == "asyncio"
        if thread is None or not idle or thread.still is not True:
            continue
        ready = [task for task in words.tasks_of(loop) if task.state is TaskState.READY]
        if ready:
            found.append(_finding(loop, thread, ready, words))
    return found


def _run_by(thread: Thread) -> str:
    """``, which is run at app.py:52 (rate_batch),``: the application's line that runs a thread's
    loop; empty: none does, or the program begins there."""
    frame = own_frame(thread)
    begins = frame is None or name_of(frame) == _MODULE
    return "" if begins else f", which is run{at(frame)},"


def _finding(loop: EventLoop, thread: Thread, ready: list[Task], words: Words) -> Finding:
    name, stood = words.thread_name(thread), stood_s(thread, words)
    one = len(ready) == 1
    where = listed([f"{words.actor_name(task)} at {position(task)}" for task in ready])
    span = f" for {stood:.0f} s or more" if stood >= STILL_S else ""
    return Finding(
        id=ID,
        severity=Severity.WARNING if stood >= STILL_S else Severity.NOTE,
        certainty=Certainty.PROVEN,
        title=f"{where} could go on, but nothing woke the event loop of {name}, which has slept"
        f"{span}",
        sentence=(
            f"{where} {'is' if one else 'are'} ready to go on: what {'it' if one else 'they'} "
            f"awaited is done. But the asyncio event loop of {name}{_run_by(thread)} has slept"
            f"{span} in its selector: another thread, or a signal handler, set the result and "
            f"did not wake the loop. {_end(loop)}{_others(thread, words)}"
        ),
        threads=(ref(thread),),
        tasks=tuple(task.id for task in ready),
        subject=ready[0].id,
        owed=(loop.ending_timers, loop.watched) == (0, 0),  # it is ready, and not there to rest
        evidence=(
            *(
                f"{words.actor_name(task)} awaits nothing that is not done"
                for task in ready[:NAMES_LISTED]
            ),
            stillness([thread], loop=True),
        ),
        unknown=("who set the result: no record tells",),
        advice=(
            (
                "Set futures of asyncio from other threads with "
                "loop.call_soon_threadsafe(future.set_result, value), and start coroutines there "
                "with asyncio.run_coroutine_threadsafe(): both wake the loop."
            ),
            (
                "PYTHONASYNCIODEBUG=1 raises an error where another thread calls call_soon() or "
                "sets a future."
            ),
        ),
    )


def _others(thread: Thread, words: Words) -> str:
    """What the other threads do that stand below a line of the program, one of which may have set
    it, as a sentence; empty: there are none."""
    process = words.capture.process(thread.pid)
    threads = process.threads if process else ()
    others = [one for one in threads if one is not thread and below_application(one)]
    if not others:
        return ""
    stand = clauses([does(one, words) for one in others[:NAMES_LISTED]], len(others), NAMES_LISTED)
    who = "The other thread that runs the program's code, which may have done so"
    if len(others) > 1:
        who = "Other threads that run the program's code, one of which may have done so"
    return f" {who}: {stand}."


def _end(loop: EventLoop) -> str:
    """What may wake it yet."""
    counts = [(loop.timers, "timer"), (loop.watched, "connection")]
    if any(count is None for count, _ in counts):
        return "What else may wake it is not known."
    ways = [counted(count, name) for count, name in counts if count]
    if not ways:
        return "It has no timer and no connection that would wake it."
    return f"It goes on only once one of its {joined(ways)} wakes it."
