"""A process in which nothing gets on, and of which it is not known whether that is wrong."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from hangtui.analysis.places import application_index, package_of
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.analysis.whereabouts import where_of
from hangtui.findings.across import short_paused, told_paused
from hangtui.findings.dispatched import told_dispatched
from hangtui.findings.english import clauses
from hangtui.findings.entered_before import short_entered, short_had, told_entered, told_had
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.handled import after_error
from hangtui.findings.inert import OF_THE_PROCESS
from hangtui.findings.joined_in_vain import short_joined
from hangtui.findings.left_lying import left_lying
from hangtui.findings.lost_writers import writers_gone
from hangtui.findings.outside.held_senders import told_unread
from hangtui.findings.outside.library_peers import short_there, told_there
from hangtui.findings.outside.package_jobs import heard_by_native
from hangtui.findings.outside.rank_elsewhere import waiting_ranks
from hangtui.findings.outside.traffic import watched, watches
from hangtui.findings.outside.waiting_in_library import waits_in_library
from hangtui.findings.package_queries import in_its_words, library_wait, package_entry
from hangtui.findings.polled import polling_each_other, told_polling
from hangtui.findings.reassurance import Reassures
from hangtui.findings.remote_sides import other_side, short_handlers
from hangtui.findings.rest.by_whom import by_whom
from hangtui.findings.rest.engine_rests import resting_engine
from hangtui.findings.rest.kept_from import short_kept
from hangtui.findings.rest.kept_on import told_kept_on
from hangtui.findings.rest.left_open import told_left_open
from hangtui.findings.rest.lying import told_lying
from hangtui.findings.rest.newcomers import newcomers
from hangtui.findings.rest.out_of_reach import short_behind, short_untaken
from hangtui.findings.rest.owed import (
    ended_by_itself,
    left_behind,
    owed_in_ring,
    owes,
)
from hangtui.findings.rest.polls_for_ever import polls_for_ever
from hangtui.findings.rest.quiet_beside import beside
from hangtui.findings.rest.quiet_enders import left_to_whom, unheard, who_changes
from hangtui.findings.rest.quiet_order import MOST, Order, told_order
from hangtui.findings.rest.quiet_threads import (
    by_the_clock,
    how_many_ran,
    run_by_program,
    standing,
    told_callers,
    woke,
)
from hangtui.findings.rest.quiet_wrong import is_owed, waits_in_vain
from hangtui.findings.rest.rests import Rests, rests_of
from hangtui.findings.rest.unanswered import peers, unanswered
from hangtui.findings.stack_queries import main_thread, polls, stands, still
from hangtui.findings.suspended import shutting_down
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.unseen_children import look_at_children, unseen_children
from hangtui.findings.words import Words, ref, words_of
from hangtui.findings.written import told_code
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeId,
    Process,
    Severity,
    Task,
    Thread,
    Where,
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
and no timer may end that within the minute: it sent something over a second ago, and heard nothing
since, or nothing ever came, from a peer that is not seen to go on; and if all that could wake the
process up are such connections. So it is
if the first of them is a task that sleeps in a function of an installed package which is there to
wait (`wait_result()`), and was met there for over a
second, only to look again and again at what its loop ends by; or that waits in one with a time
limit, again and again, does nothing else, and is not left to serve, if nobody is left who could end
that; or the task that the program began
with, which waits for data of one in the same process that waits for data of it. So it is
if those who could end the first wait were met for over a second waiting for each other in turn, one
of them in what a server awaits, a request or its startup;
if a library shuts down meanwhile, and the first task has waited for over a second for what nobody
who is there is on the way to do; if the first thread has asked somebody who never answered, a name
server, say; if requests wait for an engine that has had nothing to run for
over a second; and if the first task waits for what only functions of the program would do which
nobody runs, below an event loop that nothing which runs Python can wake. And so it is if the first
waits for items to be taken from a queue, which only loops of the program do that nobody runs, or no
code that is known; or at a queue, a semaphore or a condition to which nothing leads but variables
of those that wait; or if it waits for an RLock whose owner has left what took it, and waits for its
next item of a queue. And it is one if a thread waits for the end of another one which waits for
an item that nobody is on the way to put, and no code that is known would.

How it is known: the kernel counts how often each thread was given a processor; one that ran, but
was asleep below the same line in every look of `hangtui check`, is waiting by polling. What a
thread waits for is read as for any other finding.
"""
REASSURES = {ID: Reassures.NO_MORE}


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
        in_libraries = frozenset(one.id for one in threads if waits_in_library(one, words))
        quiet = quiet and (not in_libraries or beside(threads, in_libraries, rests, words))
        # All at rest are idle, unless nobody takes what has come.
        quiet = quiet and bool(left_lying(process, capture) or not rests.all_of(process))
        if quiet and not graph.cycle_of(main.id):
            found.append(_finding(process, main, threads, in_libraries, rests, words))
    return found


