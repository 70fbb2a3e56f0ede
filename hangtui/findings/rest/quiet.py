"""A process in which nothing gets on, and of which it is not known whether that is wrong."""

from collections.abc import Iterable, Sequence

from hangtui.analysis.places import application_index, package_of
from hangtui.analysis.schedulers import unread_on
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.awaited_signals import sent_by_whom
from hangtui.findings.collectives import ONLY_RANKS, awaited_of_ranks
from hangtui.findings.english import clauses, counted, listed
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.on_the_way import doing, onward, whose
from hangtui.findings.other_end import at_other_end, told_other_end
from hangtui.findings.outside.rank_elsewhere import waiting_ranks
from hangtui.findings.outside.traffic import unread, watched, watches
from hangtui.findings.outside.waiting_in_library import waits_in_library
from hangtui.findings.polled import looked_at, polled_by, polling_each_other, told_changes
from hangtui.findings.reassurance import Reassures
from hangtui.findings.resources import noted
from hangtui.findings.rest.newcomers import newcomers
from hangtui.findings.rest.owed import lasted_s, left_behind, owes
from hangtui.findings.rest.rests import Rests, rests_of
from hangtui.findings.rest.shapes import awaits_unread, stops_clock
from hangtui.findings.rest.unanswered import Unanswered, left_to, peers, unanswered
from hangtui.findings.rhythm import wakes_often
from hangtui.findings.stack_queries import (
    at,
    at_call,
    depth_of,
    does,
    in_its_words,
    library_wait,
    main_thread,
    own_frame,
    package_entry,
    polls,
    still,
    unseen_children,
)
from hangtui.findings.suspended import not_rid, shutting_down, suspended
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.findings.written import nobody_comes, told_sharing, told_written
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeId,
    Process,
    Severity,
    Task,
    Thread,
    Watched,
    thread_id,
)

ID = "quiet"
GROUND = ONE_WAIT
HELP = """\
No other rule knows more: nothing makes progress, no wait is known to be wrong, and not every wait
is known to be right, as it would be in an [idle](idle.md) process. For each thread and each
suspended task that waits below a line of the application, the finding says where it stands, so that
somebody who knows the program can judge. Those at rest are counted. It is a warning if one of them
waited for a lock, a semaphore, a barrier or a result below the same line in all looks, over a
second or more, while none of the others waits for the clock, a connection or another process, and
the process has no children but such as are at rest. It is one, too, if the first of them is a task
that waits inside an installed package, while over one connection of its event loop an answer is due
and no timer may end that: it sent something over a second ago, and heard nothing since, from a peer
that is not seen to go on; and if all that could wake the process up are such connections. So it is
if a library shuts down meanwhile, and the first task has waited for over a second for what nobody
who is there is on the way to do.

How it is known: the kernel counts how often each thread was given a processor; one that ran, but
was asleep below the same line in every look of `hangtui check`, is waiting by polling. What a
thread waits for is read as for any other finding.
"""
REASSURES = {ID: Reassures.NO_MORE}

_MOST = 12
"""Threads and tasks that are told one by one."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such Python process."""
    words = words_of(capture, graph)
    rests, new, told = rests_of(words), newcomers(capture), waiting_ranks(capture)
    found = []
    for process in capture.processes:
        main = main_thread(process)
        if main is None or main.id in told:
            continue
        threads = [thread for thread in process.threads if thread.is_python]
        # A process that starts threads gets on.
        same = process.steady is not False and not any(t.id in new for t in threads)
        quiet = same and bool(threads) and all(stands(thread, words) for thread in threads)
        quiet = quiet and not any(waits_in_library(thread, words) for thread in threads)
        quiet = quiet and not rests.all_of(process)  # that is idle
        if quiet and not graph.cycle_of(main.id):
            found.append(_finding(process, main, threads, rests, words))
    return found


def stands(thread: Thread, words: Words) -> bool:
    """Whether it did not run, or woke up only to wait again on the same lines."""
    if thread.runs is None:
        return False
    return thread.blocked or polls(thread, words)


