"""A task that was asked to end, goes on to wait, and is waited for."""

from collections.abc import Iterator
from typing import NamedTuple

from hangtui.analysis.places import program_frame
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.by_the_clock import goes_on
from hangtui.findings.doing import doing
from hangtui.findings.english import counted, stillness
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.pools import position
from hangtui.findings.stack_queries import at, name_of, polls, stood_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    EventLoop,
    Finding,
    LoopState,
    NodeKind,
    Severity,
    Task,
    TaskState,
    Thread,
    thread_id,
)

ID = "cancel-ignored"
GROUND = ONE_WAIT
HELP = """\
`task.cancel()` raises CancelledError at the line where a task of asyncio waits. A task that catches
it and goes on, as by a bare `except:`, `except BaseException` or a `finally` that awaits, does not
end; whoever awaits the task, a TaskGroup, or the end of `asyncio.run()` waits with it: that cancels
all tasks that are left, and awaits them before it returns.

How it is known: from CPython 3.11 on a task counts how often it was asked to be cancelled and did
not take that back by `uncancel()`; the task is suspended at another wait since, somebody awaits it,
and the thread of its loop sleeps in the selector, each time that it is looked at. A clean-up that
takes its time looks the same, so it is a note at first, and where the loop has a timer that may end
the wait within a minute, or who is to bring what the task awaits sleeps by the clock; it is a
warning if several looks saw that the loop did not run for a second or more.

The same is told of a greenlet of gevent that somebody waits for in the call that killed it,
`kill()` or `killall()`: these raise GreenletExit where it waits.
"""


_CLEANS_UP, _RUNNERS = "_cancel_all_tasks", "/asyncio/runners.py"
_SOON_S = 60.0
"""What ends later is what somebody on call wants to hear of."""


class _Waiters(NamedTuple):
    """Who waits for the end of a task."""

    told: str
    """``task serve waits at app.py:9 (serve)``."""
    edges: tuple[Edge, ...]


class _Asked(NamedTuple):
    """How somebody was asked to end."""

    was: str
    how: str
    error: str
    """What was raised where it waited."""
    called: str
    """``, in gevent.killall(),``: where that is waited for, if it is the same call."""
    proof: str
    bound: str
    """What gives a wait an end."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each task that was cancelled, waits on, and is awaited."""
    words = words_of(capture, graph)
    return [
        _finding(task, waiters, loop, thread, words)
        for loop, thread in _resting(words)
        for task in words.tasks_of(loop)
        if task.cancels
        and loop.library != "trio"
        and _is_last(task, words)
        and (waiters := _waiters(task, thread, words))
    ]


def _resting(words: Words) -> Iterator[tuple[EventLoop, Thread]]:
    for loop in words.capture.event_loops:
        thread = words.thread(thread_id(loop.pid, loop.tid)) if loop.tid is not None else None
        if thread is None or loop.state is not LoopState.IDLE:
            continue
        if thread.still is True or polls(thread, words):
            yield loop, thread


def _is_last(task: Task, words: Words) -> bool:
    """Whether it waits, and for no task: one that does was told to cancel that first."""
    own = words.graph.waits_of(task.id)
    return task.state is TaskState.WAITING and all(e.target.kind is not NodeKind.TASK for e in own)


def _waiters(task: Task, thread: Thread, words: Words) -> _Waiters | None:
    """Who awaits a task; the end of ``asyncio.run()`` awaits all that there are."""
    edges = words.graph.waiters_of(task.id)
    if edges:
        awaiting = words.actor(edges[0].source)
        where = f" at {position(awaiting)}" if isinstance(awaiting, Task) else ""
        more = f" and {len(edges) - 1} more" if len(edges) > 1 else ""
        return _Waiters(f"{words.name(edges[0].source)}{more} waits{where}", edges)
    stack = thread.python_stack or ()
    if any(name_of(one) == _CLEANS_UP and one.filename.endswith(_RUNNERS) for one in stack):
        where = at(program_frame(stack))
        return _Waiters(f"asyncio.run(), about to return, waits{where}", ())
    return None


def _finding(
    task: Task, waiters: _Waiters, loop: EventLoop, thread: Thread, words: Words
) -> Finding:
    name, stood, asked = words.actor_name(task), stood_s(thread, words), _asked(task)
    wait = words.graph.wait_of(task.id)
    does = doing(task, words).removeprefix(f"{name} ")
    soon = loop.timers and (loop.due_s is None or loop.due_s < _SOON_S)
    lasts = stood >= STILL_S and not soon and not goes_on(task, words)
    return Finding(
        id=ID,
        severity=Severity.WARNING if lasts else Severity.NOTE,
        certainty=Certainty.PROVEN,
        title=(
            f"{name} was {asked.was} and goes on to wait; {waiters.told}{asked.called} for its end"
        ),
        sentence=(
            f"{name} {does}, although it was asked to end: {asked.how}, and it caught "
            f"{asked.error}, or is still cleaning up. {waiters.told}{asked.called} for it to end, "
            f"which nobody else can do in its place. {_timers(loop)}"
        ),
        threads=(ref(thread),),
        tasks=(task.id, *(e.source for e in waiters.edges if e.source.kind is NodeKind.TASK)),
        subject=task.id,
        resources=(wait.target,) if wait else (),
        evidence=(
            asked.proof,
            *(words.reading(edge) for edge in waiters.edges[:1]),
            *((words.reading(wait),) if wait else ()),
            stillness([thread], loop=True),
        ),
        unknown=(f"where it caught the {asked.error}: that frame may have returned",),
        advice=(
            (
                f"Let {asked.error} through in {task.function or name}: catch Exception instead of "
                "BaseException or of everything, and raise it again after cleaning up; bound what "
                f"is awaited meanwhile ({asked.bound})."
            ),
        ),
    )


def _timers(loop: EventLoop) -> str:
    if loop.timers is None:
        return "Whether a timer may end that is not known."
    if loop.timers:
        return f"Its loop has {counted(loop.timers, 'timer')}, which may end that."
    return "Its loop has no timer that would end that."


def _asked(task: Task) -> _Asked:
    if task.kind is NodeKind.GREENLET:
        call = f"{task.cancelled_by}()"
        return _Asked(
            *("killed", f"{call} was called for that", "GreenletExit", f", in {call},"),
            *(f"{call} waits until each greenlet has ended", "gevent.Timeout"),
        )
    often = "once" if task.cancels == 1 else f"{task.cancels} times"
    requests = counted(task.cancels, "request")
    return _Asked(
        *("cancelled", f"cancel() was called on it {often}", "CancelledError", ""),
        *(f"the task records {requests} to cancel it, not taken back", "asyncio.timeout"),
    )
