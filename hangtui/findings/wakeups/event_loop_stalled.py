"""An event loop that nothing in its process can wake, while tasks wait in it."""

from collections.abc import Iterable, Sequence

from hangtui.analysis.places import package_of
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.backlog import told_own_knocking
from hangtui.findings.beyond_doubt import (
    NO_REST,
    gives,
    in_a_test,
    no_rest,
    nobody_will,
    task_no_rest,
)
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.ended import told_any_gone
from hangtui.findings.english import clauses, joined, stillness
from hangtui.findings.grounds import NOBODY
from hangtui.findings.housekeepers import keeps_house
from hangtui.findings.inert import wait_inside
from hangtui.findings.loop_wakers import waits_for_loop, waits_for_own_child
from hangtui.findings.loops import terms_of
from hangtui.findings.on_the_way import onward
from hangtui.findings.outside.traffic import (
    reading_paused,
    unread,
    unread_advice,
    while_unread,
)
from hangtui.findings.package_queries import package_entry
from hangtui.findings.pools import position
from hangtui.findings.resources import kept_by_generator
from hangtui.findings.stack_queries import below_application, way_of
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.wakeups import loop_tasks
from hangtui.findings.wakeups.beside_loop import (
    Beside,
    advice_for,
    awaited_of,
    leading,
    telling_first,
)
from hangtui.findings.wakeups.event_loop_advice import advice
from hangtui.findings.wakeups.for_whom import of_application
from hangtui.findings.wakeups.loop_roots import kinds_of, roots, told_first
from hangtui.findings.wakeups.loop_sources import (
    connection,
    connections,
    dropped,
    lost_of,
    notes_of,
    timer,
    timers,
)
from hangtui.findings.wakeups.never_given import (
    kept,
    told_kept,
    told_open,
    told_unbegun,
    unbegun,
)
from hangtui.findings.wakeups.stalled_loops import stalled
from hangtui.findings.wakeups.who_would import told_failures, who_would
from hangtui.findings.words import Words, ref, words_of
from hangtui.findings.written import told_unrun
from hangtui.model import (
    Capture,
    Certainty,
    EventLoop,
    Finding,
    NodeId,
    NodeKind,
    Process,
    Severity,
    Task,
    Thread,
    thread_id,
)

ID = "event-loop-stalled"
GROUND = NOBODY
HELP = """\
Tasks wait in an event loop of asyncio or trio for a future that nobody will set.

How it is known: the loop is idle; it has no timer, no connection and no signal handler that could
wake it; a connection of which no other process has an end could not, nor could a stream at which no
task waits: what comes there is kept; nor a timer by which aiohttp closes connections that rest.
Every other thread waits, without a timeout, for these tasks, for work, for what only another
thread of the process could do, or for the end of a child that waits for its process in turn; or it
is one of a library that only looks after others by the clock, as the one that draws bars anew.
It is an error if several looks saw that nobody ran for a second or
more, no signal has a handler, and there are several tasks, it is a test that runs, or one of the
waits is of a kind that nobody rests in: for a lock, a semaphore, a pool, room in a queue or a
stream, a library's own event or condition, or the end of the threads of an executor that is being
shut down; or if a task was told to end (cancelled, or its scope of trio was) and waits on; or if
data lies unread in a connection whose transport is paused, so that not even its end is noticed.
"""