def _finding(
    process: Process, main: Thread, threads: list[Thread], rests: Rests, words: Words
) -> Finding:
    # A native thread that one of them waits for tells how the wait may end.
    awaited = [words.thread(edge.target) for t in threads for edge in words.graph.waits_of(t.id)]
    native = [t for t in awaited if t is not None and t not in threads]
    waiting = [*(t for t in (main, *threads) if rests.of(t) is None), *native]
    tasks = [*suspended(process, words), *not_rid(process, words)]
    # What an event loop waits for is what its tasks wait for.
    loops = {thread_id(task.pid, task.loop_tid or 0) for task in tasks} & rests.idle_loops
    waiting = [t for t in dict.fromkeys(waiting) if t.id not in loops]
    waiting.sort(key=lambda t: _rank(t, words))
    # Of thousands of tasks, so many are told and the others counted.
    stands = {t.id: _does(t, words) for t in waiting}
    stands |= {task.id: doing(task, words) for task in tasks[:_MOST]}
    untold = len(tasks[_MOST:])
    calm = [t for t in dict.fromkeys((main, *threads)) if t not in waiting and t.id not in loops]
    resting = [(t, rest) for t in calm if (rest := rests.of(t))]
    # A worker whose work does not come is to be seen, however often it looks like that.
    own = [one for one in resting if application_index(one[0].python_stack or ()) is not None]
    shown = own[:NAMES_LISTED] if stands else resting[:1]
    stands |= {t.id: f"{words.thread_name(t)} {rest.says}" for t, rest in shown}
    first, head = next(iter(stands.items()))
    on = onward(first, words)
    told = [clause for node, clause in stands.items() if node not in on.told]
    ran = [thread for thread in threads if polls(thread, words)]
    readings = [words.reading(edge) for t in threads for edge in words.graph.waits_of(t.id)]
    unseen = unseen_children(process, words.capture)
    by_clock = waiting and all(_sleeps(thread) for thread in waiting) and not tasks
    ending = shutting_down(process, words) if tasks else ""
    mutual = polling_each_other(first, ran, words)
    asking = [] if waiting else tasks
    connections = peers(loops, process, words) if asking else []
    due = unanswered(asking, loops, connections, words)
    bad = mutual or (due is not None and not due.calm) or (ending and left_behind(first, words))
    by_whom = f"{mutual or _whose(first, words)}{due.silent if due else ''}"
    short = due.says if due and due.says else f"{head}{by_whom}"
    unknown = _left_to(connections, due, words)
    if not (unknown or by_clock or on.known):
        unknown = _unheard(first, words)
    more = len(resting) - len(shown)
    which = f"{more} more" if shown else counted(more, "thread")
    tail = f"; {which} at rest" if more and waiting else ""
    others = clauses(told, len(told) + untold, _MOST - 1)
    where = f"Where it stands: {'; '.join(filter(None, (head, others)))}{tail}."
    if on.text:
        where = f"Where it stands: {head}.{on.text}{f' Besides, {others}{tail}.' if others else ''}"
    return Finding(
        id=ID,
        severity=Severity.WARNING if bad or owes(process, waiting, rests, words) else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"Process {process.pid} {_standing(threads, words)}: {short}"
        f"{f', while {ending}' if ending else ''}{f'; {unseen}' if unseen else ''}",
        sentence=(
            f"{_number(threads, ran, words)} while process {process.pid} ({process.title}) was "
            f"watched. {where}{in_its_words(words.actor(first))}"
            f"{f' Meanwhile {ending}.' if ending else ''}"
            f"{_watched_by(loops, words) if tasks else ''}{unknown}"
            f"{_by_stopped_clock(first, words)}{told_changes(first, words)}"
            f"{unread(process.pid, words.capture, _package(waiting, tasks))}"
        ),
        threads=tuple(ref(thread) for thread in _concerned(main, waiting, [t for t, _ in resting])),
        tasks=tuple(task.id for task in tasks[:_MOST]),
        subject=process.id,
        processes=(process.pid,),
        evidence=(
            *readings[:NAMES_LISTED],
            *(_woke(thread, words) for thread in ran[:NAMES_LISTED]),
            *([] if ran else [still(threads)]),
        ),
        unknown=(
            "whether what it waits for will come: only somebody who knows the program can tell",
        ),
        advice=(
            *((f"Look at its children too: hangtui --children {process.pid}.",) if unseen else ()),
            (
                f"If it should be working: run hangtui check {process.pid} again in a minute. If "
                "nothing has moved, follow the first wait to whoever should end it."
            ),
        ),
    )