def _finding(
    process: Process, main: Thread, threads: list[Thread], in_libraries: AbstractSet[NodeId],
    rests: Rests, words: Words,
) -> Finding:  # fmt: skip
    """*in_libraries*: those of the threads of which it is told that they wait in a library."""
    order = told_order(process, (main, *threads), in_libraries, rests, words)
    tasks, waiting, loops, on = order.tasks, order.waiting, order.loops, order.on
    first = order.first
    failed = after_error(first, words) if _sleeps(words.actor(first)) else ""
    head = f"{order.head}{failed}{run_by_program(first, words)}"
    ran = [thread for thread in threads if polls(thread, words)]
    unseen = unseen_children(process, words.capture)
    by_clock = waiting and all(by_the_clock(thread) for thread in waiting) and not tasks
    ending = shutting_down(process, words)
    mutual = polling_each_other(first, ran, words)
    connections = peers(loops, process, words) if tasks and not waiting else []
    due = unanswered([] if waiting else tasks, loops, connections, words)
    engine = resting_engine(process, tasks, words)
    entered = [actor] if (actor := words.actor(first)) else []
    far_side = other_side(first, words)
    for_ever = polls_for_ever(waiting, tasks[:MOST], process, words)
    itself = ended_by_itself(first, words)
    bad = (
        mutual
        or engine
        or short_entered(entered, words)
        or for_ever
        or owed_in_ring(on, words)
        or waits_in_vain(first, words)
        or (far_side is not None and far_side.closed)
        or (due is not None and not due.calm)
        or (ending and left_behind(first, words) and not (due is not None and due.calm))
        or owes(process, order.every, rests, words)
    )
    owner = (
        short_entered(entered, words)
        or short_had(entered, words)
        or (engine.short if engine else mutual)
        or itself
        or (far_side.short(words) if far_side else short_handlers(first, words))
        or short_paused(first, words)
        or (by_whom(first, words) if _is_inside(first, words) else "")
        or short_there([] if due else connections, words)
        or by_whom(first, words)
        or short_joined(first, words)
        or short_untaken(first, words)
    )
    owner += short_behind(first, words)
    whose = f"{told_polling(first, words)}{owner}{due.silent if due else ''}"
    whose += short_kept(first, words)
    short = due.says if due and due.says else f"{head}{whose}"
    unknown = engine.told if engine else left_to_whom(connections, due, words)
    unknown = far_side.told(words) if far_side else unknown
    if not (unknown or by_clock or on.known or itself or (waiting and by_the_clock(waiting[0]))):
        unknown = unheard(first, words)
    tail = order.rest if waiting else ""
    others = clauses(order.told, len(order.told) + len(tasks[MOST:]), MOST - 1)
    behind_it = f"{on.text}{told_code(on.told - {first}, words)}" if on.text else ""
    where = _where(head, behind_it, others, tail)
    return Finding(
        id=ID,
        severity=Severity.WARNING
        if bad or owes(process, order.every, rests, words)
        else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"{short}{'; these wait for each other in turn' if on.back else ''}"
        f"; process {process.pid} {standing(threads, words)}"
        f"{f', while {ending}' if ending else ''}{f'; {unseen}' if unseen else ''}"
        f"{told_lying(process, rests, words)}",
        sentence=(
            f"{how_many_ran(threads, ran, words)} while process {process.pid} ({process.title}) "
            f"was watched. {where}{told_callers(first, words)}{in_its_words(words.actor(first))}"
            f"{told_entered(entered, words)}{told_had(entered, words)}"
            f"{told_left_open(first, words)}{told_dispatched(first, words)}"
            f"{told_kept_on(first, words)}"
            f"{f' Meanwhile {ending}.' if ending else ''}"
            f"{_watched_by(loops, words) if tasks else ''}{told_paused(first, words)}{unknown}"
            f"{who_changes(first, words)}{writers_gone(sorted(on.told), words)}"
            f"{told_unread(process.pid, words, _package(waiting, tasks))}"
        ),
        threads=tuple(ref(thread) for thread in _concerned(main, order)),
        tasks=tuple(task.id for task in tasks[:MOST]),
        subject=process.id,
        processes=(process.pid,),
        where=_own_place(first, words),
        owed=for_ever or is_owed(first, tasks, words),
        evidence=(
            *_readings(threads, words),
            *(woke(thread, words) for thread in ran[:NAMES_LISTED]),
            *([] if ran else [still(threads)]),
        ),
        unknown=(
            "whether what it waits for will come: only somebody who knows the program can tell",
        ),
        advice=(
            *(far_side.advice if far_side else ()),
            *look_at_children(process, words.capture),
            (
                f"If it should be working: run hangtui check {process.pid} again in a minute. If "
                "nothing has moved, follow the first wait to whoever should end it."
            ),
        ),
    )


