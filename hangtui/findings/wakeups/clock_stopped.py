"""Tasks that wait for timers by a clock that stands."""

from typing import NamedTuple

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.beyond_doubt import waking_signals
from hangtui.findings.english import clauses
from hangtui.findings.grounds import NOBODY
from hangtui.findings.inert import wait_inside, waits_for_work
from hangtui.findings.outside.traffic import own_ends
from hangtui.findings.pools import position
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.wakeups.loop_tasks import told
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    EventLoop,
    Finding,
    LoopState,
    NodeId,
    NodeKind,
    Process,
    Severity,
    Task,
    TaskState,
    Thread,
    thread_id,
)

ID = "clock-stopped"
_MOCK = "trio's MockClock"
GROUND = NOBODY
HELP = """\
An event loop of asyncio wakes its tasks by `time.monotonic()`. A test that stops the time, as
`freezegun.freeze_time()` does, stops that clock too: `asyncio.sleep(0.1)` lasts until the time is
moved on or the test lets it go, and no timeout runs out. The `MockClock` of trio's tests stands,
too, unless it is given a rate or told to jump.

How it is known: the package has a time that stands, and all timers of the loop lie years ahead of
the machine's own clock; or the loop has a `MockClock` of which neither is set. It is an error if
several looks saw that for a second or more, all tasks of the loop wait, it has no connection, no
signal has a handler, and every other thread waits for what only this process could do: nobody is
left who could move the time on. A `MockClock` in a single look is a note.
"""


class _Clock(NamedTuple):
    """What is said of one that stands."""

    stands: str
    stopped: str
    known: str
    moves: str
    """When it goes on."""
    advice: str


_CLOCKS = {
    "freezegun": _Clock(
        "freezegun has stopped the clock of its event loop",
        "freezegun has stopped time.monotonic()",
        "freezegun has a time that stands, and none of the loop's timers comes due within a year "
        "by the machine's own clock",
        "tick() or move_to() is called, or freeze_time() ends",
        "Leave asyncio its clock: freeze_time(..., real_asyncio=True), from freezegun 1.4 on, or "
        "freeze_time(..., ignore=['asyncio']); or let the time run: freeze_time(..., tick=True).",
    ),
    _MOCK: _Clock(
        "trio's MockClock stands",
        "trio's MockClock stands",
        "the MockClock has a rate of 0, and no autojump_threshold by which it would jump to the "
        "next timer",
        "its jump() is called, or its rate is set",
        "Let it jump: MockClock(autojump_threshold=0); or give it a rate, or call jump().",
    ),
}


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each loop with such timers whose tasks all wait."""
    words = words_of(capture, graph)
    found = []
    for loop in capture.event_loops:
        process = capture.process(loop.pid)
        thread = words.thread(thread_id(loop.pid, loop.tid)) if loop.tid is not None else None
        if loop.stopped_clock not in _CLOCKS or process is None or thread is None:
            continue
        tasks = words.tasks_of(loop)
        if tasks and all(task.state is TaskState.WAITING for task in tasks):
            found.append(_finding(loop, thread, process, _last(tasks, words), words))
    return found


def _last(tasks: list[Task], words: Words) -> list[Task]:
    """Those that wait for no other one, who sleeps first."""
    ids = {task.id for task in tasks}
    ends = [task for task in tasks if not _awaits_one_of(task, ids, words)]
    return sorted(ends or tasks, key=lambda task: task.sleep is None)


def _awaits_one_of(task: Task, ids: set[NodeId], words: Words) -> bool:
    return any(wait.target in ids for wait in words.graph.waits_of(task.id))


def _finding(
    loop: EventLoop, thread: Thread, process: Process, tasks: list[Task], words: Words
) -> Finding:
    clock, one = _CLOCKS[loop.stopped_clock or ""], tasks[0]
    alone = _lasts(thread, words) and _alone(loop, thread, process, words)
    who = words.actor_name(one)
    total = one.sleep.total_s if one.sleep else None
    what = f"a sleep of {total:g} s" if total is not None else "what a timer would end"
    where = f" at {position(one)}" if position(one) else ""
    left = (
        "Nobody is left in this process who could do so"
        if alone
        else "Whether anybody is to do so is not known"
    )
    return Finding(
        id=ID,
        severity=_severity(loop, thread, words, alone=alone),
        certainty=Certainty.PROVEN,
        title=f"{who} waits{where} for {what} that does not end: {clock.stands}",
        sentence=(
            f"{clauses(told(tasks, (), words))}. {clock.stopped}, by which "
            f"the {loop.library} event loop of {words.thread_name(thread)} wakes its tasks: no "
            f"timer of it comes due before {clock.moves}. {left}."
        ),
        threads=(ref(thread),),
        tasks=tuple(task.id for task in tasks),
        subject=one.id,
        evidence=(
            clock.known,
            *(f"{words.actor_name(task)} awaits {task.awaits}" for task in tasks[:NAMES_LISTED]),
        ),
        unknown=() if alone else (f"whether something will come to where {clock.moves}",),
        advice=(clock.advice,),
    )


def _severity(loop: EventLoop, thread: Thread, words: Words, *, alone: bool) -> Severity:
    """A test with a MockClock may be about to move it on."""
    if alone:
        return Severity.ERROR
    brief = loop.stopped_clock == _MOCK and not _lasts(thread, words)
    return Severity.NOTE if brief else Severity.WARNING


def _lasts(thread: Thread, words: Words) -> bool:
    """Whether several looks saw that its tasks did not move, however often the loop woke up."""
    seen = words.progress.get(thread.id)
    stays = seen is not None and (seen.same_stack or seen.unchanged_s >= STILL_S)
    return stays and seen is not None and seen.lasted_s >= STILL_S


def _alone(loop: EventLoop, thread: Thread, process: Process, words: Words) -> bool:
    """Whether neither a connection nor a signal nor another thread can make anybody move on."""
    others = [one for one in process.threads if one is not thread]
    inert = all(one.is_python and _cannot_act(one, loop, process, words) for one in others)
    idle = loop.state is LoopState.IDLE
    closed = (
        idle and loop.watched == own_ends(thread.id, words.capture) and loop.signal_handlers == 0
    )
    return closed and inert and waking_signals(process) == ()


def _cannot_act(thread: Thread, loop: EventLoop, process: Process, words: Words) -> bool:
    own = {task.id for task in words.tasks_of(loop)}
    waits = words.graph.waits_of(thread.id)
    for_tasks = bool(waits) and all(
        not wait.expires and wait.target.kind is NodeKind.TASK and wait.target in own
        for wait in waits
    )
    inside = wait_inside(thread, process, words) is not None
    return thread.blocked and (for_tasks or inside or waits_for_work(thread))