def _whose(first: NodeId, words: Words) -> str:
    """Who could end the first wait, or has the other end of its connection."""
    wait = words.graph.wait_of(first)
    there = at_other_end(wait, words) if wait else []
    if not there:
        return whose(first, words)
    names = listed([words.actor_name(one) for one in there])
    return f"; at the other end {names} {'waits' if len(there) == 1 else 'wait'} as well"


def _left_to(connections: list[Watched], due: Unanswered | None, words: Words) -> str:
    """Who at the other end of a connection is to end the wait; empty: that is not it."""
    if connections:
        return left_to(connections, words)
    answers = due is not None and due.says is not None
    return " As far as can be seen, whoever has the other end of that is to answer." * answers


def _unheard(first: NodeId, words: Words) -> str:
    """That it is not known who should end the first wait, with what is."""
    wait, actor = words.graph.wait_of(first), words.actor(first)
    if wait and (there := at_other_end(wait, words)):
        return told_other_end(there, words)
    resource = words.resource(wait.target) if wait else None
    unknown = f" Who should end that is not known{noted(resource)}"
    process = words.capture.process(first.pid) if first.pid else None
    if isinstance(actor, Thread) and process and (signals := sent_by_whom(actor, process)):
        return signals
    if isinstance(actor, Thread) and awaited_of_ranks(actor):
        return f" {ONLY_RANKS}"
    if wait is None or actor is None or not nobody_comes(wait, words):
        return f"{unknown}."
    seen = "no thread and no task that is there is seen on the way to do so"
    return f"{unknown}: {seen}.{told_written(resource, actor)}{told_sharing(wait, words)}"


def _by_stopped_clock(first: NodeId, words: Words) -> str:
    """That the timeout of the first wait may never run out."""
    actor = words.actor(first)
    package = stops_clock((actor.python_stack if actor else None) or ())
    timed = isinstance(actor, Thread) and actor.syscall is not None and actor.syscall.timed
    if not package or not timed:
        return ""
    return (
        f" {package} called that line, and stops the clock of Python code unless it is told not "
        "to: a timeout that is counted by that does not run out."
    )


def _standing(threads: list[Thread], words: Words) -> str:
    """``has stood still for 2 s or more``, if all of them were seen so for a second. Of those that
    ran in between it is only known where each look met them."""
    if any(polls(thread, words) for thread in threads):
        return "was met below the same lines in every look"
    lasted = min(lasted_s(thread, words) for thread in threads)
    return f"has stood still for {lasted:.0f} s or more" if lasted >= STILL_S else "stands still"


def _concerned(main: Thread, waiting: list[Thread], resting: list[Thread]) -> list[Thread]:
    """The threads that it is about: all that wait, for none of them may be taken as told."""
    return (waiting or [main, *resting][:1])[:_MOST]


def _package(threads: Sequence[Thread], tasks: Sequence[Task]) -> str | None:
    """The first package that one of them waits in."""
    stacks = {id(task.python_stack): task for task in reversed(tasks)}
    entries = (package_entry(task) for task in reversed(stacks.values()))
    found = (*map(library_wait, threads), *(package_of(one) for one in entries if one))
    return next(filter(None, found), None)


def _watched_by(loops: Iterable[NodeId], words: Words) -> str:
    """Which connections wake up the event loops of the tasks, if these are few."""
    threads = words.threads(loops)
    few = len(watched(threads, words.capture)) <= NAMES_LISTED
    return watches(threads, words.capture, "Its event loop") if few else ""


