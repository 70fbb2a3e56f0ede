"""What is said of the threads of a process that makes no progress: where each stands, and whether
it ran."""

from collections.abc import Collection, Sequence

from hangtui.analysis.places import application_index, function_of, package_of
from hangtui.analysis.schedulers import unread_on
from hangtui.analysis.wakers import coming
from hangtui.findings.collectives import awaited_of_ranks
from hangtui.findings.doing import doing, own_package
from hangtui.findings.english import article, counted, joined
from hangtui.findings.handled import after_error
from hangtui.findings.looked import looked_there, polled_by
from hangtui.findings.loops import terms_of
from hangtui.findings.on_the_way import onward
from hangtui.findings.package_queries import at_entry, library_wait
from hangtui.findings.rest.owed import lasted_s
from hangtui.findings.rest.rests import rests_of
from hangtui.findings.shapes import awaits_unread
from hangtui.findings.stack_queries import (
    at,
    at_call,
    at_own_line,
    below_application,
    called,
    called_from,
    depth_of,
    does,
    moved,
    name_of,
    own_frame,
    polls,
    wait_for_ever,
    way_of,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeId, NodeKind, Task, TaskState, Thread, thread_id

_OF_MODULE = " (<module>)"
_CONNECTIONS = (NodeKind.SOCKET, NodeKind.PIPE)


def standing(threads: list[Thread], words: Words) -> str:
    """``has stood still for 2 s or more``, if all of them were seen so for a second. Of those that
    ran in between it is only known where each look met them."""
    if gone_on := _gone_on(threads, words):
        return f"gets on in {gone_on} alone"
    if any(polls(thread, words) for thread in threads):
        return "was met below the same lines in every look"
    if any(thread.id in words.looking and thread.still is False for thread in threads):
        return "only looks whether it may go on"
    lasted = min(lasted_s(thread, words) for thread in threads)
    return f"has stood still for {lasted:.0f} s or more" if lasted >= STILL_S else "stands still"


def how_many_ran(threads: list[Thread], ran: list[Thread], words: Words) -> str:
    """``None of the 3 Python threads ran``; *ran*: those that woke up only to wait again."""
    if gone_on := _gone_on(threads, words):
        return f"Of {counted(len(threads), 'Python thread')} only {gone_on} got on"
    if ran:
        again = "those that ran went back to sleep below the same lines"
        if came := _passed(ran, words):
            return f"{again.capitalize()}, but {came},"
        return f"No Python thread was seen to make progress: {again}"
    several = len(threads) > 1
    if any(thread.id in words.looking and thread.still is False for thread in threads):
        return "Those of its Python threads that ran only looked whether they may go on"
    return (
        f"None of the {len(threads)} Python threads ran" if several else "Its only thread never ran"
    )


def _gone_on(threads: list[Thread], words: Words) -> str:
    """Those that several looks met on different lines, if they are asleep by now; empty: all, or
    none."""
    gone_on = [words.thread_name(one) for one in threads if moved(one, words)]
    return joined(gone_on[:NAMES_LISTED]) if len(gone_on) < len(threads) else ""


def _passed(threads: list[Thread], words: Words) -> str:
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


def woke(thread: Thread, words: Words) -> str:
    """How often several looks saw that it woke up, as evidence."""
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
    if not _comes_back(thread, words):
        return "waits by polling"
    return f"{'sleeps' if by_the_clock(thread) else 'waits'} there again"


def by_the_clock(thread: Thread) -> bool:
    """Whether the clock ends it; a library that sleeps looks in between for something else."""
    sleeps = thread.syscall is not None and thread.syscall.sleeps
    return sleeps and not depth_of(thread, own_frame(thread))


def told_of(thread: Thread, words: Words, *, alone: bool = True) -> str:
    """``reader waits at app.py:9 (read) for jobs``, and how; *alone*: who has that is not told
    beside it."""
    stack = thread.python_stack or ()
    unread = unread_on(thread, words.capture, stack[: application_index(stack)])
    if unread:
        library, units = unread
        return f"{words.thread_name(thread)} runs the loop of {library}, whose {units} are not read"
    if owes := _owed_by_loop(thread, words):
        return f"{words.thread_name(thread)} {owes}"
    if awaits_unread(stack) and thread.id in rests_of(words).idle_loops:
        where = at(stack[application_index(stack) or 0])
        return f"{words.thread_name(thread)} waits in run_sync(){where} for what that runs to end"
    if joint := awaited_of_ranks(thread):
        return f"{words.thread_name(thread)} waits{at_call(thread)} {joint}"
    only_looks = thread.id in words.looking and wait_for_ever(thread, words) is None
    if not only_looks and not polls(thread, words):
        entry = at_entry(thread) if library_wait(thread) else None
        return f"{does(thread, words, alone=alone, where=entry)}{_run_there(thread, words)}"
    polled = polled_by(thread.id, words)
    how = "by polling" if only_looks or not _comes_back(thread, words) else "again and again"
    if polled is not None:
        how = f"by polling {looked_there(polled, stack, own_frame(thread))}"
    looks = depth_of(thread, own_frame(thread)) and not words.graph.waits_of(thread.id)
    if not thread.asleep or looks:  # it was about to go back to sleep, or a library does so
        how += after_error(thread.id, words)
        return f"{words.thread_name(thread)} waits{at_entry(thread)}, {how}"
    return f"{does(thread, words, alone=False)}, {how}{after_error(thread.id, words)}"


def _owed_by_loop(thread: Thread, words: Words) -> str:
    """``runs a Twisted reactor that has not answered the request of ...``, of who runs the loop of
    a server which was asked for something that no task has in hand; or nothing."""
    loops = (one for one in words.capture.event_loops if one.pid == thread.pid)
    loop = next((one for one in loops if one.tid == thread.tid and one.owes), None)
    if loop is None:
        return ""
    whole = article(terms_of(loop).whole)
    return f"runs {whole} that has not answered {joined(loop.owes)}"


def _run_there(thread: Thread, words: Words) -> str:
    """``; there task get waits at ...``: of a thread in whose call a library runs a loop, the
    only task of that loop; or nothing."""
    loops = (one for one in words.capture.event_loops if one.pid == thread.pid)
    own = [one for one in loops if one.tid == thread.tid]
    tasks = words.tasks_of(own[0]) if len(own) == 1 and library_wait(thread) else []
    waits = len(tasks) == 1 and tasks[0].state is TaskState.WAITING
    return f"; there {doing(tasks[0], words)}" if waits else ""


def told_callers(node: NodeId, words: Words) -> str:
    """`` Channel.take was called from streams.py:31 (Delta.gather).``, of the program's own line
    that waits; nothing where only the module's own code has called that."""
    stack = actor.python_stack or () if (actor := words.actor(node)) else ()
    index = application_index(stack)
    if index is None:
        return ""
    names = called_from(stack, index)
    alone = all(name.endswith(_OF_MODULE) for name in names)
    told = "" if alone else f" {function_of(stack[index])} was called from {', from '.join(names)}."
    return f"{told}{_has_called(actor, index, words)}"


def _has_called(actor: Actor | None, index: int, words: Words) -> str:
    """`` Gate.admit has called Listener.accept (connection.py:474).``, of a thread that waits for a
    connection or a pipe in the standard library; or nothing."""
    wait = words.graph.wait_of(actor.id) if isinstance(actor, Thread) else None
    if not isinstance(actor, Thread) or wait is None or wait.target.kind not in _CONNECTIONS:
        return ""
    entry = (actor.python_stack or ())[index - 1] if index else None
    if entry is None or package_of(entry) or name_of(entry).startswith("_"):
        return ""
    what = called(actor, index).removeprefix(" in ")
    return f" {function_of((actor.python_stack or ())[index])} has called {what}." if what else ""


def run_by_program(node: NodeId, words: Words) -> str:
    """``, run by MainThread at app.py:9 (report)``, of a task that a package runs for itself, or in
    a coroutine of its own, in a loop in which the program waits for it; or nothing."""
    task = words.actor(node)
    if not isinstance(task, Task) or not _of_package(task) or task.loop_tid is None:
        return ""
    thread = words.thread(thread_id(task.pid, task.loop_tid))
    where = at_own_line(thread) if thread is not None else ""
    return f", run by {words.thread_name(thread)}{where}" if thread and where else ""


def _of_package(task: Task) -> bool:
    """Whether no line of the application is below it, or a package's coroutine calls that."""
    stack = task.python_stack or ()
    return own_package(task) is not None or bool(stack and package_of(stack[-1]))


def _comes_back(thread: Thread, words: Words) -> bool:
    """Whether it surely left that line, as one that asks again below it did not; or waits there
    without a timeout, so that somebody has let it go on; or sleeps there itself: each time may be
    another piece of its work."""
    seen, wait = words.progress[thread.id], words.graph.wait_of(thread.id)
    let_go = wait is not None and not wait.expires and bool(seen.wakes)
    return seen.returned or let_go or by_the_clock(thread)


def asks_for(waiting: Sequence[Thread], tasks: Sequence[Task], words: Words) -> Task | None:
    """The first task below a line of the application that waits for the first of the threads, if
    that is below none: a worker that was handed a method of a library's. Or the first one, where
    all of the threads sleep by the clock."""
    asking = [one for one in tasks if below_application(one)]
    if waiting and all(map(by_the_clock, waiting)):
        waits = ((one, words.graph.wait_of(one.id)) for one in asking if one.sleep is None)
        ends = (one for one, wait in waits if not wait or wait.target.kind is not NodeKind.TASK)
        return next(ends, None)
    if not waiting or below_application(waiting[0]):
        return None
    return next((one for one in asking if waiting[0].id in onward(one.id, words).told), None)


def each_doing(
    asks: Task | None,
    waiting: Sequence[Thread],
    tasks: Sequence[Task],
    followed: Actor | None,
    words: Words,
) -> dict[NodeId, str]:
    """What each does, *asks* first; *followed*: who ends its wait is told beside it."""
    first = [asks] if asks else []
    stands = {t.id: doing(t, words, alone=t is not followed) for t in first}
    stands |= {t.id: told_of(t, words, alone=t is not followed) for t in waiting}
    return stands | {
        t.id: f"{doing(t, words, alone=t is not followed)}{_by_whom(t, words)}" for t in tasks
    }


def without_carriers_of(
    threads: Sequence[Thread], loops: Collection[NodeId], words: Words
) -> tuple[list[Thread], list[Thread]]:
    """Those of *threads* that tell something themselves, and those that only wait for a thread that
    runs one of *loops*, to end or to bring its result: what its tasks wait for tells more."""

    def waits(thread: Thread) -> bool:
        ends = [wait.target for wait in words.graph.waits_of(thread.id)]
        ends = [node for node in ends if node.kind in (NodeKind.THREAD, NodeKind.FUTURE)]
        ends += [hold.target for one in ends for hold in words.graph.holders_of(one)]
        return any(node in loops for node in ends)

    behind = [one for one in threads if waits(one)] if loops else []
    return [one for one in threads if one not in behind], behind


def _by_whom(task: Task, words: Words) -> str:
    """``, which only task main could put into (self.news.put(), app.py:20)``, of who waits for an
    item of a queue; empty: nobody is seen on the way, or several are."""
    wait = words.graph.wait_of(task.id)
    if wait is None or wait.target.kind is not NodeKind.QUEUE or way_of(wait, words) != "get":
        return ""
    wakers = coming(words.graph, wait.target, "get")
    if len({one.candidate for one in wakers}) != 1 or words.actor(wakers[0].candidate) is None:
        return ""
    one = wakers[0]
    call = f" ({one.call}(), {one.call_place})" if one.call and one.call_line else ""
    return f", which only {words.name(one.candidate)} could put into{call}"