def _sleeps(actor: Thread | Task | None) -> bool:
    """Whether it is a task that the clock wakes up: what a thread sleeps after is told as such."""
    return isinstance(actor, Task) and (actor.awaits or "").startswith("sleep")


def _is_inside(first: NodeId, words: Words) -> bool:
    """Whether it waits for what only its own process has: no connection is told there."""
    wait = words.graph.wait_of(first)
    return wait is not None and wait.target.kind in OF_THE_PROCESS


def _where(head: str, behind: str, others: str, tail: str) -> str:
    """``Where it stands: ...``; *behind*: sentences on who waits behind the first."""
    if not behind:
        return f"Where it stands: {'; '.join(filter(None, (head, others)))}{tail}."
    besides = f" Besides, {others}{tail}." if others else ""
    return f"Where it stands: {head}.{behind}{besides}"


def _own_place(first: NodeId, words: Words) -> Where | None:
    """Where the first that is told stands; None: at no line of the application."""
    actor = words.actor(first)
    stack = (actor.python_stack if actor else None) or ()
    return where_of(stack) if application_index(stack) is not None else None


def _readings(threads: list[Thread], words: Words) -> list[str]:
    """What says that they wait, of the first few."""
    waits = (edge for thread in threads for edge in words.graph.waits_of(thread.id))
    return [words.reading(edge) for edge in waits][:NAMES_LISTED]


def _concerned(main: Thread, order: Order) -> list[Thread]:
    """The threads that it is about: all that wait, for none of them may be taken as told."""
    return (order.every or [main])[:MOST]


def _package(threads: Sequence[Thread], tasks: Sequence[Task]) -> str | None:
    """The first package that one of them waits in."""
    stacks = {id(task.python_stack): task for task in reversed(tasks)}
    entries = (package_entry(task) for task in reversed(stacks.values()))
    found = (*map(library_wait, threads), *(package_of(one) for one in entries if one))
    return next(filter(None, found), None)


def _watched_by(loops: Iterable[NodeId], words: Words) -> str:
    """Which connections wake up the event loops of the tasks, if these are few; of those that
    threads of C code have instead, what is done at their other ends."""
    threads = words.threads(loops)
    own = len(watched(threads, words.capture))
    told = watches(threads, words.capture, "Its event loop") if own <= NAMES_LISTED else ""
    natively = heard_by_native(threads[0].pid, words) if told and not own else []
    return f"{told}{told_there(natively, words)}"