def _number(threads: list[Thread], ran: list[Thread], words: Words) -> str:
    if ran:
        again = "those that ran went back to sleep below the same lines"
        if moved := _moved(ran, words):
            return f"{again.capitalize()}, but {moved},"
        return f"No Python thread was seen to make progress: {again}"
    several = len(threads) > 1
    return (
        f"None of the {len(threads)} Python threads ran" if several else "Its only thread never ran"
    )


def _moved(threads: list[Thread], words: Words) -> str:
    """``data came over the TCP connection to 10.0.0.1:80``, of what a thread that ran waits for or
    watches, since the first look at it: who takes or gives data gets on, wherever it is met."""
    for thread in threads:
        lasted = words.progress[thread.id].lasted_s
        awaited = [words.resource(wait.target) for wait in words.graph.waits_of(thread.id)]
        seen = [(words.name(one.id), one.traffic) for one in awaited if one]
        seen += [
            (f"the {w.name}", w.traffic) for w in words.capture.watched if w.thread == thread.id
        ]
        for name, traffic in seen:
            if traffic is None:
                continue
            for what, ago in (("came", traffic.received_s), ("went out", traffic.sent_s)):
                if ago is not None and ago < lasted:
                    return f"data {what} over {name}"
    return ""


def _woke(thread: Thread, words: Words) -> str:
    seen = words.progress[thread.id]
    times = f"woke up {seen.wakes} times" if seen.wakes else "woke up"
    return (
        f"{words.thread_name(thread)} {times} in {seen.lasted_s:.1f} s, and was below the same "
        f"line in each of {counted(seen.looks, 'look')}: it "
        f"{_again(thread, words)}"
    )


def _again(thread: Thread, words: Words) -> str:
    if words.progress[thread.id].returned:
        return "came back there in between"
    return "sleeps there again" if _comes_back(thread, words) else "waits by polling"


def _sleeps(thread: Thread) -> bool:
    """Whether the clock ends it; a library that sleeps looks in between for something else."""
    sleeps = thread.syscall is not None and thread.syscall.sleeps
    return sleeps and not depth_of(thread, own_frame(thread))


def _does(thread: Thread, words: Words) -> str:
    stack = thread.python_stack or ()
    unread = unread_on(thread, words.capture, stack[: application_index(stack)])
    if unread:
        library, units = unread
        return f"{words.thread_name(thread)} runs the loop of {library}, whose {units} are not read"
    if awaits_unread(stack) and thread.id in rests_of(words).idle_loops:
        where = at(stack[application_index(stack) or 0])
        return f"{words.thread_name(thread)} waits in run_sync(){where} for what that runs to end"
    if joint := awaited_of_ranks(thread):
        return f"{words.thread_name(thread)} waits{at_call(thread)} {joint.removesuffix(',')}"
    if not polls(thread, words):
        return does(thread, words)
    polled = polled_by(thread.id, words)
    how = "again and again" if _comes_back(thread, words) else "by polling"
    if polled is not None:
        how = f"by polling {looked_at(polled)}"
    looks = depth_of(thread, own_frame(thread)) and not words.graph.waits_of(thread.id)
    if not thread.asleep or looks:  # it was about to go back to sleep, or a library does so
        return f"{words.thread_name(thread)} waits{at_call(thread)}, {how}"
    return f"{does(thread, words)}, {how}"


def _comes_back(thread: Thread, words: Words) -> bool:
    """Whether it surely left that line, as one that asks again below it did not; or sleeps there
    itself, and seldom wakes up: each time may be another piece of its work."""
    seen = words.progress[thread.id]
    return seen.returned or (_sleeps(thread) and not wakes_often(seen))


def _rank(thread: Thread, words: Words) -> tuple[bool, bool]:
    """What hangs the application first, and of that who does not merely wait for another thread."""
    wait = words.graph.wait_of(thread.id)
    behind = wait is not None and words.thread(wait.target) is not None
    return not _below_application(thread), behind


def _below_application(thread: Thread) -> bool:
    """Whether it waits below a line of the application, and is no loop that stands for others."""
    index = application_index(thread.python_stack or ())
    return index is not None