_FEW_PLACES = 2
"""Lines of the application that a title has room for."""
_SIGNALS = "whether a signal whose handler was not set with the loop will wake it"


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such event loop; one whose tasks deadlock is explained by that."""
    words = words_of(capture, graph)
    found = []
    for loop in capture.event_loops:
        process = capture.process(loop.pid)
        tasks = words.tasks_of(loop)
        if process is None or not tasks:
            continue
        actors = (*(task.id for task in tasks), *(thread.id for thread in process.threads))
        if graph.cycles and any(_in_ring(actor, graph) for actor in actors):
            continue
        thread = words.thread(thread_id(loop.pid, loop.tid)) if loop.tid is not None else None
        if thread is not None and stalled(loop, thread, process, words):
            found.append(_finding(loop, thread, process, told_first(tasks, words), words))
    return found


def _in_ring(node: NodeId, graph: WaitGraph) -> bool:
    """Whether it surely is: that tells more."""
    cycle = graph.cycle_of(node)
    return cycle is not None and cycle.certainty.supports_claim


def _finding(
    loop: EventLoop, thread: Thread, process: Process, tasks: list[Task], words: Words
) -> Finding:
    beside = _beside(loop, thread, process, words)
    first = leading(beside, tasks, words)
    behind = [one for one in process.threads if one is not thread]
    behind = [one for one in behind if waits_for_loop(one, loop, words)]
    others = [one.told(words) for one in beside[:NAMES_LISTED]]
    stand = loop_tasks.told(tasks, beside, words)
    told = clauses([*others, *stand] if first else [*stand, *others])
    after = (*loop_tasks.tasks_behind(tasks, words), *loop_tasks.threads_behind(behind, words))
    told = "; ".join([told, *after])
    waits = [edge for task in tasks for edge in words.graph.waits_of(task.id)]
    all_waits = [*(one.wait for one in beside), *waits]
    certainty = as_sure_as(Certainty.PROVEN, *all_waits)
    never = nobody_will(process, process.threads, words)
    # One task alone may be there to keep the program alive until it is killed.
    several = len(words.tasks_of(loop)) > 1 or in_a_test(process)
    owed = not kinds_of(waits).isdisjoint(NO_REST | {NodeKind.FUTURE}) and any(
        task_no_rest(wait, way_of(wait, words), words) for wait in waits
    )
    owed |= any(
        task.cancels or task.cancelled_at for task in tasks
    )  # one that was told to end is not there to rest
    owed |= any(map(gives, loop_tasks.one_of_each_stack(tasks)))
    owed |= any(True for _ in kept(tasks, words))
    owed |= reading_paused(process.pid, words.capture)
    owed |= any(no_rest(*one, way_of(one.wait, words), words) for one in beside)
    children = any(waits_for_own_child(one, words) for one in process.threads)
    owed |= children
    sure = never and (several or owed)
    name, alone = words.thread_name(thread), _alone(process, beside, children=children)
    ends = [first.wait] if first else _of_roots(tasks, words)
    ring = not ends and len({edge.source for edge in waits}) > 1
    would = "; they wait for each other" if ring else who_would(ends, words)
    # What a thread is to bring is told as such, and need not be known for this.
    threads = [one.thread.id for one in beside]
    targets = [
        target
        for target in dict.fromkeys(wait.target for wait in all_waits)
        if not any(hold.target in threads for hold in words.graph.holders_of(target))
    ]
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure and certainty.supports_claim else Severity.WARNING,
        certainty=certainty,
        title=f"Nothing can wake the {terms_of(loop).loop} of {name}, "
        f"{_and_who(first, tasks, words)}{would}"
        f"{while_unread(process.pid, words.capture, _package(tasks) or loop.library)}",
        sentence=(
            f"{told}. The {terms_of(loop).whole} of {name} is idle, without {timer(loop)}, "
            f"{connection(loop)} or a signal handler, and {alone}, so nothing "
            f"in this process can end {'these waits' if beside else 'the wait'}."
            f"{onward(tasks[0].id, words).text if children else ''}"
            f"{_by_generators(all_waits, words)}"
            f"{told_unrun(all_waits, words) or _gone(process, waits, words)}"
            f"{dropped(loop)}{told_own_knocking(thread.id, words)}"
            f"{unread(process.pid, words.capture, _package(tasks) or loop.library)}"
            + "".join(map(told_unbegun, unbegun(tasks, words)))
            + "".join(f" {one}" for one in told_failures(all_waits, words))
            + "".join(told_kept(tasks, words))
            + "".join(lost_of(tasks, words))
            + "".join(told_open(tasks, words))
            + _forked(process, waits, words)
        ),
        threads=(
            *(ref(thread), *(ref(one.thread) for one in beside)),
            *map(ref, loop_tasks.shown_behind(behind, words)),
        ),
        tasks=tuple(task.id for task in tasks),
        subject=first.thread.id if first else of_application(tasks, words)[0].id,
        resources=tuple(targets),
        evidence=(
            (
                f"the loop ({loop.type_name}) has {timers(loop)}, watches {connections(loop)} and "
                f"handles 0 signals; {alone}"
            ),
            *(words.reading(one.wait) for one in beside[:NAMES_LISTED]),
            *(f"{words.actor_name(task)} awaits {task.awaits}" for task in tasks[:NAMES_LISTED]),
            *notes_of(tasks[:NAMES_LISTED], words),
            stillness([thread, *(one.thread for one in beside)], loop=not beside),
        ),
        unknown=() if never else (_SIGNALS,),
        advice=(
            *unread_advice(process.pid, _package(tasks) or loop.library, words.capture),
            advice_for(first, words) if first else advice(loop, tasks, words),
        ),
    )


def _and_who(first: Beside | None, tasks: list[Task], words: Words) -> str:
    """The second half of the title."""
    shown = of_application(tasks, words)
    alone = len(shown) == 1
    if first is not None:
        asked = awaited_of(shown[0], [first], words) if alone and position(shown[0]) else None
        waits = f"{words.thread_name(first.thread)}, which {first.waits(words)}"
        if asked is None or below_application(first.thread):
            return f"nor {waits}"
        # What the library's own thread was given says less than who gave it that.
        where = f"at {position(shown[0])} {asked}, which {first.waits(words)}"
        return f"and {loop_tasks.names(shown, words)} waits in it {where}"
    own = (one for one in loop_tasks.one_of_each_stack(shown) if below_application(one))
    places = list(dict.fromkeys(position(one) for one in own))
    if alone:
        places = [position(shown[0])] if position(shown[0]) else []
    few = 0 < len(places) <= _FEW_PLACES
    where = f"{'' if alone else ','} at {joined(places)}" if few else ""
    for_ = loop_tasks.goal(shown, words) if few else ""
    return f"and {loop_tasks.names(shown, words)} {'waits' if alone else 'wait'} in it{where}{for_}"


def _by_generators(waits: Iterable[Edge], words: Words) -> str:
    """Which suspended generators have what is waited for, as sentences."""
    found = (kept_by_generator(words.resource(wait.target)) for wait in waits)
    return "".join(f" {one}." for one in list(dict.fromkeys(filter(None, found)))[:NAMES_LISTED])


def _of_roots(tasks: list[Task], words: Words) -> list[Edge]:
    """The waits of those that wait for nothing which another one of *tasks* has or would bring."""
    first = roots(tasks, words)
    return [wait for task in tasks if task.id in first for wait in words.graph.waits_of(task.id)]


def _beside(loop: EventLoop, thread: Thread, process: Process, words: Words) -> list[Beside]:
    """What the other threads wait for that wait neither for the loop's tasks nor for work; first
    what tells most."""
    others = [one for one in process.threads if one is not thread]
    others = [one for one in others if not waits_for_loop(one, loop, words)]
    waits = ((one, wait_inside(one, process, words)) for one in others)
    return telling_first((Beside(one, wait) for one, wait in waits if wait is not None), words)


def _alone(process: Process, beside: Sequence[Beside], *, children: bool) -> str:
    if len(process.threads) == 1:
        return "there is no other thread"
    if children:
        return "its other threads wait as well, one for a child that waits for this process"
    if not beside and any(map(keeps_house, process.threads)):
        return "all other threads wait for its tasks or for work, or look after others by the clock"
    if not beside:
        return "all other threads wait for its tasks, or for work"
    return "all other threads wait as well"


def _gone(process: Process, waits: Iterable[Edge], words: Words) -> str:
    """`` 1 thread that ran Python in process 123 has ended ...``, where a result is waited for and
    no thread is left that could bring it."""
    if len(process.threads) > 1 or NodeKind.FUTURE not in kinds_of(waits):
        return ""
    return told_any_gone(process, words.process_name(process.pid))


def _forked(process: Process, waits: Iterable[Edge], words: Words) -> str:
    """Of a fork that has no other thread, where a result is waited for: who was to bring it may
    have stayed behind."""
    parent = process.around.forked_from if process.around else None
    if parent is None or len(process.threads) > 1 or NodeKind.FUTURE not in kinds_of(waits):
        return ""
    return (
        f" The process was forked from {words.process_name(parent)}: fork() copies only the thread "
        "that calls it, so those that were there to do such work are in that one alone."
    )


def _package(tasks: Sequence[Task]) -> str | None:
    """The package that the first of them waits in."""
    entry = package_entry(tasks[0])
    return package_of(entry) if entry else None
